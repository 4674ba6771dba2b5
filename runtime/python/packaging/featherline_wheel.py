"""Makes a wheel of what CMake installs (PEP 517): the package with the generator, headers and CMake package inside.

    pip install .
    pip install . --config-settings=build-dir=build/release    takes what is built there already
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from typing import Dict, List, Optional

Settings = Optional[Dict[str, str]]

_source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))

_metadata = """\
Metadata-Version: 2.1
Name: featherline
Version: {version}
Summary: Dynamics of one robot, generated from its URDF and compiled for it
License: BSD-2-Clause
Requires-Python: >=3.10
Requires-Dist: numpy
Description-Content-Type: text/markdown

{readme}"""

_scripts = """\
[console_scripts]
featherline = featherline.__main__:main
"""


class UnsupportedOperation(Exception):
    """What pip expects of hooks that cannot do something."""


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    return []


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    return []


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    raise UnsupportedOperation("Featherline has no source distribution; clone the repository")


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    _write_metadata(metadata_directory)
    return _metadata_folder()


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    build = _build(config_settings)
    with tempfile.TemporaryDirectory(prefix="featherline-wheel-") as stage:
        # The folder of Python packages is absolute and the prefix inside of it: all of it is then in the package.
        _run("cmake", f"-DCMAKE_INSTALL_PREFIX={os.path.join(stage, 'featherline', 'tool')}",
             f"-DFEATHERLINE_PYTHON_DIR={stage}", "-P", os.path.join(build, "cmake_install.cmake"))
        native = os.path.join(stage, "featherline", "_native" + sysconfig.get_config_var("EXT_SUFFIX"))
        if not os.path.exists(native):
            raise SystemExit(f"featherline: what is built in {build} is not for {sys.executable} (there is no "
                             f"{os.path.basename(native)}); configure it with -DPython3_EXECUTABLE={sys.executable} "
                             "-DFEATHERLINE_PYTHON=ON, or leave out build-dir")
        _write_metadata(stage)
        name = f"featherline-{_version()}-{_tag()}.whl"
        _zip(stage, os.path.join(wheel_directory, name))
    return name


def _build(settings: Settings) -> str:
    """Builds generator and extension. Returns the build folder."""
    for program in ("cmake", "c++"):
        if shutil.which(program) is None:
            raise SystemExit(f"featherline: {program} is missing; install what Featherline is built with: scripts/setup "
                             "does it on Debian and Ubuntu")
    chosen = (settings or {}).get("build-dir") or os.environ.get("FEATHERLINE_BUILD_DIR")
    build = os.path.join(_source, chosen or os.path.join("build", f"pip-{_tag()}"))
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        arguments = ["-DCMAKE_BUILD_TYPE=Release", "-DFEATHERLINE_TESTS=OFF"]
        if shutil.which("ninja"):
            arguments.append("-GNinja")
        if shutil.which("ccache"):
            arguments.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        arguments += ["-DFEATHERLINE_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"]
        _run("cmake", "-S", _source, "-B", build, *arguments)
    _run("cmake", "--build", build, "--parallel", str(len(os.sched_getaffinity(0))), "--target", "featherline",
         "featherline_python")
    return build


def _run(*words: str) -> None:
    # pip hides installed packages from this process by these variables. CMake has to find numpy.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    environment.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros")
    if subprocess.call(words, env=environment) != 0:
        raise SystemExit(f"featherline: {' '.join(words)} failed")


def _version() -> str:
    with open(os.path.join(_source, "runtime", "featherline", "version.hpp"), encoding="utf-8") as file:
        return ".".join(re.findall(r"define FEATHERLINE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", file.read()))


def _tag() -> str:
    """Such as cp311-cp311-linux_x86_64: the extension is for this Python alone, the generator for this machine."""
    abi = "cp" + sysconfig.get_config_var("SOABI").split("-")[1]
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"cp{sys.version_info[0]}{sys.version_info[1]}-{abi}-{platform}"


def _metadata_folder() -> str:
    return f"featherline-{_version()}.dist-info"


def _write_metadata(parent: str) -> None:
    folder = os.path.join(parent, _metadata_folder())
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(_source, "README.md"), encoding="utf-8") as file:
        readme = file.read()
    texts = {
        "METADATA": _metadata.format(version=_version(), readme=readme),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: featherline\nRoot-Is-Purelib: false\nTag: {_tag()}\n",
        "entry_points.txt": _scripts,
    }
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    shutil.copy(os.path.join(_source, "LICENSE"), folder)


def _zip(folder: str, wheel: str) -> None:
    """All files, with the list of their digests that a wheel ends with."""
    record = f"{_metadata_folder()}/RECORD"
    lines = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for directory, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(directory, name)
                inside = os.path.relpath(path, folder).replace(os.sep, "/")
                with open(path, "rb") as file:
                    content = file.read()
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                lines.append(f"{inside},sha256={digest},{len(content)}\n")
                _add(archive, inside, content, 0o755 if os.access(path, os.X_OK) else 0o644)
        _add(archive, record, "".join([*lines, f"{record},,\n"]).encode(), 0o644)


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    archive.writestr(entry, content)
