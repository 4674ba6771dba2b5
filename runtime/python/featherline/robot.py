"""The robot that load() returns."""

from __future__ import annotations

import difflib
import os
from typing import Any, Callable, Tuple

from ._catalogue import FOREIGN_NAMES, FUNCTIONS
from .device import add_kernels
from .native import import_native
from .pickling import Origin, restore, state_of

_native = import_native()


class Robot:
    """A robot and its functions, which were compiled for it.

    It has an attribute for every function that it was generated with, such as `rnea`, and facts such as `name`, `nq`,
    `nv`, `joint_names`, `neutral`. `help(robot.rnea)` describes a function; `dir(robot)` lists all.

    Attributes:
        library: The compiled library.
        sources: The folder of the generated sources.
        report: What the generator printed: operations, estimates and formulation of every function.
    """

    name: str
    nq: int
    nv: int
    library: str
    sources: str
    report: str
    _origin: Origin

    def __repr__(self) -> str:
        if "nv" not in self.__dict__:
            return "<featherline.Robot>"
        return f"<featherline.Robot {self.name}: nq = {self.nq}, nv = {self.nv}>"

    def __reduce__(self) -> Tuple[Callable[..., Robot], Tuple[Any, ...]]:
        """For other processes and machines: by what the robot was made of."""
        return (restore, tuple(state_of(self._origin)))

    def __getattr__(self, name: str) -> Any:
        """The error for what is not there."""
        # Without the object: given it, Python appends a guess of its own.
        raise AttributeError(_explain_missing(self, name), name=name, obj=None)


def _explain_missing(robot: Robot, name: str) -> str:
    """Says what a name is called here, how to get a function that was not generated, or what is spelt like it."""
    known = robot.__dict__
    text = f"{known.get('name', 'the robot')} has no {name!r}"
    if name.startswith("_"):
        return text
    ours = name if name in FUNCTIONS else FOREIGN_NAMES.get(name.replace("_", "").lower())
    if ours in known:
        return f"{text}; here it is {ours}()"
    if ours is not None:
        called = "" if ours == name else f" here it is {ours}, and"
        return f'{text};{called} it was not generated: name it in load(..., functions=["{ours}", ...])'
    near = difflib.get_close_matches(name, known, 1)
    return text + (f"; did you mean {near[0]}?" if near else f"; its functions are {', '.join(known.get('functions', ()))}")


def attach(folder: str) -> Robot:
    """Loads what is in the folder of a cache entry."""
    robot = Robot()
    robot.library = os.path.join(folder, "robot.so")
    robot.sources = os.path.join(folder, "sources")
    _native.attach(robot, robot.library)
    add_kernels(robot)
    with open(os.path.join(folder, "report.txt"), encoding="utf-8", errors="replace") as file:
        robot.report = file.read()
    return robot
