"""Functions of a robot as operations of PyTorch, with derivatives by other functions of the robot.

A backward pass runs the function that holds the derivatives: the product of weights with them where there is one, else their
matrices. A second backward pass runs those that hold second derivatives. There is no third.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch

from .torch_positions import Positions
from .torch_rules import POSITIONS, Rule, has_blocks

Tensor = torch.Tensor


#: Of a thread: fewer take less time than it takes to start one.
_LEAST_STATES = 512


def run(function: Any, *inputs: Tensor) -> Tuple[Tensor, ...]:
    """Calls a function of arrays with tensors of one state, or of many. Quaternions have to be unit."""
    if inputs[0].is_cuda:  # by a kernel, on the current stream, where all tensors lie state by state
        results = function(*(tensor.detach().contiguous() for tensor in inputs))
        return results if isinstance(results, tuple) else (results,)
    count = inputs[0].shape[0] if inputs[0].dim() > 1 else 1
    threads = max(1, min(torch.get_num_threads(), count // _LEAST_STATES))
    results = function(*(tensor.detach().numpy() for tensor in inputs), threads=threads)
    return tuple(torch.as_tensor(result) for result in (results if isinstance(results, tuple) else (results,)))


def without_derivatives(robot: Any, function: Any) -> Any:
    """A function for tensors of what numpy's takes: of a link that is named in the call, or of any number of steps."""

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        tensors = [x for x in (*given, *named.values()) if isinstance(x, Tensor)]
        if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
            other = "step has some" if "tau" in function.inputs else \
                "frame_poses and frame_velocities have some: load(..., frames=[...])"
            raise RuntimeError(f"{function.__name__} of {robot.name} has no derivatives here; {other}. Or detach its "
                               "arguments")
        results = function(*map(_as_array, given), **{name: _as_array(x) for name, x in named.items()})
        if isinstance(results, tuple):
            return type(results)._make(map(torch.as_tensor, results))
        return torch.as_tensor(results)

    return call


def _as_array(x: Any) -> Any:
    return x.detach().cpu().numpy() if isinstance(x, Tensor) else x


