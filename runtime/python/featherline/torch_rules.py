"""Which functions hold derivatives of others, for one robot."""

from __future__ import annotations

import keyword
from typing import Any, Dict, List, NamedTuple, Tuple

import numpy as np

from ._catalogue import COMPANIONS

#: What is generated with a function beside what with_derivatives adds.
MORE_FUNCTIONS = {"step": "step_vjp", "integrate": "integrate_derivatives"}

#: The inputs of a position, of nq numbers; derivatives by them have nv.
POSITIONS = ("q", "q0", "q1")

#: The parameters that no function with derivatives by p depends on.
OF_CONSTRAINTS = ("anchors", "stabilisation")


class Block(NamedTuple):
    """The matrix of derivatives of an output by an input: an array of another function."""

    output: str
    input: str
    function: str
    array: str


class Rule(NamedTuple):
    """Attributes:
    inputs: Those that there are derivatives by.
    blocks: All derivatives, as far as other functions have them.
    product: A function of the inputs and of a weight for each output; "" if there is none.
    hessian: Second derivatives of the weighted output by q and v.
    mixed: The derivative by q of the weighted output's derivative by the third input.
    renamed: What other functions call w.
    by_parameters: The function that holds derivatives by p, and its array; empty if it was not generated.
    missing: The function that would hold them, if it was not generated; "" if there is none.
    """

    inputs: Tuple[str, ...]
    blocks: Tuple[Block, ...] = ()
    product: str = ""
    hessian: str = ""
    mixed: str = ""
    renamed: str = ""
    by_parameters: Tuple[str, ...] = ()
    missing: str = ""

    def all_inputs(self) -> Tuple[str, ...]:
        return (*self.inputs, "p") if self.by_parameters else self.inputs


def rules_of(robot: Any) -> Dict[str, Rule]:
    """Those of the robot's functions that have derivatives."""
    found: Dict[str, Rule] = {}
    for name, (blocks, product, hessian, mixed, renamed, *by_parameters) in COMPANIONS.items():
        rows = tuple(Block(*(_in_python(word) for word in block)) for block in blocks)
        has_parameters = by_parameters[0] in robot.functions and _takes_parameters(name, robot)
        found[name] = Rule(tuple(dict.fromkeys(row.input for row in rows)), rows, product, hessian, mixed, renamed,
                           tuple(by_parameters) if has_parameters else (), "" if has_parameters else by_parameters[0])
    found["step"] = Rule(("q", "v", "tau"), product="step_vjp")
    found["integrate"] = Rule(("q", "dv"), tuple(Block("q_next", of, "integrate_derivatives", array)
                                                 for of, array in (("q", "dq"), ("dv", "ddv"))))
    return {name: rule for name, rule in found.items() if name in robot.functions and _holds(name, robot)
            and (rule.product in robot.functions or has_blocks(rule, robot))}


def more_functions(functions: Any, parameters: Any) -> List[str]:
    """What is generated with these, as load() takes them, beside what with_derivatives adds.

    What is in a group, only the generator knows."""
    names = _words(functions)
    more = [MORE_FUNCTIONS.get(name, "") for name in names]
    if any(word not in OF_CONSTRAINTS for word in _words(parameters)):
        more += [COMPANIONS[name][5] for name in names if name in COMPANIONS]
    return [name for name in dict.fromkeys(more) if name and name not in names]


def _words(given: Any) -> List[str]:
    """Of a string as on the command line, or of a sequence of strings. Of other things none: load() refuses them."""
    if isinstance(given, str):
        return [word.strip() for word in given.split(",") if word.strip()]
    if isinstance(given, (bytes, dict)) or not hasattr(given, "__iter__"):
        return []
    return [word for item in given for word in _words(item)]


def _takes_parameters(name: str, robot: Any) -> bool:
    return name in robot.functions and "p" in getattr(robot, name).inputs


def has_blocks(rule: Rule, robot: Any) -> bool:
    """Whether all matrices of derivatives were generated."""
    return bool(rule.blocks) and all(block.function in robot.functions for block in rule.blocks)


def _in_python(word: str) -> str:
    return word + "_" if keyword.iskeyword(word) else word


def _holds(name: str, robot: Any) -> bool:
    if name == "frame_poses":  # rows of frame_jacobians, and weights, are about the frames' origins in world axes
        return bool(robot.frame_axes == "local_world_aligned")
    if name != "gravity" or "rnea" not in robot.functions or robot.nv == 0:
        return True
    # Derivatives of rnea are those of gravity, too, but for robots with springs. These push at almost every position.
    if any(parameter.name.startswith("stiffness") for parameter in robot.parameters):
        return False
    dtype, inputs, q = robot.neutral.dtype, robot.rnea.inputs, np.array(robot.neutral)
    for number, joint in enumerate(robot.joints):
        if joint.type not in ("floating", "spherical", "planar"):
            q[joint.idx_q : joint.idx_q + joint.nq] += 0.1 + 0.03 * number
    zeros = [np.zeros(robot.nv, dtype)] * 2
    chosen = {"fext": np.zeros(inputs.get("fext", ()), dtype), "p": robot.parameter_defaults}
    more = {key: value for key, value in chosen.items() if key in inputs}
    own = {key: value for key, value in more.items() if key in robot.gravity.inputs}
    return bool(np.allclose(robot.gravity(q, **own), robot.rnea(q, *zeros, **more), rtol=1e-4, atol=1e-6))
