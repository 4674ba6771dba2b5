"""Where the generator and the runtime headers are, and what they hold."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tempfile
from typing import Dict, List, NamedTuple

from . import _configuration
from .errors import InstallationError
from .ownership import is_private

_package = os.path.dirname(os.path.abspath(__file__))


class Tools(NamedTuple):
    """The generator and the headers that its code includes."""

    executable: str
    headers: str


def find_tools() -> Tools:
    """Finds both parts, and raises InstallationError if one is missing.

    $FEATHERLINE_EXECUTABLE goes first, with the headers that are installed beside it. Otherwise CMake wrote down where
    they are, seen from this package.
    """
    chosen = os.environ.get("FEATHERLINE_EXECUTABLE")
    executable = os.path.abspath(chosen) if chosen else _beside_package(_configuration.EXECUTABLE)
    if not os.access(executable, os.X_OK) or os.path.isdir(executable):
        remedy = "correct $FEATHERLINE_EXECUTABLE, or unset it" if chosen else "install Featherline again"
        raise InstallationError(f"featherline: there is no generator at {executable}; {remedy}")
    folders = [_beside_package(_configuration.HEADERS)]
    if chosen:
        folders.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(executable))), "include"))
    for folder in folders:
        if os.path.exists(os.path.join(folder, "featherline", "version.hpp")):
            return Tools(executable, folder)
    places = " and ".join(folders)
    raise InstallationError(f"featherline: the runtime headers are missing in {places}; install Featherline again")


def cmake_folder() -> str:
    """The folder of the CMake package, for CMAKE_PREFIX_PATH or Featherline_DIR. It is made by the installation."""
    folder = _beside_package(_configuration.CMAKE)
    if not os.path.exists(os.path.join(folder, "AddRobotDynamics.cmake")):
        raise InstallationError(f"featherline: there is no CMake package in {folder}, because Featherline is built but "
                                "not installed; run cmake --install, or add_subdirectory() in your CMakeLists.txt")
    return folder


def _beside_package(path: str) -> str:
    return os.path.normpath(os.path.join(_package, path))


def digest_of_headers(folder: str) -> str:
    """A digest of the content of all runtime headers."""
    digest = hashlib.sha256()
    for directory, folders, names in os.walk(os.path.join(folder, "featherline")):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(directory, name)
            if name.endswith(".hpp"):
                digest.update(os.path.relpath(path, folder).encode() + b"\0")
                with open(path, "rb") as file:
                    digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def digest_of_generator(executable: str, memo_folder: str) -> str:
    """A digest of the content of the generator, which must be of this package's version.

    The generator has megabytes. So the digest is kept in `memo_folder`, a private one, under what the file system says of the file; a
    file that was written since has another time of change.
    """
    status = os.stat(executable)
    identity = [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    memo_file = os.path.join(memo_folder, "generators.json")
    memo = _read_memo(memo_file)
    known = memo.get(executable)
    if not (isinstance(known, list) and len(known) == 3 and known[0] == identity):
        with open(executable, "rb") as file:
            content = file.read()
        known = [identity, hashlib.sha256(content).hexdigest(), _version_of(executable)]
        _write_memo(memo_file, {**memo, executable: known})
    if known[2] != _configuration.VERSION:
        raise InstallationError(
            f"featherline: this Python package is version {_configuration.VERSION}, but the generator {executable} is "
            f"version {known[2]}; install both from the same source, or set FEATHERLINE_EXECUTABLE to a generator of "
            "the same version")
    return str(known[1])


def _version_of(executable: str) -> str:
    try:
        answer = subprocess.run([executable, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="replace", check=False)
    except OSError as error:
        raise InstallationError(f"featherline: {executable} cannot be run: {error.strerror}; install Featherline "
                                "again for this machine") from error
    version = re.fullmatch(r"featherline (\S+)\s*", answer.stdout)
    if answer.returncode != 0 or version is None:
        said = (answer.stderr or answer.stdout).strip() or "nothing"
        raise InstallationError(f"featherline: {executable} does not say its version; it said: {said}")
    return version.group(1)


def _read_memo(path: str) -> Dict[str, List]:
    if not is_private(path):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            memo = json.load(file)
    except (OSError, ValueError):
        return {}
    return memo if isinstance(memo, dict) else {}


def _write_memo(path: str, memo: Dict[str, List]) -> None:
    """Writes it if possible. Without it the next process computes the digest again."""
    memo = {executable: known for executable, known in memo.items() if os.path.exists(executable)}
    try:
        file, temporary = tempfile.mkstemp(prefix=f"{os.path.basename(path)}.", dir=os.path.dirname(path))
    except OSError:
        return
    try:
        with open(file, "w", encoding="utf-8") as writing:
            json.dump(memo, writing)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