class Differentiable:
    """A function that takes and returns tensors."""

    def __init__(self, robot: Any, name: str, rules: Dict[str, Rule], positions: Positions) -> None:
        self.robot, self.function, self.positions = robot, getattr(robot, name), positions
        self.rule: Optional[Rule] = rules.get(name)
        self.inputs: Dict[str, Tuple[int, ...]] = self.function.inputs
        self.outputs: Dict[str, Tuple[int, ...]] = self.function.outputs
        self.__name__ = self.__qualname__ = name
        self.__doc__ = self.function.__doc__
        self.known = ", ".join(rules)
        #: The function that this one holds a product of; None for all others.
        self.product_of: Optional[Differentiable] = None
        for other, rule in rules.items():
            if rule.product == name and other in ("rnea", "aba", "frame_poses") and len(rule.inputs) == len(self.outputs):
                self.product_of = Differentiable(robot, other, rules, positions)

    def __repr__(self) -> str:
        return f"<{self.__name__} of {self.robot.name}, for tensors>"

    def __call__(self, *given: Any, **named: Any) -> Any:
        tensors = self._checked(self._sorted(given, named))
        leads = [x.shape[: x.dim() - len(shape)] for x, shape in zip(tensors, self.inputs.values())]
        lead = self._lead(leads)
        flat = [self._flat(x, own, lead, shape) for x, own, shape in zip(tensors, leads, self.inputs.values())]
        if self.product_of is not None:
            by_name = dict(zip(self.inputs, flat))  # the inputs of the other function, then the weights
            own = [by_name.pop(name) for name in self.product_of.inputs]
            results = _Product.apply(self.product_of, None, *own, *by_name.values())
        else:
            results = _Call.apply(self, *flat)
        results = results if isinstance(results, tuple) else (results,)
        if len(lead) > 1:
            results = tuple(x.reshape(lead + x.shape[1:]) for x in results)
        kind = self.function._results_type
        return results[0] if kind is None else kind._make(results)

    def _sorted(self, given: Sequence[Any], named: Dict[str, Any]) -> List[Any]:
        names = list(self.inputs)
        if len(given) > len(names):
            raise TypeError(f"{self.__name__}: {len(given)} arguments are given; expected {', '.join(names)}")
        values = dict(zip(names, given))
        for name, value in named.items():
            if name not in names or name in values:
                what = "is given twice" if name in values else "is no argument"
                raise TypeError(f"{self.__name__}: {name} {what}; expected {', '.join(names)}")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(f"{self.__name__}: {', '.join(missing)} is missing; expected {', '.join(names)}")
        return [values[name] for name in names]

    def _checked(self, values: List[Any]) -> List[Tensor]:
        known = [x.dtype for x in values if isinstance(x, Tensor)]
        dtype = known[0] if known else None
        place = next((x.device for x in values if isinstance(x, Tensor)), torch.device("cpu"))
        if not (place.type == "cuda" and hasattr(self.function, "on_device")):
            place = torch.device("cpu")
        for k, (name, shape) in enumerate(self.inputs.items()):
            x = values[k]
            if isinstance(x, (int, float)) and not isinstance(x, bool) and shape == () and dtype is not None:
                x = values[k] = torch.tensor(x, dtype=dtype, device=place)
            if not isinstance(x, Tensor):
                raise ValueError(f"{self.__name__}: {name} is a {type(x).__name__}; expected a tensor")
            if x.device != place:
                expected = f"memory of the processor: {name}.cpu()" if place.type == "cpu" else \
                    f"{place}, as for other arguments: {name}.to({str(place)!r})"
                raise ValueError(f"{self.__name__}: {name} is on device {x.device}; expected {expected}")
            if x.layout is not torch.strided:
                raise ValueError(f"{self.__name__}: {name} has layout {x.layout}; expected a dense tensor: "
                                 f"{name}.to_dense()")
            scalars = [getattr(torch, scalar) for scalar in self.function.scalars]
            if x.dtype != dtype or dtype not in scalars:
                expected = " or ".join(map(str, scalars)) + ", the same for all arguments"
                hint = "" if x.dtype not in (torch.float64, torch.float32) or x.dtype in scalars else \
                    '; load(..., scalar=["float64", "float32"]) generates both'
                raise ValueError(f"{self.__name__}: {name} has {x.dtype}; expected {expected}{hint}")
            if x.shape[max(0, x.dim() - len(shape)) :] != shape:
                expected = ", ".join(["...", *map(str, shape)])
                raise ValueError(f"{self.__name__}: {name} has shape {tuple(x.shape)}; expected ({expected})")
        return values

    def _lead(self, leads: List[torch.Size]) -> torch.Size:
        try:
            return torch.broadcast_shapes(*leads)
        except RuntimeError:
            shapes = ", ".join(f"{tuple(lead)} of {name}" for lead, name in zip(leads, self.inputs))
            raise ValueError(f"{self.__name__}: leading dimensions do not fit: {shapes}") from None

    @staticmethod
    def _flat(x: Tensor, own: torch.Size, lead: torch.Size, shape: Tuple[int, ...]) -> Tensor:
        if own != lead:
            x = x.expand(lead + torch.Size(shape))
        return x if len(lead) < 2 else x.reshape((math.prod(lead), *shape))

    # what the passes below are made of

    def meant(self, inputs: Sequence[Tensor]) -> List[Tensor]:
        """With unit quaternions."""
        return [self.positions.unit(x) if name in POSITIONS else x for x, name in zip(inputs, self.inputs)]

    def has(self, name: str) -> bool:
        return name != "" and name in self.robot.functions

    def other(self, name: str, inputs: Sequence[Tensor], **more: Tensor) -> Any:
        """Results of another function: what is not given is zero there."""
        function, rule = getattr(self.robot, name), self.rule
        values = dict(zip(self.inputs, inputs), **more)
        if rule is not None and rule.renamed and "w" in function.inputs:
            values["w"] = values[rule.renamed]
        lead = inputs[0].shape[: inputs[0].dim() - 1]
        return run(function, *(values[key] if key in values else inputs[0].new_zeros(lead + torch.Size(shape))
                               for key, shape in function.inputs.items()))

    def matrix(self, name: str, array: str, inputs: Sequence[Tensor], **more: Tensor) -> Tensor:
        outputs = list(getattr(self.robot, name).outputs)
        found: Tensor = self.other(name, inputs, **more)[outputs.index(array)]
        return found

    def jacobians(self, inputs: Sequence[Tensor]) -> Dict[Tuple[str, str], Tensor]:
        """By output and input: rows x nv, or nv for an output that is one number."""
        assert self.rule is not None
        results: Dict[str, Tuple[Tensor, ...]] = {}
        found: Dict[Tuple[str, str], Tensor] = {}
        for block in self.rule.blocks:
            if block.function not in results:
                results[block.function] = self.other(block.function, inputs)
            names = list(getattr(self.robot, block.function).outputs)
            found[block.output, block.input] = results[block.function][names.index(block.array)]
        return found

    def refusal(self, what: str) -> RuntimeError:
        return RuntimeError(f"{self.__name__} of {self.robot.name} has no {what}")


