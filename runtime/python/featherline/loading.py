"""load(): from the file to a robot with functions."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shlex
import shutil
import sys
import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, TypeVar, Union

from . import _configuration, cache as caches
from .build import TEXT, CompileFailed, Recipe, build
from .cache import Entry
from .compiler import find_compiler, flags_for, processor
from .errors import FeatherlineWarning
from .options import OPTIONS, Argument, explanation, signature, unknown_keyword
from .ownership import private_folder
from .pickling import Origin, make_portable
from .progress import Progress
from .request import Request, read_request
from .robot import Robot, attach
from .tools import digest_of_generator, digest_of_headers, find_tools

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Keywords

Path = Union[str, "os.PathLike[str]"]


def load(urdf: Union[Path, bytes], *, compiler: Optional[str] = None, cache: Optional[Path] = None,
         verbose: Optional[bool] = None, device: Optional[str] = None, **options: Unpack[Keywords]) -> Robot:
    """Generates a robot's dynamics, compiles it for this processor, and loads it.

    The result is kept in a cache. The next call with the same robot and options, in any process, only loads it. The
    robot is compiled again when the content of a file or of one that it includes changes, or an option, Featherline, the
    compiler or the processor.

    All other keywords are the options of `featherline generate`; how Python writes them is explained here.

    Args:
        urdf: The file, of any format that the generator reads, or its text, which begins with "<".
        base: "fixed": the root link is welded to the world. "floating": it moves freely.
        functions: Functions and groups, as ["rnea", "derivatives"]; "all" for all.
        frames: Links, or frames placed in links: ["hand", "tip=hand@0,0,0.1"].
        frame_parts: What frame_kinematics gives: "poses", "positions", "velocities", "jacobians", "bias".
        contacts: Contacts with the world, as frames, with ":point", ":weld", ":normal", ":friction" or, for contact_step,
            ":sphere=R" behind them.
        parameters: "gravity", "payload:LINK", "inertia:LINK", "armature", "armature:JOINT" and so on.
        external_forces: Links that forces act on.
        scalar: "float64" (default), "float32", or both.
        batch: Whether many states, as arrays with one more dimension in front, are computed side by side in SIMD lanes.
            Otherwise they are computed one by one.
        gravity: Three numbers, in world axes [m/s^2].
        joint_order: A file, or the names of the joints in the order of q.
        lock: Joints that stay at a position: {"finger": 0.02}. A sequence of numbers for joints with several coordinates.
        lock_all_but: Joints that move, while all others are locked, at 0 where lock has no position for them.
        joint_dynamics: "off", "armature", "model", or a file.
        accept: Kinds of warnings to leave out; a warning ends with its kind in brackets.
        formulation: {"aba": "articulated bodies"}.
        verify: Whether the generator compares all functions with its reference solver.
        werror: Whether a warning of the generator is an error.
        compiler: The C++ compiler; by default $CXX, else c++.
        cache: The folder of compiled robots; by default $FEATHERLINE_CACHE_DIR, else ~/.cache/featherline.
        verbose: True prints every step on standard error, and False nothing. By default a terminal shows the step.
        device: "cuda": functions also take arrays on the GPU, of CuPy, PyTorch, JAX and others, and compute there. It needs
            clang, and no part of the CUDA toolkit.

    Raises:
        GenerateError: The robot or an option is wrong; the message is the generator's.
        CompilerNotFound, CompileError: See there.
        OSError: A file cannot be read or written.
    """
    if device not in (None, "cuda"):
        raise ValueError(f'featherline.load(): device is {device!r}; expected "cuda", or None for the processor alone')
    flags = () if device is None else (Argument("--cuda", "ptx"),)
    return _obtained(urdf, options, flags, (compiler, cache, verbose), _attach_with(compiler))


def load_request(request: Request, compiler: Optional[str], cache: Optional[str]) -> Robot:
    """What load() returns for it. Its warnings were shown where the request was read."""
    if compiler is not None and shutil.which(shlex.split(compiler)[0]) is None:
        compiler = None
    return _made(lambda: request, (compiler, cache, None), _attach_with(compiler), lambda *_: None)


def casadi_library(urdf: Union[Path, bytes], *, tangent: bool = False, compiler: Optional[str] = None,
                   cache: Optional[Path] = None, verbose: Optional[bool] = None, **options: Unpack[Keywords]) -> str:
    """Makes external functions of CasADi, and returns the shared library that holds them.

        library = featherline.casadi_library("arm.urdf", name="arm", functions=["rnea", "aba"])
        aba = casadi.external("arm_aba", library)

    It is kept in the cache of load(), whose keywords it takes.

    Args:
        urdf: As load() takes it.
        tangent: Whether derivatives by q are along steps of the tangent space: nv columns instead of nq.
    """
    flag = Argument("--casadi", "tangent" if tangent else None)
    return _obtained(urdf, options, (flag,), (compiler, cache, verbose), lambda entry, _: entry.library)


_Result = TypeVar("_Result")


def _obtained(urdf: Union[Path, bytes], options: Any, flags: Tuple[Argument, ...], others: Tuple[Any, Any, Any],
              use: Callable[[Entry, Request], _Result]) -> _Result:
    """What `use` makes of the entry of what the caller of load() gave."""
    for keyword in options:
        if keyword not in OPTIONS:
            raise unknown_keyword(keyword, [*OPTIONS, "compiler", "cache", "verbose"])

    def read() -> Request:
        request = read_request(urdf, {"base": "fixed", **options})
        return request._replace(arguments=(*request.arguments, *flags))

    return _made(read, others, use, _warn)


def _made(read: Callable[[], Request], others: Tuple[Any, Any, Any], use: Callable[[Entry, Request], _Result],
          warn: Callable[[Entry, Request], None]) -> _Result:
    """What `use` makes of the entry of a request."""
    compiler, cache, verbose = others
    progress = Progress(verbose)
    tools = find_tools()
    found = find_compiler(compiler)
    folder = _usable_folder(caches.chosen_folder(cache))
    for attempt in range(3):
        recipe = Recipe(read(), tools, found)
        try:
            entry = _obtain(recipe, folder, progress)
            if entry is None:  # a file was written while the generator read it
                continue
            result = use(entry, recipe.request)
        except _Vanished:
            continue
        finally:
            progress.clear()
        warn(entry, recipe.request)
        return result
    raise OSError(errno.EBUSY, "featherline.load(): the robot's files, or the cache, change all the time",
                  recipe.request.label)


casadi_library.__signature__ = signature(casadi_library)  # type: ignore[attr-defined]
load.__signature__ = signature(load)  # type: ignore[attr-defined]
load.__doc__ = f"{load.__doc__}\n    Options of the generator:\n{explanation()}\n"


class _Vanished(Exception):
    """Another process removed the entry in between."""


def _key(recipe: Recipe, folder: str) -> str:
    """The name of the entry: a digest of all that the library depends on."""
    facts = [_configuration.VERSION, recipe.request.identity(), digest_of_generator(recipe.tools.executable, folder),
             digest_of_headers(recipe.tools.headers), recipe.compiler, flags_for(recipe.compiler), processor()]
    return _digest(facts)


def _digest(facts: List[Any]) -> str:
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:40]


def _find(recipe: Recipe, folder: str, key: str) -> Tuple[str, Optional[Entry]]:
    """The entry and its key, or the key that it will have. Only an entry knows which files the robot's file includes.
    Where these are others by now, what they hold makes the key of the next entry."""
    while True:
        entry = caches.find_entry(folder, key)
        if entry is None or not _changed(recipe, entry.facts):
            return key, entry
        key = _digest([key, recipe.request.digests(entry.facts["others"])])


def _changed(recipe: Recipe, facts: Dict[str, Any]) -> bool:
    return list(facts["others"].values()) != recipe.request.digests(facts["others"])


def _obtain(recipe: Recipe, folder: str, progress: Progress) -> Optional[Entry]:
    """The entry from the cache, made if necessary; None if the robot's files changed while it was made."""
    first = _key(recipe, folder)
    key, entry = _find(recipe, folder, first)
    if entry is not None:
        return entry
    try:
        return _make(recipe, folder, key, progress)
    except OSError as error:
        progress.clear()
        other = _other_folder(folder, error)
        try:
            key, entry = _find(recipe, other, first)
            return entry or _make(recipe, other, key, progress)
        except OSError as second:
            raise _no_folder(folder, error, other, second) from second


