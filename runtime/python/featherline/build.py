"""Generates, compiles and links one robot in a folder."""

from __future__ import annotations

import errno
import glob
import json
import os
import re
import time
from typing import Any, Dict, List, NamedTuple, Tuple

from .compiler import Compiler, flags_for
from .errors import CompileError, GenerateError
from .processes import Command, Outcome, available_cores, run_all
from .progress import Progress
from .request import Request
from .tools import Tools

#: A compiler takes up to a gigabyte for a large function.
_most_compilers = 16

#: Code for wider vectors than the compiler's flags name. On the processor that it is compiled on there is no such thing.
_not_needed = re.compile(r"_avx(2|512)\.cpp$")

#: How the generator calls a robot that has no file.
TEXT = "<stdin>"

_diagnostic = re.compile(r"(?P<place>.*?): (?P<kind>warning|note): ")


class Recipe(NamedTuple):
    """All that a library is made of."""

    request: Request
    tools: Tools
    compiler: Compiler


def build(recipe: Recipe, folder: str, progress: Progress) -> Dict[str, Any]:
    """Makes `robot.so` in the folder, and returns facts for entry.json.

    Raises:
        GenerateError, CompileError: See there.
        OSError: With errno ENOSPC where the disk is full.
    """
    begin, began = time.monotonic(), time.time()
    sources = os.path.join(folder, "sources")
    progress.step(f"{recipe.request.label}: generating")
    diagnostics = _generate(recipe, folder, sources)
    others = _others(recipe.request, folder)
    digests = recipe.request.digests(others, before=began)
    name = _name_of(sources)
    _compile(recipe, name, needed_files(sources), folder, progress)
    progress.step(f"{name}: compiled in {time.monotonic() - begin:.1f} s")
    return {"name": name, "diagnostics": diagnostics, "compiler": recipe.compiler.version.split("\n")[0],
            "others": dict(zip(others, digests)),
            "arguments": [[argument.flag, argument.value] for argument in recipe.request.arguments]}


def needed_files(sources: str) -> List[str]:
    """The files of a folder of generated sources that are compiled for this processor alone."""
    folder = glob.escape(sources)
    files = glob.glob(os.path.join(folder, "*.cpp")) + glob.glob(os.path.join(folder, "*_casadi.c"))
    return sorted(path for path in files if not _not_needed.search(path))


def _generate(recipe: Recipe, folder: str, sources: str) -> List[str]:
    """Runs the generator. Returns its warnings and notes."""
    request = recipe.request
    copy = os.path.join(folder, "robot.urdf")  # also for those who want to know later
    with open(copy, "wb") as file:
        file.write(request.text)
    robot = _as_argument(request.path) if request.path else "-"
    words = [recipe.tools.executable, "generate", robot, "-o", sources, "--python", "--depfile", _depfile(folder)]
    for number, argument in enumerate(request.arguments):
        value = argument.value
        if value is None and argument.content is not None:
            value = os.path.join(folder, f"{argument.flag.strip('-')}_{number}.txt")
            with open(value, "wb") as file:
                file.write(argument.content)
        words.append(argument.flag if value is None else f"{argument.flag}={value}")
    command = Command(words, "generator", input=copy, output=os.path.join(folder, "report.txt"))
    (outcome,) = run_all([command], 1, folder)
    if outcome.exit_code != 0:
        _refuse(outcome)
    return _diagnostics(outcome.log, robot if request.path else TEXT)


def _depfile(folder: str) -> str:
    return os.path.join(folder, "robot.d")


def _others(request: Request, folder: str) -> List[str]:
    """The files that the robot's file includes, from its folder on."""
    with open(_depfile(folder), encoding="utf-8", errors="surrogateescape") as file:
        inputs = re.findall(r"^  (.*?)(?: \\)?$", file.read(), re.MULTILINE)
    given = {request.path and _as_argument(request.path), *(argument.value for argument in request.arguments)}
    paths = [re.sub(r"\\(.)|\$(\$)", r"\1\2", path) for path in inputs]
    return [os.path.relpath(path, request.folder) for path in paths
            if path not in given and not path.startswith(os.path.join(folder, ""))]