class _Call(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, f: Differentiable, *inputs: Tensor) -> Any:
        ctx.f, ctx.meant = f, [x.detach() for x in f.meant(inputs)]
        outputs = run(f.function, *ctx.meant)
        ctx.save_for_backward(*inputs, *outputs)
        return outputs if len(outputs) > 1 else outputs[0]

    @staticmethod
    def backward(ctx: Any, *weights: Tensor) -> Any:
        f: Differentiable = ctx.f
        inputs, outputs = ctx.saved_tensors[: len(f.inputs)], ctx.saved_tensors[len(f.inputs) :]
        _refuse_others(f, ctx.needs_input_grad[1:])
        weights = tuple(f.positions.along_steps(y, w) if name == "q_next" else w
                        for name, y, w in zip(f.outputs, outputs, weights))
        assert f.rule is not None
        needed = [name for name, is_needed in zip(f.inputs, ctx.needs_input_grad[1:]) if is_needed]
        by_input: Dict[str, Tensor] = {}
        if needed != ["p"]:
            results = _Product.apply(f, ctx.meant, *inputs, *weights)
            by_input.update(zip(f.rule.inputs, results if isinstance(results, tuple) else (results,)))
        if "p" in needed:
            by_input["p"] = _ByParameters.apply(f, ctx.meant, *inputs, *weights)
        return (None, *(_by_input(f, name, x, by_input) if needed else None
                        for name, x, needed in zip(f.inputs, inputs, ctx.needs_input_grad[1:])))


def _by_input(f: Differentiable, name: str, x: Tensor, found: Dict[str, Tensor]) -> Tensor:
    return f.positions.by_coordinates(x, found[name]) if name in POSITIONS else found[name]


def _refuse_others(f: Differentiable, needed: Sequence[bool]) -> None:
    """Raises the error for derivatives that do not exist."""
    if f.rule is None:
        raise f.refusal(f"derivatives here; functions that have some: {f.known}. Others may need more functions: "
                        "load(..., functions=[...])")
    for name, is_needed in zip(f.inputs, needed):
        if is_needed and name == "p" and f.rule.missing:
            raise f.refusal(f"derivatives by p here: load(..., functions=[..., {f.rule.missing!r}])")
        if is_needed and name not in f.rule.all_inputs():
            raise f.refusal(f"derivative by {name}; it has those by {', '.join(f.rule.all_inputs())}. Detach {name}")


class _Product(torch.autograd.Function):
    """Weights of the outputs times derivatives: along steps, for each input that there are derivatives by."""

    @staticmethod
    def forward(ctx: Any, f: Differentiable, meant: Optional[List[Tensor]], *inputs_and_weights: Tensor) -> Any:
        ctx.f = f
        ctx.save_for_backward(*inputs_and_weights)
        inputs, weights = inputs_and_weights[: len(f.inputs)], inputs_and_weights[len(f.inputs) :]
        inputs = f.meant(inputs) if meant is None else meant
        assert f.rule is not None
        if f.has(f.rule.product):
            function = getattr(f.robot, f.rule.product)
            names = [name for name in function.inputs if name not in f.inputs and name not in _ZEROS]
            joined = (torch.cat(weights, -1),) if len(names) < len(weights) else weights
            results: Any = f.other(f.rule.product, inputs, **dict(zip(names, joined)))[: len(f.rule.inputs)]
        else:
            results = _products(f, inputs, weights)
        return tuple(results) if len(results) > 1 else results[0]

    @staticmethod
    def backward(ctx: Any, *changes: Tensor) -> Any:
        f: Differentiable = ctx.f
        saved = ctx.saved_tensors
        inputs, weights = saved[: len(f.inputs)], saved[len(f.inputs) :]
        needed = ctx.needs_input_grad[2:]
        of_inputs, of_weights = needed[: len(inputs)], needed[len(inputs) :]
        if any(is_needed and name == "p" for name, is_needed in zip(f.inputs, of_inputs)):
            raise f.refusal("second derivatives by p. Detach p")
        _refuse_others(f, of_inputs)
        with torch.no_grad():
            unit = f.meant(inputs)
            found = _second(f, unit, weights[0], changes) if any(of_inputs) else {}
            first = _changes_of_outputs(f, unit, changes) if any(of_weights) else [None] * len(weights)
            results = [_by_input(f, name, x, found) if is_needed else None
                       for name, x, is_needed in zip(f.inputs, inputs, of_inputs)] + first
        return (None, None, *(None if x is None else _Last.apply(f, x, *saved, *changes) for x in results))


