"""What simulate() returns: arrays over time, as a file, as energies, as a picture."""

from __future__ import annotations

import csv
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from .robot import Robot

Path = Union[str, "os.PathLike[str]"]

#: What names of columns begin with, in this order.
_KINDS = ("t", "q", "v", "tau", "impulse", "status", "mode")
_STATUS = ("residual", "iterations", "verdict", "unique")


class Energy(NamedTuple):
    """By state [J]."""

    kinetic: np.ndarray
    potential: np.ndarray
    total: np.ndarray


def held_by(function: Any, held: Mapping[str, Any]) -> Dict[str, Any]:
    """What the function takes of inputs that stay. p is its `params` where an output is called p."""
    named = {**held, **({"params": held["p"]} if "p" in held else {})}
    return {name: named[name] for name in function.inputs if name in named}


class Log:
    """A simulation of N steps: N + 1 states, and what acted in each step.

    Attributes:
        t: (N + 1,) [s].
        q, v: (N + 1, nq) and (N + 1, nv).
        tau: (N, nv), of the steps that begin at these states.
        impulses: (N, contacts, 3), in world axes, on the robot [N s].
        status: (N, 4 + contacts): residual, iterations, verdict, unique, then the mode of each contact: 0 open, 1
            sticking, 2 sliding. No columns without contacts.
        columns: The names of the numbers of a step, as the first line of the file has them.
        contact_names: Those of --contacts.
    """

    def __init__(self, columns: Sequence[str], t: np.ndarray, q: np.ndarray, v: np.ndarray, tau: np.ndarray,
                 impulses: np.ndarray, status: np.ndarray, robot: Optional[Robot] = None,
                 held: Optional[Mapping[str, Any]] = None) -> None:
        self.columns, self.t, self.q, self.v, self.tau = list(columns), t, q, v, tau
        self.impulses, self.status, self._robot, self._held = impulses, status, robot, dict(held or {})
        self.contact_names = [name[5:] for name in self.columns if name.startswith("mode:")]

    @classmethod
    def empty(cls, robot: Robot, steps: int, dt: float, contact_names: Sequence[str], held: Mapping[str, Any]) -> Log:
        """Zeros, to be filled."""
        contacts = len(contact_names)
        return cls(_columns(robot, contact_names), dt * np.arange(steps + 1), np.zeros((steps + 1, robot.nq)),
                   np.zeros((steps + 1, robot.nv)), np.zeros((steps, robot.nv)), np.zeros((steps, contacts, 3)),
                   np.zeros((steps, 4 + contacts if contacts else 0)), robot, held)

    def __repr__(self) -> str:
        return f"<featherline.Log: {len(self.tau)} steps to t = {self.t[-1]:g}, {len(self.contact_names)} contacts>"

    def first(self, steps: int) -> Log:
        """The first steps alone."""
        return Log(self.columns, self.t[:steps + 1], self.q[:steps + 1], self.v[:steps + 1], self.tau[:steps],
                   self.impulses[:steps], self.status[:steps], self._robot, self._held)

    def save_csv(self, path: Path) -> None:
        """A line of names, then a line for each state, with every digit. `featherline inspect --trajectory` plays it.

        The last state has no step: its torques, impulses and status are empty.
        """
        states = np.column_stack([self.t, self.q, self.v])
        steps = np.column_stack([self.tau, self.impulses.reshape(len(self.tau), -1), self.status])
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(self.columns)
            for state, step in zip(states.tolist(), steps.tolist()):
                writer.writerow(state + step)
            writer.writerow(states[-1].tolist() + [""] * steps.shape[1])

    @classmethod
    def load_csv(cls, path: Path, robot: Optional[Robot] = None) -> Log:
        """What save_csv() wrote. With the robot, energy() and plot() work as before.

        Raises:
            ValueError: The file is not such a file, or that of another robot; the message has file and line.
        """
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        columns = rows[0] if rows else []
        kinds = [name.split(":")[0] for name in columns]
        sizes = [kinds.count(kind) for kind in _KINDS]
        if columns[:1] != ["t"] or kinds != [kind for kind, n in zip(_KINDS, sizes) for _ in range(n)] or len(rows) < 3:
            raise ValueError(f"{path}:1: this is no log of simulate(): it begins with a line of names, t first, and has a "
                             "line for each of two states at least")
        if robot is not None and columns != _columns(robot, [name[5:] for name in columns if name.startswith("mode:")]):
            raise ValueError(f"{path}:1: the columns are not those of {robot.name}; load the robot that the log is of")
        one, nq, nv, _, forces, *status = sizes
        states = _numbers(path, rows, len(rows), 0, one + nq + nv)
        steps = _numbers(path, rows, len(rows) - 1, one + nq + nv, len(columns))
        _, q, v = np.split(states, [one, one + nq], axis=1)
        tau, impulses, ends = np.split(steps, [nv, nv + forces], axis=1)
        return cls(columns, states[:, 0], q, v, tau, impulses.reshape(len(tau), forces // 3, 3), ends, robot)

    def energy(self) -> Energy:
        """Kinetic, potential and total energy of each state.

        Raises:
            ValueError: The robot is not known, or was loaded without kinetic_energy and potential_energy.
        """
        if self._robot is None:
            raise ValueError("energy(): the log does not know its robot; Log.load_csv(path, robot) tells it")
        missing = [name for name in ("kinetic_energy", "potential_energy") if name not in self._robot.functions]
        if missing:
            raise ValueError(f"energy(): {self._robot.name} was loaded without {' and '.join(missing)}; "
                             'load(..., functions=["kinetic_energy", "potential_energy", ...])')
        held = {"p": self._robot.parameter_defaults, **self._held}
        states = {name: np.broadcast_to(x, (len(self.t), *np.shape(x))) for name, x in held.items()}
        own = self._robot.kinetic_energy, self._robot.potential_energy
        kinetic = own[0](self.q, self.v, **held_by(own[0], states))
        potential = own[1](self.q, **held_by(own[1], states))
        return Energy(kinetic, potential, kinetic + potential)

    def plot(self) -> Any:
        """A figure of matplotlib: energies over time, and the force of the ground at each contact.

        Raises:
            ImportError: matplotlib is not there.
            ValueError: As energy().
        """
        energy = self.energy()
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plot(): matplotlib is missing; install it: pip install matplotlib, or apt-get install "
                              "python3-matplotlib") from None
        figure, axes = pyplot.subplots(2 if self.contact_names else 1, 1, sharex=True, squeeze=False, figsize=(8, 6))
        for name, values in zip(Energy._fields, energy):
            axes[0, 0].plot(self.t, values, label=name)
        axes[0, 0].set_ylabel("energy [J]")
        for k, name in enumerate(self.contact_names):
            forces = np.linalg.norm(self.impulses[:, k], axis=1) / np.diff(self.t)
            axes[1, 0].step(self.t[:-1], forces, where="post", label=name)
        if self.contact_names:
            axes[1, 0].set_ylabel("force of the ground [N]")
        for axis in axes[:, 0]:
            axis.legend(loc="upper right")
            axis.grid(alpha=0.3)
        axes[-1, 0].set_xlabel("t [s]")
        figure.tight_layout()
        return figure


def _columns(robot: Robot, contact_names: Sequence[str]) -> List[str]:
    def of_joints(letter: str, size: str) -> List[str]:
        return [name for joint in robot.joints for name in _entries(f"{letter}:{joint.name}", getattr(joint, size))]

    names = ["t", *of_joints("q", "nq"), *of_joints("v", "nv"), *of_joints("tau", "nv")]
    for contact in contact_names:
        names += _entries(f"impulse:{contact}", 3)
    if contact_names:
        names += [f"status:{name}" for name in _STATUS] + [f"mode:{name}" for name in contact_names]
    return names


def _entries(name: str, size: int) -> List[str]:
    return [name] if size == 1 else [f"{name}[{k}]" for k in range(size)]


def _numbers(path: Path, rows: List[List[str]], end: int, first: int, last: int) -> np.ndarray:
    """Cells of the lines behind the first, up to the line `end`."""
    values, width = np.empty((end - 1, last - first)), len(rows[0])
    for k in range(1, end):
        try:
            if len(rows[k]) != width:
                raise ValueError
            values[k - 1] = [float(cell) for cell in rows[k][first:last]]
        except ValueError:
            raise ValueError(f"{path}:{k + 1}: the line must have {width} numbers, one for each name of the first line") \
                from None
    return values
