"""The robot that load() returns."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Tuple

from .native import import_native

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

    def __repr__(self) -> str:
        if "nv" not in self.__dict__:
            return "<featherline.Robot>"
        return f"<featherline.Robot {self.name}: nq = {self.nq}, nv = {self.nv}>"

    def __reduce__(self) -> Tuple[Callable[[str], Robot], Tuple[str]]:
        """For processes of the same machine: a copy is loaded from the same library."""
        return (attach, (os.path.dirname(self.library),))

    if TYPE_CHECKING:  # the functions, which type checkers cannot know

        def __getattr__(self, name: str) -> Any: ...


def attach(folder: str) -> Robot:
    """Loads what is in the folder of a cache entry."""
    robot = Robot()
    robot.library = os.path.join(folder, "robot.so")
    robot.sources = os.path.join(folder, "sources")
    _native.attach(robot, robot.library)
    with open(os.path.join(folder, "report.txt"), encoding="utf-8", errors="replace") as file:
        robot.report = file.read()
    return robot