def _as_argument(path: str) -> str:
    return os.path.join(".", path) if path.startswith("-") else path


def _refuse(outcome: Outcome) -> None:
    """Raises the error of the generator."""
    _check_disk(outcome.log)
    if outcome.exit_code < 0:
        raise GenerateError(f"featherline: the generator was stopped by signal {-outcome.exit_code}"
                            f"{_memory(outcome.exit_code)}\n{outcome.log}".rstrip(), 3)
    raise GenerateError(outcome.log.strip() or f"the generator ended with {outcome.exit_code}", outcome.exit_code)


def _memory(exit_code: int) -> str:
    return "; perhaps the memory was not enough: generate fewer functions" if exit_code == -9 else ""


def _diagnostics(log: str, robot: str) -> List[str]:
    """Warnings and notes. Those that begin with the robot's file begin with ":", since the file may have another name
    when they are shown."""
    lines = [line for line in log.splitlines() if _diagnostic.match(line)]
    return [line[len(robot):] if line.startswith(f"{robot}:") else line for line in lines]


def _name_of(sources: str) -> str:
    (manifest,) = glob.glob(os.path.join(glob.escape(sources), "*.json"))
    with open(manifest, encoding="utf-8") as file:
        return str(json.load(file)["name"])


def _compile(recipe: Recipe, name: str, files: List[str], folder: str, progress: Progress) -> None:
    compiler = recipe.compiler.command(flags_for(recipe.compiler))
    includes = ["-I", os.path.dirname(files[0]), "-I", recipe.tools.headers]
    objects = [os.path.join(folder, os.path.basename(path) + ".o") for path in files]
    largest_first = sorted(zip(files, objects), key=lambda pair: -_size(pair[0]))
    commands = [Command([*compiler, *includes, "-x", "c++", "-c", source, "-o", result], source)
                for source, result in largest_first]
    workers = min(available_cores(), _most_compilers)

    def show(done: int) -> None:
        progress.show(f"{name}: compiling, {done} of {len(files)} files")

    progress.step(f"{name}: compiling {len(files)} files")
    for outcome in run_all(commands, workers, folder, show):
        _check_compiled(outcome, folder)
    library = os.path.join(folder, "robot.so")
    link = Command([*compiler, "-shared", "-Wl,--no-undefined", *objects, "-o", library], library)
    for outcome in run_all([link], 1, folder):
        _check_compiled(outcome, folder)
    for path in objects:
        os.unlink(path)


def _size(source: str) -> int:
    """A measure for the time that a file takes: the size of the template behind it."""
    template = source[: -len("cpp")] + "ipp"
    return os.path.getsize(template if os.path.exists(template) else source)


def _check_compiled(outcome: Outcome, folder: str) -> None:
    """Raises an error if the compiler failed; its log is then in `folder`."""
    if outcome.exit_code == 0:
        return
    _check_disk(outcome.log)
    log = os.path.join(folder, "compiler.log")
    with open(log, "w", encoding="utf-8") as file:
        file.write(" ".join(outcome.command.words) + "\n" + outcome.log)
    raise CompileFailed(outcome, log)


class CompileFailed(Exception):
    """A compiler failed. Where the log will stay is not known here."""

    def __init__(self, outcome: Outcome, log: str) -> None:
        super().__init__(outcome.command.label)
        self.outcome = outcome

    def in_folder(self, folder: str) -> CompileError:
        """The error for the user, when the log is in this folder."""
        outcome = self.outcome
        ended = f"was stopped by signal {-outcome.exit_code}{_memory(outcome.exit_code)}" if outcome.exit_code < 0 else \
            f"ended with {outcome.exit_code}"
        last = "\n".join("  " + line for line in outcome.log.rstrip().splitlines()[-20:])
        return CompileError(f"featherline: the compiler {outcome.command.words[0]!r} {ended} at "
                            f"{os.path.basename(outcome.command.label)}. The end of its log:\n{last or '  (empty)'}\n"
                            f"The log and the sources are in {folder}; the log is compiler.log")


def _check_disk(log: str) -> None:
    for code in (errno.ENOSPC, errno.EDQUOT):
        if os.strerror(code) in log:
            raise OSError(code, os.strerror(code))
