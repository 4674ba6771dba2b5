"""The robot that load() returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


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

    if TYPE_CHECKING:  # the functions, which type checkers cannot know

        def __getattr__(self, name: str) -> Any: ...