class _ByParameters(torch.autograd.Function):
    """Weights of the output times derivatives by p."""

    @staticmethod
    def forward(ctx: Any, f: Differentiable, meant: List[Tensor], *inputs_and_weights: Tensor) -> Tensor:
        assert f.rule is not None
        ctx.f = f
        return _times(f.matrix(*f.rule.by_parameters, meant).transpose(-1, -2), inputs_and_weights[-1])

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> Any:
        raise ctx.f.refusal("second derivatives by p. Detach p")


#: Inputs of products that are zero where the function has none of the name: bias is rnea with a = 0.
_ZEROS = ("v", "a")


def _times(matrix: Tensor, x: Tensor) -> Tensor:
    return torch.matmul(matrix, x.unsqueeze(-1)).squeeze(-1)


def _products(f: Differentiable, inputs: Sequence[Tensor], weights: Sequence[Tensor]) -> List[Tensor]:
    """By the matrices."""
    jacobians = f.jacobians(inputs)
    results: Dict[str, Tensor] = {}
    assert f.rule is not None
    for output, w in zip(f.outputs, weights):
        for name in f.rule.inputs:
            J = jacobians.get((output, name))
            if J is None:
                continue
            part = w.unsqueeze(-1) * J if f.outputs[output] == () else _times(J.transpose(-1, -2), w)
            results[name] = results[name] + part if name in results else part
    return [results[name] for name in f.rule.inputs]


def _changes_of_outputs(f: Differentiable, inputs: Sequence[Tensor], changes: Sequence[Tensor]) -> List[Optional[Tensor]]:
    """Derivatives times changes of the inputs, for each output."""
    assert f.rule is not None
    if not has_blocks(f.rule, f.robot):
        raise f.refusal("matrices of first derivatives, which its second derivative needs")
    jacobians = f.jacobians(inputs)
    results: List[Optional[Tensor]] = []
    for output, shape in f.outputs.items():
        parts = [(jacobians[output, name] * c).sum(-1) if shape == () else _times(jacobians[output, name], c)
                 for name, c in zip(f.rule.inputs, changes) if (output, name) in jacobians]
        results.append(sum(parts[1:], parts[0]))
    return results


def _second(f: Differentiable, inputs: Sequence[Tensor], w: Tensor, changes: Sequence[Tensor]) -> Dict[str, Tensor]:
    """Derivatives of the products, weighted by changes of the inputs."""
    rule = f.rule
    assert rule is not None
    wanted = [name for name in (rule.hessian, rule.mixed) if name]
    missing = [name for name in wanted if not f.has(name)]
    if missing:
        raise f.refusal(f"second derivatives here: load(..., functions=[..., {', '.join(map(repr, missing))}])")
    if not wanted:
        raise f.refusal("second derivatives; rnea, bias and aba have them")
    n = f.robot.nv
    H = f.other(rule.hessian, inputs, w=w)[0]
    both = _times(H.transpose(-1, -2), torch.cat(list(changes[:2]), -1))
    results = {"q": both[..., :n], "v": both[..., n:]}
    if rule.mixed:
        D = f.other(rule.mixed, inputs, w=w)[0]
        results["q"] = results["q"] + _times(D.transpose(-1, -2), changes[2])
        results[rule.inputs[2]] = _times(D, changes[0])
    return results


class _Last(torch.autograd.Function):
    """Says that there are no further derivatives."""

    @staticmethod
    def forward(ctx: Any, f: Differentiable, result: Tensor, *_: Tensor) -> Tensor:
        ctx.f = f
        return result.view_as(result)

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> Any:
        raise ctx.f.refusal("third derivatives")