def _usable_folder(folder: str) -> str:
    """This folder, or a temporary one if it cannot be made, or if others can write to it."""
    try:
        return private_folder(folder)
    except OSError as error:
        return _other_folder(folder, error)


def _other_folder(folder: str, error: OSError) -> str:
    """Warns that a folder cannot be used, and returns the one that is used instead."""
    try:
        other = caches.temporary_folder()
    except OSError as second:
        raise _no_folder(folder, error, "a temporary folder", second) from second
    _warn_caller(f"featherline: the cache folder {folder} cannot be used ({error.strerror or error}); robots are "
                 f"kept in {other} instead; set FEATHERLINE_CACHE_DIR to choose another folder")
    return other


def _no_folder(folder: str, error: OSError, other: str, second: OSError) -> OSError:
    return OSError(second.errno, f"featherline.load(): neither the cache folder {folder} ({error.strerror or error}) "
                   f"nor {other} ({second.strerror or second}) can be used; free space, or set FEATHERLINE_CACHE_DIR to "
                   "another folder")


def _make(recipe: Recipe, folder: str, key: str, progress: Progress) -> Optional[Entry]:
    def waits() -> None:
        progress.step(f"{recipe.request.label}: waiting for another process, which compiles it")

    with caches.locked(folder, key, waits) as is_alone:
        now, entry = _find(recipe, folder, key)
        if entry is not None or now != key:
            return entry
        damaged = os.path.join(folder, key)
        if os.path.isdir(damaged):
            _warn_caller(f"featherline: the cache entry {damaged} is damaged, or others could write to it; it is made again")
        building = caches.new_building(folder, key, is_alone)
        try:
            facts = build(recipe, building, progress)
            if not recipe.request.is_current() or _changed(recipe, facts):
                return None
            entry = caches.store_entry(building, folder, key, facts)
        except CompileFailed as error:
            raise error.in_folder(caches.keep_failed(building, folder, key)) from None
        finally:
            caches.remove_folder(building)
    caches.clear_cache(unused_days=caches.days_kept, cache=folder)
    return entry


def _attach_with(compiler: Optional[str]) -> Callable[[Entry, Request], Robot]:
    def attach_entry(entry: Entry, request: Request) -> Robot:
        robot = _attach(entry)
        make_portable(robot, Origin(request, entry.facts["others"], compiler, entry.folder))
        return robot

    return attach_entry


def _attach(entry: Entry) -> Robot:
    try:
        return attach(entry.folder)
    except (ImportError, FileNotFoundError):
        if os.path.exists(entry.library):
            raise
        raise _Vanished from None


def _warn(entry: Entry, request: Request) -> None:
    """The generator's warnings as Python warnings, also if it ran long ago."""
    for line in entry.facts["diagnostics"]:
        if ": warning: " in line:
            _warn_caller(f"{request.path or TEXT}{line}" if line.startswith(":") else line)


def _warn_caller(text: str) -> None:
    """A warning at the line that called this package."""
    package = os.path.dirname(os.path.abspath(__file__))
    level = 1
    frame: Any = sys._getframe(0)
    while frame is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == package:
        frame = frame.f_back
        level += 1
    warnings.warn(text, FeatherlineWarning, stacklevel=level)
