"""simulate(): a robot over time, step by step."""

from __future__ import annotations

import difflib
import json
import os
import time
import warnings
from functools import partial
from typing import Any, Callable, List, NamedTuple, Optional, Union

import numpy as np

from .errors import FeatherlineWarning
from .ground import Ground, ground_of
from .log import Log, held_by
from .progress import Progress
from .robot import Robot

#: (t, q, v) -> tau
Controller = Callable[[float, np.ndarray, np.ndarray], Any]


def simulate(robot: Robot, q0: Any, v0: Any, duration: float, dt: float, controller: Optional[Controller] = None,
             ground: Union[None, float, Ground] = None, *, friction: Any = 0.8, restitution: Any = 0.0,
             creep: Optional[bool] = None, progress: Optional[bool] = None, **held: Any) -> Log:
    """Simulates a robot by its `contact_step`, or by its `step` if it was loaded without contacts.

        robot = featherline.load("quadruped.urdf", base="floating", contacts=["left_foot", "right_foot"],
                                 functions=["contact_step", "forward_kinematics", "frame_jacobian", "integrate"])
        gains = np.r_[np.zeros(6), np.full(robot.nv - 6, 5.0)]  # the first six torques would push the base
        log = featherline.simulate(robot, q0, v0, duration=2.0, dt=1e-3, controller=lambda t, q, v: -gains * v)
        log.save_csv("log.csv")

    The number of steps is duration / dt, rounded.

    Args:
        q0, v0: The state at t = 0.
        duration, dt: In seconds.
        controller: (t, q, v) -> tau of length nv, called before each step, whose torques it gives; by default tau = 0.
        ground: For robots with contacts: the height of a plane, by default 0; Plane(point, normal);
            HeightMap(x, y, heights); or a function of points (n, 3) that returns distances (n,) and normals (n, 3).
        friction, restitution: A number, or one for each contact.
        creep: Points that stick leave their places by a distance of second order in dt, step by step. With False each step
            ends by bringing them back, along the ground; this needs frame_jacobian and integrate. By default they are
            brought back where the robot was loaded with these functions.
        progress: False hides the progress that a terminal shows.
        held: Further inputs of the step, which stay as they are: `p`, `fext`.

    Raises:
        ValueError: An argument is wrong, a function is missing, or a controller or ground returned what it must not.
        FloatingPointError: The state is no longer a finite number; `log` of the error has what came before.
    """
    if not isinstance(robot, Robot):
        raise TypeError(f"simulate(): the robot must be one that load() returned, not {robot!r}")
    count = _count_steps(duration, dt)
    if controller is not None and not callable(controller):
        raise ValueError(f"simulate(): controller is {_described(controller)}; it must be a function of (t, q, v)")
    if creep is not None and not isinstance(creep, (bool, np.bool_)):
        raise ValueError(f"simulate(): creep is {creep!r}; it must be True or False")
    run = _Run(robot, held, ground, friction, restitution, creep)
    log = Log.empty(robot, count, dt, run.contact_names, held)
    log.q[0], log.v[0] = _state("q0", q0, robot.nq), _state("v0", v0, robot.nv)
    run.warn_of_depth(log, dt)
    bar = _Bar(duration, progress)
    try:
        for k in range(count):
            bar.at(log.t[k])
            if controller is not None:
                log.tau[k] = _torques(controller(float(log.t[k]), log.q[k].copy(), log.v[k].copy()), robot.nv, log.t[k])
            run.step(log, k, dt)
            if not np.isfinite(log.v[k + 1]).all() or not np.isfinite(log.q[k + 1]).all():
                raise _diverged(log, k + 1)
    finally:
        bar.clear()
    _warn_of_verdicts(log)
    return log


class _Contact(NamedTuple):
    """A point of a link. Of a sphere it is the centre, else the radius is 0."""

    link: str
    point: np.ndarray
    radius: float


