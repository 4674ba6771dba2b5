"""Robots, functions and results in other processes, and on other machines.

A robot is pickled as the text of its file, the files that it includes, and the options. Where it is loaded, the cache has
it, or it is generated and compiled there. A function is pickled as its robot and its name, and several results as a named
tuple, which needs no robot.
"""

from __future__ import annotations

import collections
import copyreg
import functools
import os
import pickle
import tempfile
import threading
import weakref
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _configuration
from .errors import InstallationError
from .request import Request

#: The robots of this process that came from others, by what State.key says.
_arrived: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_lock = threading.Lock()

#: By Function._robot_id.
_origins: Dict[int, Origin] = {}


class Origin(NamedTuple):
    """What a robot was made of.

    Attributes:
        request: The file and the options.
        others: Digests of the files that it includes, by their names from its folder.
        compiler: As the caller gave it.
        entry: The folder in the cache.
    """

    request: Request
    others: Dict[str, Optional[str]]
    compiler: Optional[str]
    entry: str


class State(NamedTuple):
    """What is pickled. Later versions can read `version`.

    Attributes:
        name: Of the robot's file; None if it was given as text.
        files: The contents, by their names from the folder of the robot's file.
        arguments: Flag, value, and content for those that name files.
        cache, compiler: Where this process found the robot, and what compiled it; used if they are there.
        key: Differs where anything else does.
    """

    version: str
    name: Optional[str]
    text: bytes
    files: Dict[str, bytes]
    arguments: Tuple[Tuple[str, Optional[str], Optional[bytes]], ...]
    cache: str
    compiler: Optional[str]
    key: str


def state_of(origin: Origin) -> State:
    request = origin.request
    if request.digests(origin.others) != list(origin.others.values()):
        raise pickle.PicklingError(f"{request.label} includes files that changed since it was loaded, or are gone: "
                                   f"{', '.join(origin.others)}; load it again")
    files = {}
    for name in origin.others:
        with open(os.path.join(request.folder, name), "rb") as file:
            files[name] = file.read()
    arguments = tuple((a.flag, None if a.content is not None else a.value, a.content) for a in request.arguments)
    cache, key = os.path.split(origin.entry)
    return State(_configuration.VERSION, request.path and os.path.basename(request.path), request.text, files, arguments,
                 cache, origin.compiler, key)


def restore(version: str, *fields: Any) -> Any:
    """The robot of a State: from this process or the cache, or compiled.

    Raises:
        InstallationError: It was pickled by another version of Featherline.
        As load().
    """
    if version != _configuration.VERSION:
        raise InstallationError(f"this robot was pickled by featherline {version}, and here is {_configuration.VERSION}: "
                                "install the same version on all machines, or load the robot from its file")
    state = State(version, *fields)
    with _lock:
        robot = _arrived.get(state.key)
        if robot is None:
            robot = _arrived[state.key] = _load(state)
    return robot


def _load(state: State) -> Any:
    from . import loading
    from .options import Argument

    arguments = tuple(Argument(*argument) for argument in state.arguments)
    cache = state.cache if os.access(state.cache, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="featherline-robot-") as folder:
        path = None
        if state.name is not None:
            # Deep enough for names that begin with "..".
            up = max((name.split(os.sep).count(os.pardir) for name in state.files), default=0)
            path = os.path.join(folder, *["robot"] * up, state.name)
            for name, content in {state.name: state.text, **state.files}.items():
                _write(os.path.normpath(os.path.join(os.path.dirname(path), name)), folder, content)
        return loading.load_request(Request(path, state.text, arguments), state.compiler, cache)


def _write(path: str, folder: str, content: bytes) -> None:
    if not path.startswith(folder + os.sep):
        raise InstallationError(f"the pickled robot has a file outside of its folder: {path}; load it from its own file")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def restore_function(robot: Any, name: str, prepares: bool) -> Any:
    return getattr(robot.prepare if prepares else robot, name)


class _Restored(NamedTuple):
    """Stands for a robot inside of a function's pickle."""

    state: State

    def __reduce__(self) -> Tuple[Any, ...]:
        return (restore, tuple(self.state))


def _reduce_function(function: Any) -> Tuple[Any, ...]:
    origin = _origins.get(function._robot_id)
    if origin is None:
        raise pickle.PicklingError(f"{function!r} cannot be pickled: it is of a module that was built for one robot; "
                                   "pickle its name")
    return (restore_function, (_Restored(state_of(origin)), function.__name__, function._prepares))


@functools.lru_cache(maxsize=None)
def _named_tuple_type(name: str, fields: Tuple[str, ...]) -> Any:
    made: Any = collections.namedtuple(name, fields, module="featherline")
    made.__reduce__ = _reduce_named_tuple
    return made


def _named_tuple(name: str, fields: Tuple[str, ...], values: Tuple[Any, ...]) -> Any:
    return _named_tuple_type(name, fields)._make(values)


def _reduce_named_tuple(value: Any) -> Tuple[Any, ...]:
    return (_named_tuple, (type(value).__name__, value._fields, tuple(value)))


def make_portable(robot: Any, origin: Origin) -> None:
    """What belongs to the robot can be pickled from now on."""
    robot._origin = origin
    facts = vars(robot)
    for entries in ("joints", "frames", "parameters", "constraints"):
        if facts.get(entries):
            type(facts[entries][0]).__reduce__ = _reduce_named_tuple
    for name in facts.get("functions", ()):
        function = facts[name]
        _origins[function._robot_id] = origin
        copyreg.pickle(type(function), _reduce_function)
        if function._results_type is not None:
            function._results_type.__reduce__ = _reduce_named_tuple
