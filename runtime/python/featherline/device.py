"""Functions of a robot on the GPU: the kernels of NAME.ptx, for arrays of CuPy, PyTorch, JAX and other libraries."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .device_arrays import View, library_of, same_stream
from .errors import DeviceError
from .native import import_native

_native = import_native()


class Array(NamedTuple):
    """An array of a function. `by_speed`: its sides, those first that run faster in memory. A first side of -1 is the number
    of steps, which callers choose."""

    name: str
    is_output: bool
    sides: Tuple[int, ...]
    by_speed: Tuple[int, ...]

    def with_steps(self, steps: int) -> Array:
        return self._replace(sides=(steps, *self.sides[1:])) if self.sides[:1] == (-1,) else self

    @property
    def size(self) -> int:
        return math.prod(self.sides)

    def shape(self, count: Optional[int]) -> Tuple[int, ...]:
        return self.sides if count is None else (count, *self.sides)

    def strides(self, count: Optional[int], by_element: bool) -> Tuple[int, ...]:
        """In numbers. By element: entry k of all states, then entry k + 1 of all states."""
        strides = [0] * len(self.sides)
        stride = count if by_element and count is not None else 1
        for side in self.by_speed:
            strides[side] = stride
            stride *= self.sides[side]
        return tuple(strides) if count is None else (1 if by_element else self.size, *strides)

    def lies(self, seen: View, count: Optional[int], by_element: bool) -> bool:
        """Whether the numbers of an array of the right shape lie so."""
        strides = seen.strides if seen.strides is not None else _rows(seen.shape)
        wanted = self.strides(count, by_element)
        return all(side == 1 or a == b for side, a, b in zip(seen.shape, strides, wanted)) or 0 in seen.shape

    def order_in_memory(self, count: Optional[int], by_element: bool) -> List[int]:
        """The sides of Python's array, the slowest first."""
        slow_first = [side + (count is not None) for side in reversed(self.by_speed)]
        if count is not None:
            slow_first.insert(len(slow_first) if by_element else 0, 0)
        return slow_first


def _rows(shape: Tuple[int, ...]) -> Tuple[int, ...]:
    strides = [1] * len(shape)
    for k in range(len(shape) - 1, 0, -1):
        strides[k - 1] = strides[k] * shape[k]
    return tuple(strides)


def _arrays_of(function: Any) -> List[Array]:
    arrays = []
    for name, is_output, entries_first, sides in function._arrays:
        by_speed = list(range(len(sides)))
        arrays.append(Array(name, is_output, sides, tuple(by_speed[1:] + by_speed[:1] if entries_first else by_speed)))
    return arrays


class Arrays(NamedTuple):
    """The arrays of a function, whose name errors tell."""

    function: str
    inputs: List[Array]
    outputs: List[Array]

    def with_steps(self, steps: int) -> Arrays:
        return Arrays(self.function, [array.with_steps(steps) for array in self.inputs],
                      [array.with_steps(steps) for array in self.outputs])

    def refuse(self, what: str) -> ValueError:
        return ValueError(f"{self.function}: {what}")

    @property
    def sizes(self) -> List[int]:
        return [array.size for array in (*self.inputs, *self.outputs)]

    def steps(self, seen: List[View]) -> int:
        """Of a rollout, whose first array with a side of steps says it; else 1."""
        for array, one in zip(self.inputs, seen):
            if array.sides[:1] == (-1,) and len(one.shape) >= len(array.sides):
                return one.shape[-len(array.sides)]
        return 1

    def scalar(self, seen: Sequence[View]) -> str:
        for array, one in zip(self.inputs, seen):
            if one.scalar not in ("float", "double"):
                raise self.refuse(f"{array.name} has the type {one.scalar}; expected float32 or float64")
            if one.scalar != seen[0].scalar:
                raise self.refuse(f"{array.name} is {_numpy(one.scalar)}, and {self.inputs[0].name} is "
                                  f"{_numpy(seen[0].scalar)}; give all arrays of a call in one type")
        return seen[0].scalar

    def states(self, seen: Sequence[View]) -> Optional[int]:
        """How many states; None for one without a dimension for it."""
        array, one = self.inputs[0], seen[0]
        count = None if len(one.shape) == len(array.sides) else one.shape[0]
        for array, one in zip(self.inputs, seen):
            if one.shape != array.shape(count):
                raise self.refuse(f"{array.name} has the shape {one.shape}; expected "
                                  f"{array.sides}, or {_many(array.sides)} for many states, with "
                                  f"the same count as {self.inputs[0].name}; on the GPU every state has all its inputs")
        return count

    def check_output(self, array: Array, one: View, scalar: str, count: Optional[int]) -> None:
        if one.is_read_only:
            raise self.refuse(f"out for {array.name} is read-only")
        if one.scalar != scalar or one.shape != array.shape(count):
            raise self.refuse(f"out for {array.name} is {_numpy(one.scalar)} of the shape {one.shape}; expected "
                              f"{_numpy(scalar)} of the shape {array.shape(count)}")

    def layout(self, seen: Sequence[View], results: Sequence[Optional[View]], count: Optional[int]) -> bool:
        """Whether all lie by element. Arrays that lie otherwise would have to be copied."""
        pairs = [(array, one) for array, one in zip([*self.inputs, *self.outputs], [*seen, *results]) if one is not None]
        others = {}
        for by_element in (False, True):
            wrong = [(array, one) for array, one in pairs if not array.lies(one, count, by_element)]
            if not wrong:
                return by_element
            others[by_element] = wrong
        by_element = len(others[True]) < len(others[False])
        array, one = others[by_element][0]
        raise self.refuse(
            f"{array.name} has the strides {one.strides or _rows(one.shape)}, in numbers; expected "
            f"{array.strides(count, by_element)}. On the GPU all arrays of a call lie state by state, or all of them element "
            "by element, as the transpose of an array (n, count); matrices lie column by column. Nothing is copied without "
            "being asked for")