class _Run:
    """One step after the other, for a robot on its ground."""

    def __init__(self, robot: Robot, held: Any, ground: Any, friction: Any, restitution: Any,
                 creep: Optional[bool]) -> None:
        self._robot, self._held = robot, held
        functions = robot.functions
        self.has_contacts = "contact_step" in functions
        if not self.has_contacts and (ground is not None or "step" not in functions):
            wanted = ('"contact_step", "forward_kinematics"], contacts=[LINK, ...' if ground is not None else '"step"')
            why = "a ground needs contact_step" if ground is not None else "it needs step or contact_step"
            raise ValueError(f"simulate(): {why}, which {robot.name} was loaded without; load(..., functions=[{wanted}])")
        if self.has_contacts and "forward_kinematics" not in functions:
            raise ValueError(f"simulate(): it needs forward_kinematics to know where contacts are, which {robot.name} was "
                             'loaded without; load(..., functions=["contact_step", "forward_kinematics", ...])')
        missing = [name for name in ("frame_jacobian", "integrate") if name not in functions]
        self._creep = bool(missing if creep is None else creep)
        if self.has_contacts and missing and not self._creep:
            raise ValueError(f"simulate(): creep=False needs {' and '.join(missing)}, which {robot.name} was loaded without; "
                             'load(..., functions=["contact_step", "forward_kinematics", "frame_jacobian", "integrate"])')
        if robot.constraints and not self.has_contacts:
            raise ValueError(f"simulate(): {robot.name} has constraints, which step leaves out; simulate contacts by "
                             'load(..., functions=["contact_step", "forward_kinematics"])')
        _check_function(robot, robot.contact_step if self.has_contacts else robot.step, held)
        self._pushes, self._outputs = np.empty(robot.nv), list(robot.contact_step.outputs) if self.has_contacts else []
        self._at = {function: partial(getattr(robot, function), **held_by(getattr(robot, function), held))
                    for function in ("forward_kinematics", "frame_jacobian") if function in functions}
        self._contacts = _contacts_of(robot) if self.has_contacts else []
        self.contact_names = [c.name for c in robot.constraints] if self.has_contacts else []
        self._ground = ground_of(ground)
        count = len(self._contacts)
        self._contact = np.empty((count, 6))
        self._contact[:, 4] = _each("friction", friction, count, 0.0, np.inf)
        self._contact[:, 5] = _each("restitution", restitution, count, 0.0, 1.0)
        self._radius = np.array([contact.radius for contact in self._contacts])
        self._points = np.array([contact.point for contact in self._contacts]).reshape(count, 3, 1)

    def step(self, log: Log, k: int, dt: float) -> None:
        q, v, tau = log.q[k], log.v[k], log.tau[k]
        if not self.has_contacts:
            self._robot.step(q, v, tau, dt=dt, out=(log.q[k + 1], log.v[k + 1]), **self._held)
            return
        poses = self._poses(q)
        self._contact[:, 0], self._contact[:, 1:4] = self._ask_ground(poses, log.t[k])
        out = {"q_next": log.q[k + 1], "v_next": log.v[k + 1], "impulse": log.impulses[k].T,
               "joint_impulse": self._pushes, "status": log.status[k]}
        self._robot.contact_step(q, v, tau, dt=dt, contact=self._contact.T, **self._held,
                                 out=tuple(out[name] for name in self._outputs))
        if not self._creep:
            log.q[k + 1] = self._without_creep(poses, log.q[k + 1], log.status[k, 4:] == 1.0)

    def warn_of_depth(self, log: Log, dt: float) -> None:
        """A point below the ground leaves it within one step, so that the robot is thrown."""
        if not self.has_contacts:
            return
        gaps, _ = self._ask_ground(self._poses(log.q[0]), log.t[0])
        thrown = np.flatnonzero(gaps < -0.1 * dt)  # at more than 0.1 m/s
        if len(thrown):
            deepest = thrown[np.argmin(gaps[thrown])]
            warnings.warn(f"simulate(): {len(thrown)} of {len(gaps)} contacts begin below the ground, "
                          f"{self.contact_names[deepest]} by {-gaps[deepest]:.3g} m; the first step throws it out at "
                          f"{-gaps[deepest] / dt:.3g} m/s. Begin with a higher base, or a lower ground",
                          FeatherlineWarning, stacklevel=3)

    def _poses(self, q: np.ndarray) -> Any:
        """Turns of the links, and their contacts: the centres of spheres."""
        poses = [self._at["forward_kinematics"](q, link=contact.link) for contact in self._contacts]
        R, p = np.array([R for R, _ in poses]), np.array([p for _, p in poses])
        return R, p + np.matmul(R, self._points)[..., 0]

    def _ask_ground(self, poses: Any, t: float) -> Any:
        points = poses[1]
        gaps, normals = _two(self._ground(points), t)
        for name, array, shape in (("distances", gaps, points.shape[:1]), ("normals", normals, points.shape)):
            if array.shape != shape or not np.isfinite(array).all():
                wrong = f"of the shape {array.shape}" if array.shape != shape else "that are not finite numbers"
                raise ValueError(f"simulate(): ground returned {name} {wrong} at t = {t:.6g}; it must return {shape}")
        if not normals.any(axis=1).all():
            point = int(np.argmin(normals.any(axis=1)))
            raise ValueError(f"simulate(): ground returned a normal of zero for point {point} at t = {t:.6g}; a normal may "
                             "have any other length")
        return gaps - self._radius, normals

    def _without_creep(self, poses: Any, q: np.ndarray, sticks: np.ndarray) -> np.ndarray:
        """q behind a step from `poses`, moved by the least so that what sticks has not slid along the ground.

        The method of runtime/featherline/contact_creep.hpp, which knows points alone, and their number when it is compiled.
        """
        if not sticks.any() or not np.isfinite(q).all():
            return q
        R_before, before = poses
        R, after = self._poses(q)
        normals = self._contact[:, 1:4]
        normals = normals / np.sqrt(np.einsum("ij,ij->i", normals, normals))[:, None]
        to_spot = np.matmul(R, self._points)[..., 0]
        way = after - before
        for i in np.flatnonzero(sticks & (self._radius > 0.0)):  # so far a sphere rolls
            to_spot[i] -= self._radius[i] * normals[i]
            way[i] -= np.cross(_turn(R[i] @ R_before[i].T), self._radius[i] * normals[i])
        way -= np.einsum("ij,ij->i", way, normals)[:, None] * normals
        of_links = np.array([self._at["frame_jacobian"](q, link=contact.link)
                             for contact, stuck in zip(self._contacts, sticks) if stuck])
        J = (of_links[:, :3] + np.matmul(_cross_of(-to_spot[sticks]), of_links[:, 3:])).reshape(-1, self._robot.nv)
        JJ = J @ J.T
        most = JJ.diagonal().max()
        if most == 0.0:  # what sticks cannot move
            return q
        damped = JJ + 1e-6 * most * np.eye(len(JJ))
        ways = way[sticks].ravel()
        x = np.linalg.solve(damped, ways)
        x += np.linalg.solve(damped, ways - JJ @ x)  # what damping left: feet crept 1e-10 m a second without this
        return self._robot.integrate(q, -J.T @ x)


