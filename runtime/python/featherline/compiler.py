"""The C++ compiler of this machine, and how it is called."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
from typing import List, NamedTuple, Optional, Tuple

from .errors import CompilerNotFound


class Compiler(NamedTuple):
    """Attributes:
    words: The program, perhaps behind another one such as ccache, and flags.
    path: The program behind the first word.
    version: What it answers to --version.
    """

    words: Tuple[str, ...]
    path: str
    version: str

    @property
    def is_clang(self) -> bool:
        return "clang" in self.version

    def command(self, flags: List[str]) -> List[str]:
        """The beginning of a command line. Flags that the user gave with the compiler come last, so that they win."""
        given = next((i for i, word in enumerate(self.words) if word.startswith("-")), len(self.words))
        return [*self.words[:given], *flags, *self.words[given:]]


def find_compiler(chosen: Optional[str] = None) -> Compiler:
    """The compiler that is asked for, else $CXX, else the first of c++, g++ and clang++ that is there."""
    for name, source in ((chosen, "compiler"), (os.environ.get("CXX"), "$CXX")):
        if name:
            return _compiler(name, source)
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return _compiler(name, "PATH")
    raise CompilerNotFound("featherline.load() compiles the robot's code and found no C++ compiler (c++, g++, clang++); "
                           "install one (Debian, Ubuntu: sudo apt install g++), or name one in $CXX")


def _compiler(command: str, source: str) -> Compiler:
    words = tuple(shlex.split(command))
    path = shutil.which(words[0]) if words else None
    if path is None:
        raise CompilerNotFound(f"featherline.load(): the compiler {command!r}, named by {source}, is not to be found; "
                               "correct the name, or install it (Debian, Ubuntu: sudo apt install g++)")
    try:
        answer = subprocess.run([*words, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                errors="replace", check=False, env={**os.environ, "LC_ALL": "C"})
    except OSError as error:
        raise CompilerNotFound(f"featherline.load(): the compiler {path} cannot be run: {error.strerror}") from error
    if answer.returncode != 0:
        raise CompilerNotFound(f"featherline.load(): {command!r} --version ended with {answer.returncode}: "
                               f"{(answer.stderr or answer.stdout).strip()[-500:]}; name a C++17 compiler")
    return Compiler(words, os.path.realpath(path), answer.stdout)


def flags_for(compiler: Compiler) -> List[str]:
    """As add_robot_dynamics() chooses them, and for the processor of this machine.

    Hidden symbols keep robots of one name apart that are loaded into one process.
    """
    flags = ["-std=c++17", "-O2", "-ffp-contract=fast", "-fPIC", "-fvisibility=hidden", "-DNDEBUG",
             "-DFEATHERLINE_BATCH_NATIVE"]
    machine = platform.machine().lower()
    if machine in ("x86_64", "amd64"):
        flags.append("-march=native")
        if compiler.is_clang:  # which otherwise splits the vectors of batches on some processors
            flags.append("-mprefer-vector-width=512")
    elif machine in ("aarch64", "arm64"):
        flags.append("-mcpu=native")
    return flags


def processor() -> str:
    """What "native" means on this machine."""
    wanted = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features", "CPU ")
    try:
        with open("/proc/cpuinfo", "rb", buffering=0) as file:
            first = file.read(16384).decode(errors="replace").split("\n\n", 1)[0]  # the first of many, all the same
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    lines = [line for line in first.splitlines() if line.startswith(wanted)]
    return "\n".join([platform.machine(), *lines])