class Plan(NamedTuple):
    """What a call does for inputs of these types, shapes and strides.

    Attributes:
        kernels: One after the other, each with the names of its arrays.
        sizes: Numbers of a state in each array.
        turns: Whether rows go through the layout by element.
        shapes, orders: Of each result: the shape that is asked of the library, which has the slowest side first, and how the
            sides are permuted then; None: not at all.
    """

    kernels: List[Tuple[str, Tuple[str, ...]]]
    count: int
    steps: int
    scalar: str
    sizes: List[int]
    turns: bool
    shapes: List[Tuple[int, ...]]
    orders: List[Optional[Tuple[int, ...]]]


#: Kept for each function: a call with arrays as before takes half the time.
_most_plans = 64

#: Rows of fewer bytes are written as fast through the cache of the device: hyq's aba_derivatives in double takes 64 ns a
#: state directly and 95 by way of elements where there are 34 MB, and 35 and 27 where there are 134 (H200).
_cached_bytes = 100 << 20
#: What a call asks for at most to have its rows by element.
_most_bytes = 256 << 20


class Kernels:
    """The PTX of a robot, read when a function first needs it."""

    def __init__(self, ptx: str, name: str, robot: str) -> None:
        self.name = name
        self._ptx, self._robot, self._module = ptx, robot, None

    def launch(self, kernel: str, count: int, steps: int, names: Tuple[str, ...], addresses: Tuple[int, ...],
               stream: int) -> None:
        if self._module is None:
            with open(self._ptx, "rb") as file:
                self._module = _native.cuda_module(file.read(), self._robot)
        _check(_native.cuda_launch(self._module, kernel, count, steps, names, addresses, stream))


def _check(problem: Optional[str]) -> None:
    if problem is not None:
        raise DeviceError(problem)


