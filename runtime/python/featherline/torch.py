"""Robots whose functions are differentiable operations of PyTorch.

    robot = featherline.torch.load("arm.urdf", functions=["rnea", "aba"])
    loss = (robot.rnea(q, v, a) - tau).pow(2).mean()
    loss.backward()
"""

from __future__ import annotations

import atexit
import functools
import re
from typing import Any, Dict, Tuple

try:
    import torch
except ImportError as error:
    raise ImportError(f"featherline.torch needs PyTorch, which cannot be imported here ({error}): install "
                      "python3-torch of Debian, or torch by pip", name=error.name) from error

from . import loading, robot as robots
from .torch_functions import Differentiable, without_derivatives
from .torch_positions import Positions
from .torch_rules import more_functions, rules_of


class Robot:
    """What featherline.Robot has, with functions of tensors.

    Functions take tensors of float64 or float32 in memory of the processor, or with load(..., device="cuda") on the
    GPU. Leading dimensions are broadcast against each other. `help(robot.aba)` says what they compute.

    Derivatives by q are those by its coordinates, each on its own, of the function at q / |q|, quaternion by
    quaternion: a position off the unit sphere is the one on it. To differentiate along the tangent, make a step dq the
    variable: `q = robot.integrate(q0, dq)`.

    Attributes:
        plain: The robot with functions of numpy arrays.
        neutral: A position, in float64.
        parameter_defaults: The input p of the robot as its file has it, in float64.
        differentiable: By function, the inputs that it has derivatives by.
    """

    def __init__(self, plain: robots.Robot) -> None:
        self.plain = plain
        self.neutral = torch.tensor(plain.__dict__["neutral"], dtype=torch.float64)
        self.parameter_defaults = torch.tensor(plain.__dict__["parameter_defaults"], dtype=torch.float64)
        rules = rules_of(plain)
        positions = Positions(plain)
        self.differentiable: Dict[str, Tuple[str, ...]] = {name: rule.all_inputs() for name, rule in rules.items()}
        for name in plain.__dict__["functions"]:
            function = getattr(plain, name)
            is_plain = re.search(r"\blink\b", function.__text_signature__) or \
                any(-1 in shape for shape in function.inputs.values())  # a number of steps that the call chooses
            made = without_derivatives(plain, function) if is_plain else Differentiable(plain, name, rules, positions)
            setattr(self, name, _no_tracing(made))

    def __getattr__(self, name: str) -> Any:
        if name == "plain":  # of a copy that is not complete yet
            raise AttributeError(name)
        return getattr(self.plain, name)

    def __repr__(self) -> str:
        return f"<featherline.torch.Robot {self.plain.name}: nq = {self.plain.nq}, nv = {self.plain.nv}>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Robot, (self.plain,))


def load(urdf: Any, *, scalar: Any = ("float64", "float32"), batch: bool = True, **options: Any) -> Robot:
    """As featherline.load(), whose keywords it takes; the functions are operations of PyTorch.

    First derivatives of `functions` are generated with them. Those by p, of rnea, bias, gravity and aba, are generated
    where these are named one by one. Where a group names them, or `functions` is left out, ask for the group that holds
    them, too: functions=["dynamics", "sensitivities"], parameters=["damping"].

    Name those that second derivatives need, such as functions=["aba", "aba_vector_hessian", "minv_vector_derivative"],
    or the group "second-order".
    """
    for keyword in ("functions", "parameters"):
        if hasattr(options.get(keyword), "__next__"):
            options[keyword] = list(options[keyword])  # it is read twice
    functions = options.get("functions")
    more = more_functions(functions, options.get("parameters"))
    if more:
        options["functions"] = [*([functions] if isinstance(functions, str) else functions), *more]
    options.setdefault("with_derivatives", True)
    return Robot(loading.load(urdf, scalar=scalar, batch=batch, **options))


@atexit.register
def _empty_queue() -> None:
    """After a backward pass that ended with an error, PyTorch 1.13 keeps what was left of it until the thread ends, and
    waits for the interpreter for ever if that has ended before. A pass without an error clears it."""
    torch.zeros(1, requires_grad=True).sum().backward()


def _no_tracing(function: Any) -> Any:
    """torch.compile calls it as it is: it cannot look into compiled code."""
    compiler = getattr(torch, "compiler", None)
    if not hasattr(compiler, "disable"):
        return function
    return functools.update_wrapper(compiler.disable(function), function)