def _check_function(robot: Robot, function: Any, held: Any) -> None:
    if "float64" not in function.scalars:
        raise ValueError(f'simulate(): {robot.name} was loaded without float64; load(..., scalar="float64")')
    own = ("q", "v", "tau", "dt", "contact")
    chosen = [name for name in function.inputs if name not in own]
    for name in held:
        if name not in chosen:
            near = difflib.get_close_matches(name, ["controller", "ground", "friction", "restitution", "creep",
                                                    "progress", *chosen], 1)
            hint = f"did you mean {near[0]}?" if near else f"inputs of {function.__name__} that stay are " + \
                (", ".join(chosen) or "none")
            raise TypeError(f"simulate(): no argument is called {name}; {hint}")


def _cross_of(vectors: np.ndarray) -> np.ndarray:
    """The matrices of cross products with (n, 3) vectors. For four points np.cross takes ten times as long."""
    matrices = np.zeros((len(vectors), 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        matrices[:, k, j], matrices[:, j, k] = vectors[:, i], -vectors[:, i]
    return matrices


def _turn(R: np.ndarray) -> np.ndarray:
    """The rotation vector of less than a quarter turn."""
    sines = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine = np.linalg.norm(sines)
    return sines * (np.arcsin(min(sine, 1.0)) / sine if sine > 0.0 else 1.0)


def _two(returned: Any, t: float) -> List[np.ndarray]:
    try:
        gaps, normals = returned
    except (TypeError, ValueError):
        raise ValueError(f"simulate(): ground returned {returned!r} at t = {t:.6g}; it must return distances and normals") \
            from None
    return [np.asarray(gaps, dtype=float), np.asarray(normals, dtype=float)]


def _contacts_of(robot: Robot) -> List[_Contact]:
    with open(os.path.join(robot.sources, f"{robot.name}.json"), encoding="utf-8") as file:
        entries = json.load(file)["constraints"]
    return [_Contact(entry["links"][0], np.array(entry["placements"][0]["p"]), entry.get("radius", 0.0))
            for entry in entries]


def _count_steps(duration: float, dt: float) -> int:
    for name, value in (("duration", duration), ("dt", dt)):
        if not 0.0 < value < np.inf:
            raise ValueError(f"simulate(): {name} is {value}; it must be above 0 and finite")
    if duration < 0.5 * dt:
        raise ValueError(f"simulate(): duration is {duration}, shorter than half a step of {dt}")
    return max(1, round(duration / dt))


def _state(name: str, given: Any, size: int) -> np.ndarray:
    array = np.asarray(given, dtype=float)
    if array.shape != (size,):
        raise ValueError(f"simulate(): {name} has the shape {array.shape}; it must be ({size},)")
    if not np.isfinite(array).all():
        raise ValueError(f"simulate(): {name} has entries that are not finite numbers")
    return array


def _torques(returned: Any, nv: int, t: float) -> np.ndarray:
    try:
        tau = np.asarray(returned, dtype=float)
    except (TypeError, ValueError):
        tau = np.empty(0)
    if tau.shape != (nv,):
        raise ValueError(f"simulate(): controller returned {_described(returned)} at t = {t:.6g}; it must return {nv} torques")
    if not np.isfinite(tau).all():
        bad = int(np.flatnonzero(~np.isfinite(tau))[0])
        raise ValueError(f"simulate(): controller returned {tau[bad]} as tau[{bad}] at t = {t:.6g}")
    return tau


def _described(returned: Any) -> str:
    return f"an array of shape {returned.shape}" if isinstance(returned, np.ndarray) else repr(returned)[:60]


def _each(name: str, given: Any, count: int, lower: float, upper: float) -> np.ndarray:
    values = np.asarray(given, dtype=float)
    if values.shape not in ((), (count,)):
        raise ValueError(f"simulate(): {name} has the shape {values.shape}; it must be a number, or {count} numbers, one for "
                         "each contact")
    if not ((values >= lower) & (values <= upper) & np.isfinite(values)).all():
        bounds = f"from {lower:g} to {upper:g}" if np.isfinite(upper) else f"at least {lower:g} and finite"
        raise ValueError(f"simulate(): {name} is {given}; it must be {bounds}")
    return values


class _Bar:
    """A bar on a terminal, a few times a second."""

    def __init__(self, duration: float, progress: Optional[bool]) -> None:
        self._duration, self._next = duration, 0.0
        self._progress = Progress(progress and None)

    def at(self, t: float) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        done = t / self._duration
        bar = ("#" * int(20 * done)).ljust(20, ".")
        self._progress.show(f"simulating [{bar}] {t:.2f} of {self._duration:g} s")

    def clear(self) -> None:
        self._progress.clear()


def _diverged(log: Log, k: int) -> FloatingPointError:
    error = FloatingPointError(f"simulate(): the state is not a finite number at t = {log.t[k]:.6g}; take a smaller dt, or "
                               "less stiff gains of the controller")
    error.log = log.first(k - 1)  # type: ignore[attr-defined]
    return error


def _warn_of_verdicts(log: Log) -> None:
    unsolved = np.flatnonzero(log.status[:, 2]) if log.status.size else np.empty(0)
    if len(unsolved):
        worst = log.status[unsolved, 0].max()
        warnings.warn(f"simulate(): the impulses of {len(unsolved)} of {len(log.tau)} steps are not solved, the first at "
                      f"t = {log.t[unsolved[0]]:.6g}; their largest residual is {worst:.1e} (see status)",
                      FeatherlineWarning, stacklevel=3)