class Function:
    """A function of a robot. Arrays of the GPU go to its kernel, all others to the function of the processor."""

    on_device = True

    def __init__(self, host: Any, kernels: Kernels, predicted: Optional[Dict[str, Any]]) -> None:
        """`predicted`: what the manifest has of the function on devices; None: it has no kernel."""
        arrays = _arrays_of(host)
        self._own = Arrays(host.__name__, [array for array in arrays if not array.is_output],
                           [array for array in arrays if array.is_output])
        self._refuse = self._own.refuse
        self._host, self._kernels, self._predicted = host, kernels, predicted
        self._names = tuple(array.name for array in arrays)
        self._plans: Dict[Tuple[Any, ...], Plan] = {}
        self.__name__ = self.__qualname__ = host.__name__
        self.__doc__ = host.__doc__
        self.__signature__ = host.__signature__

    def __getattr__(self, name: str) -> Any:
        """What else the function of the processor has, such as its shapes."""
        if name == "_host":  # of an object that is not made yet
            raise AttributeError(name)
        return getattr(self._host, name)

    def __repr__(self) -> str:
        return f"{repr(self._host)[:-1]}, and on the GPU>"

    def __call__(self, *values: Any, out: Any = None, **named: Any) -> Any:
        for value in (*values, *named.values()):
            library = library_of(value)
            if library.is_on_device(value):
                break
        else:
            return self._host(*values, **named) if out is None else self._host(*values, out=out, **named)
        return self._run(self._sorted(values, named), out)

    def _sorted(self, values: Sequence[Any], named: Dict[str, Any]) -> List[Any]:
        """The inputs in order."""
        if self._predicted is None:
            takes_link = "link" in str(self._host.__text_signature__)
            raise self._refuse("functions that take a link have no kernel; name the links as frames=[...], and call "
                               "frame_poses or frame_jacobians, or give arrays of the processor" if takes_link else
                               "it has no kernel, since it calls routines of the processor; give arrays of the processor")
        if "threads" in named:
            raise self._refuse("threads are those of the processor; leave them out for arrays of the GPU")
        names = [array.name for array in self._own.inputs]
        by_name = dict(zip(names, values))
        if len(values) > len(names) or set(named) - set(names) or set(named) & set(by_name):
            raise TypeError(f"{self.__name__}{self.__signature__} does not take these arguments")
        by_name.update(named)
        missing = [name for name in names if name not in by_name]
        if missing:
            raise TypeError(f"{self.__name__}: {missing[0]} is missing; expected {self.__name__}{self.__signature__}")
        return [by_name[name] for name in names]

    def _run(self, inputs: List[Any], out: Any) -> Any:
        library = library_of(inputs[0])
        if library.ready is not None:
            library.ready((inputs, out))
        given = self._given(out)
        seen = [self._see(array, value) for array, value in zip(self._own.inputs, inputs)]
        seen_given = [None if value is None else self._see(array, value) for array, value in zip(self._own.outputs, given)]
        plan = self._plan(seen, seen_given)

        def empty(shape: Tuple[int, ...]) -> Any:
            new = library.empty(shape, inputs[0])
            return new if library.ready is None else library.ready(new)

        made = [empty(shape) if value is None else value for shape, value in zip(plan.shapes, given)]
        if plan.count != 0 and any(0 not in shape for shape in plan.shapes):
            seen += [library.view(value) if one is None else one for one, value in zip(seen_given, made)]
            stream = library.stream(inputs[0], seen[0])
            if out is not None:
                self._keep_apart(seen)
            kept = self._launch(plan, stream, seen, empty)
            if library.ready is not None:
                _check(_native.cuda_wait(stream, seen[0].address))
            del kept  # what is launched on the stream needs it
        results = [value if order is None or one is not None else library.permute(value, order)
                   for value, order, one in zip(made, plan.orders, seen_given)]
        return results[0] if len(results) == 1 else self._host._results_type(*results)

    def _plan(self, seen: List[View], given: List[Optional[View]]) -> Plan:
        """It depends on types, shapes and strides alone."""
        key = tuple(None if one is None else (one.scalar, one.shape, one.strides, one.is_read_only) for one in (*seen, *given))
        plan = self._plans.get(key)
        if plan is None:
            if len(self._plans) >= _most_plans:
                self._plans.clear()
            steps = self._own.steps(seen)
            plan = self._plans[key] = self._new_plan(self._own.with_steps(steps), seen, given, steps)
        return plan

    def _new_plan(self, own: Arrays, seen: List[View], given: List[Optional[View]], steps: int) -> Plan:
        scalar, count = own.scalar(seen), own.states(seen)
        for array, one in zip(own.outputs, given):
            if one is not None:
                own.check_output(array, one, scalar, count)
            elif self.__name__.endswith("_nonzeros"):
                raise self._refuse(f"it leaves zeros as they are; give arrays that have them as out=, or call "
                                   f"{self.__name__[:-len('_nonzeros')]}")
        by_element = own.layout(seen, given, count)
        shapes, orders = [], []
        for array in own.outputs:
            slow_first, shape = array.order_in_memory(count, by_element), array.shape(count)
            shapes.append(tuple(shape[side] for side in slow_first))
            order = tuple(slow_first.index(side) for side in range(len(shape)))
            orders.append(None if order == tuple(range(len(order))) else order)
        turns = not by_element and count is not None and self._rows_are_slow(scalar, count * sum(own.sizes) * _bytes_of[scalar])
        kernels = self._kernels_of(scalar, by_element or turns)
        return Plan(kernels, 1 if count is None else count, steps, scalar, own.sizes, turns, shapes, orders)

    def _kernels_of(self, scalar: str, by_element: bool) -> List[Tuple[str, Tuple[str, ...]]]:
        in_turn = self._predicted.get(scalar, {}).get("in_turn") if by_element else None
        parts = [(self.__name__, self._names)] if in_turn is None else [
            (part["kernel"], (*part["inputs"], *part["outputs"])) for part in in_turn]
        layout = "soa_" if by_element else ""
        return [(f"{self._kernels.name}_cuda_{layout}{name}_{scalar}", names) for name, names in parts]

    def _rows_are_slow(self, scalar: str, size: int) -> bool:
        """Whether each thread would read and write a row of its own, of more rows than the cache holds."""
        predicted = self._predicted.get(scalar, {})
        return (predicted.get("predicted_ns_in_rows", 0) > predicted.get("predicted_ns", 0) and size > _cached_bytes
                and not self.__name__.endswith("_nonzeros"))

    def _launch(self, plan: Plan, stream: int, seen: List[View], empty: Any) -> Any:
        """Returns what may not be given back before the stream is done."""
        for one in seen:
            if one.stream is not None and not same_stream(one.stream, stream):
                _check(_native.cuda_order(one.stream, stream, one.address))
        addresses = tuple([one.address or seen[0].address for one in seen])  # no forces where there are no steps
        if plan.turns:
            return self._launch_by_element(plan, stream, addresses, empty)
        return self._launch_kernels(plan, plan.count, stream, addresses)

    def _launch_kernels(self, plan: Plan, count: int, stream: int, addresses: Tuple[int, ...]) -> None:
        at = dict(zip(self._names, addresses))
        for kernel, names in plan.kernels:
            self._kernels.launch(kernel, count, plan.steps, names, tuple([at[name] for name in names]), stream)

    def _launch_by_element(self, plan: Plan, stream: int, addresses: Tuple[int, ...], empty: Any) -> Any:
        """Some states after the others: their rows by element, the kernel, its results as rows."""
        item, most = _bytes_of[plan.scalar], min(plan.count, max(1, _most_bytes // (sum(plan.sizes) * _bytes_of[plan.scalar])))
        kept = [empty((size * most,)) for size in plan.sizes]
        columns = tuple([library_of(one).view(one).address for one in kept])

        def turn(to: str, k: int, ends: Tuple[int, int], count: int) -> None:
            self._kernels.launch(f"{self._kernels.name}_cuda_to_{to}_{plan.scalar}", count, plan.sizes[k],
                                 (self._names[k], self._names[k]), ends, stream)

        for first in range(0, plan.count, most):
            count = min(most, plan.count - first)
            rows = [address + first * size * item for address, size in zip(addresses, plan.sizes)]
            for k in (k for k in range(len(self._own.inputs)) if plan.sizes[k] != 0):
                turn("elements", k, (rows[k], columns[k]), count)
            self._launch_kernels(plan, count, stream, columns)
            for k in range(len(self._own.inputs), len(rows)):
                turn("rows", k, (columns[k], rows[k]), count)
        return kept

    def _see(self, array: Array, value: Any) -> View:
        library = library_of(value)
        if not library.is_on_device(value):
            if not array.sides and isinstance(value, (int, float)):
                raise self._refuse(f"{array.name} is a number, and other arguments are on the GPU, where each state has its "
                                   "own; give an array of the shape (count,) there, or () for one state")
            raise self._refuse(f"{array.name} is {type(value).__module__}.{type(value).__name__}, which is not on the GPU, and "
                               "other arguments are; move all arrays of a call to one side")
        try:
            return library.view(value)
        except ValueError as error:
            raise self._refuse(f"{array.name} {error}") from None

    def _given(self, out: Any) -> List[Any]:
        if out is None:
            return [None] * len(self._own.outputs)
        if len(self._own.outputs) == 1:
            return [out]
        if not isinstance(out, (tuple, list)) or len(out) != len(self._own.outputs):
            raise self._refuse(f"out is a {type(out).__name__}; expected a tuple of {len(self._own.outputs)} arrays, or None for "
                               "those to be made")
        return list(out)

    def _keep_apart(self, seen: Sequence[View]) -> None:
        """A kernel may write a result before it has read all inputs."""
        ranges = [(one.address, one.address + one.bytes) for one in seen]
        for k in range(len(self._own.inputs), len(seen)):
            first, end = ranges[k]
            for i in range(k):
                if ranges[i][0] < end and first < ranges[i][1]:
                    raise self._refuse(f"{self._names[i]} and out for {self._names[k]} share memory; give an array of its own")


_bytes_of = {"float": 4, "double": 8}


def _numpy(scalar: str) -> str:
    return {"float": "float32", "double": "float64"}.get(scalar, scalar)


def _many(sides: Tuple[int, ...]) -> str:
    return f"({', '.join(['count', *map(str, sides)])}{'' if sides else ','})"


def add_kernels(robot: Any) -> None:
    """Gives functions for arrays of the GPU to a robot that has a NAME.ptx among its sources."""
    ptx = os.path.join(robot.sources, f"{robot.name}.ptx")
    if not os.path.exists(ptx):
        return
    with open(os.path.join(robot.sources, f"{robot.name}.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    kernels = Kernels(ptx, robot.name, manifest["ptx"]["robot"])
    for name in robot.functions:
        host = getattr(robot, name)
        facts = manifest["functions"].get(name.replace("_nonzeros", ""), {})
        setattr(robot, name, Function(host, kernels, facts.get("device")))
