"""The folder of compiled robots.

    <folder>/<key>/              an entry: the library, the sources that it was made of, and entry.json
    <folder>/locks/<key>         locked by the process that makes the entry
    <folder>/<key>.<x>.building  an entry that is being made; renamed when it is complete
    <folder>/<key>.<x>.removed   an entry that is being removed
    <folder>/<key>.failed        what did not compile, kept for its log
    <folder>/generators.json     digests of generators (tools.py); <x> behind it while it is being written

Entries are never changed. Whoever holds the lock may put one into its place or remove it. The folder, every level above
it and all that is loaded belong to this user or to root, and nobody else can write to them (ownership.py).
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Union

from .ownership import is_private, private_folder

#: Entries that nobody loaded for so many days are removed when a robot is compiled.
days_kept = 180

#: What a killed process was writing is certainly dead after so many seconds; until then only its lock can tell.
_longest_build = 86400.0

_of_an_entry = re.compile(r"([0-9a-f]{40})(\.\w+)*$")
_unfinished = re.compile(r"\.(building|removed)$")


class Entry(NamedTuple):
    """A compiled robot. `facts` is what its entry.json says."""

    folder: str
    facts: Dict[str, Any]

    @property
    def library(self) -> str:
        return os.path.join(self.folder, "robot.so")


def chosen_folder(choice: Union[str, "os.PathLike[str]", None] = None) -> str:
    """The folder that is asked for, else that of the environment, else that of the user, else a temporary one."""
    folder = os.fspath(choice) if choice is not None else os.environ.get("FEATHERLINE_CACHE_DIR")
    if not folder:
        base = os.environ.get("XDG_CACHE_HOME")
        if not base or not os.path.isabs(base):
            base = os.path.join(os.path.expanduser("~"), ".cache")
        # A user without a home, as in containers, would get a folder called "~".
        folder = os.path.join(base, "featherline") if os.path.isabs(base) else temporary_folder()
    return os.path.abspath(folder)


def temporary_folder() -> str:
    """A folder that only this user can write to; an OSError if there is none."""
    with contextlib.suppress(OSError):
        folder = private_folder(os.path.join(tempfile.gettempdir(), f"featherline-{os.geteuid()}"))
        if os.access(folder, os.W_OK, effective_ids=True):
            return folder
    folder = tempfile.mkdtemp(prefix="featherline-")
    try:
        return private_folder(folder)
    except OSError:
        os.rmdir(folder)
        raise


def find_entry(folder: str, key: str) -> Optional[Entry]:
    """The entry if it is there, ours and whole. A truncated library would end the process, so its content is compared.

    `folder` is private. So what is checked here is what is loaded later.
    """
    place = os.path.join(folder, key)
    if not all(is_private(os.path.join(place, name)) for name in ("", "entry.json", "robot.so")):
        return None
    try:
        with open(os.path.join(place, "entry.json"), encoding="utf-8") as file:
            facts = json.load(file)
        entry = Entry(place, facts)
        with open(entry.library, "rb") as file:
            is_whole = hashlib.sha256(file.read()).hexdigest() == facts["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        is_whole = False
    if is_whole:
        with contextlib.suppress(OSError):
            os.utime(os.path.join(place, "entry.json"))  # when it was used last
        return entry
    return None


def store_entry(building: str, folder: str, key: str, facts: Dict[str, Any]) -> Entry:
    """Makes an entry of the folder `building`, which must be beside it. The caller holds the lock."""
    entry = Entry(os.path.join(folder, key), facts)
    with open(os.path.join(building, "robot.so"), "rb") as file:
        facts["sha256"] = hashlib.sha256(file.read()).hexdigest()
    with open(os.path.join(building, "entry.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file, indent=1)
    for name in ("robot.so", "entry.json"):  # whatever the umask is
        os.chmod(os.path.join(building, name), 0o644)
    remove_folder(entry.folder)  # a damaged one
    os.rename(building, entry.folder)
    return entry


@contextlib.contextmanager
def locked(folder: str, key: str, waits: Callable[[], None]) -> Iterator[bool]:
    """Holds the lock of an entry. Creates the folder of locks.

    Some file systems have no locks. There it yields False: a robot may be compiled twice, and the later one replaces
    the earlier one.

    Args:
        folder: The cache.
        key: The entry.
        waits: Called if another process or thread has the lock.
    """
    path = os.path.join(private_folder(os.path.join(folder, "locks")), key)
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            is_held = _wait_for(lock, waits)
            if _is_same_file(lock, path):
                yield is_held
                return
            # Another process has removed the file, with the entry; whoever comes now would lock a new one.
        finally:
            with contextlib.suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_UN)  # closing is not enough where a fork has the file open, too
            os.close(lock)


def _wait_for(lock: int, waits: Callable[[], None]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        waits()
    except OSError:
        return False
    fcntl.flock(lock, fcntl.LOCK_EX)
    return True


def _is_same_file(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def new_building(folder: str, key: str, is_alone: bool) -> str:
    """An empty folder to build an entry in. Who holds the lock removes what earlier processes left behind."""
    for left in glob.glob(os.path.join(glob.escape(folder), f"{key}.*")) if is_alone else []:
        remove_folder(left)
    return tempfile.mkdtemp(prefix=f"{key}.", suffix=".building", dir=folder)


def keep_failed(building: str, folder: str, key: str) -> str:
    """Keeps a folder for its log, and returns its new name."""
    place = os.path.join(folder, f"{key}.failed")
    remove_folder(place)
    os.rename(building, place)
    return place


def remove_folder(folder: str) -> None:
    """Removes it if it is there; renamed first, so that nobody takes half of it for an entry."""
    key = os.path.basename(folder).split(".")[0]
    aside = os.path.join(os.path.dirname(folder), f"{key}.{os.urandom(8).hex()}.removed")
    try:
        os.rename(folder, aside)
    except OSError:
        aside = folder
    shutil.rmtree(aside, ignore_errors=True)


def clear_cache(*, unused_days: float = 0.0, cache: Union[str, "os.PathLike[str]", None] = None) -> List[str]:
    """Removes compiled robots. Robots that are loaded keep working.

    Args:
        unused_days: Keeps the robots that were loaded within so many days. 0 removes all.
        cache: The folder; by default the one that load() uses.

    Returns:
        The folders that were removed.

    Raises:
        PermissionError: Others can write to the folder, or above it.
    """
    try:
        folder = private_folder(chosen_folder(cache), make=False)
    except (FileNotFoundError, NotADirectoryError):
        return []
    removed = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*"))):
        key = _of_an_entry.match(os.path.basename(path))
        is_old = _unfinished.search(path) or _age(path) >= unused_days * 86400.0
        if key and is_old and _remove(folder, key.group(1), path):
            removed.append(path)
    for path in glob.glob(os.path.join(glob.escape(folder), "generators.json.*")):
        if _age(path) >= _longest_build:
            with contextlib.suppress(OSError):
                os.unlink(path)
    return removed


def _age(path: str) -> float:
    """Seconds since the entry was used."""
    for used in (os.path.join(path, "entry.json"), path):
        with contextlib.suppress(OSError):
            return time.time() - os.stat(used).st_mtime
    return 0.0


def _remove(folder: str, key: str, path: str) -> bool:
    """Removes an entry, or what is left of it, unless another process is making it."""

    def busy() -> None:
        raise BlockingIOError

    try:
        with locked(folder, key, busy) as is_alone:
            if not is_alone and _unfinished.search(path) and _age(path) < _longest_build:
                return False
            remove_folder(path)
            os.unlink(os.path.join(folder, "locks", key))
    except OSError:
        return False
    return True
