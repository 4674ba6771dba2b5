"""What a robot may stand on: functions from points to the distance and the normal of the ground there."""

from __future__ import annotations

from typing import Any, Callable, Tuple, Union

import numpy as np

#: Points (n, 3) in world axes -> distances (n,) to the ground, below zero under it, and its normals (n, 3), which point
#: to the free side.
Ground = Callable[[np.ndarray], Tuple[np.ndarray, np.ndarray]]


class Plane:
    """A plane through `point`. `normal` has any length but zero, and points to the free side."""

    def __init__(self, point: Any = (0.0, 0.0, 0.0), normal: Any = (0.0, 0.0, 1.0)) -> None:
        self.point, normal = _numbers("point", point, (3,)), _numbers("normal", normal, (3,))
        length = np.linalg.norm(normal)
        if length == 0.0:
            raise ValueError("Plane: normal is zero; give the direction to the free side")
        self.normal = normal / length

    def __call__(self, points: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        return (points - self.point) @ self.normal, np.broadcast_to(self.normal, points.shape)


class HeightMap:
    """Heights above z = 0 at the crossings of a grid, bilinear between them.

    Outside of the grid the ground goes on with the height of its border. The distance is that to the plane which touches
    the ground above or below the point: right for slopes and where the grid is fine, not beside a step.

    Args:
        x, y: Where the lines of the grid are, at least two of each, growing.
        heights: Of shape (len(x), len(y)).
    """

    def __init__(self, x: Any, y: Any, heights: Any) -> None:
        self.x, self.y = _lines("x", x), _lines("y", y)
        self.heights = _numbers("heights", heights, (len(self.x), len(self.y)))

    def __call__(self, points: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        i, s, dx = _place(self.x, points[:, 0])
        j, t, dy = _place(self.y, points[:, 1])
        z = self.heights
        near, far = z[i, j] + t * (z[i, j + 1] - z[i, j]), z[i + 1, j] + t * (z[i + 1, j + 1] - z[i + 1, j])
        along_y = z[i, j + 1] - z[i, j] + s * (z[i + 1, j + 1] - z[i + 1, j] - z[i, j + 1] + z[i, j])
        normals = np.stack([(near - far) * dx, -along_y * dy, np.ones(len(points))], axis=1)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return (points[:, 2] - near - s * (far - near)) * normals[:, 2], normals


def ground_of(given: Union[None, float, Ground]) -> Ground:
    """The plane z = 0, that of another height, or the function that was given."""
    if given is None:
        return Plane()
    if callable(given):
        return given
    try:
        height = float(given)
    except (TypeError, ValueError):
        height = np.nan
    if not np.isfinite(height):
        raise ValueError("simulate(): ground must be a height, Plane, HeightMap, or a function of points that returns "
                         f"distances and normals, not {given!r}")
    return Plane((0.0, 0.0, height))


def _numbers(name: str, given: Any, shape: Tuple[int, ...]) -> np.ndarray:
    array = np.array(given, dtype=float)
    if array.shape != shape:
        raise ValueError(f"{name} has the shape {array.shape}; it must be {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has entries that are not finite numbers")
    return array


def _lines(name: str, given: Any) -> np.ndarray:
    lines = _numbers(name, given, np.shape(given))
    if lines.ndim != 1 or len(lines) < 2 or not (np.diff(lines) > 0.0).all():
        raise ValueError(f"{name} must be at least two growing numbers")
    return lines


def _place(lines: np.ndarray, at: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The cell, how far in it from 0 to 1, and one over its width, which is 0 outside: there the ground is level."""
    cell = np.clip(np.searchsorted(lines, at, side="right") - 1, 0, len(lines) - 2)
    width = lines[cell + 1] - lines[cell]
    within = (at - lines[cell]) / width
    return cell, np.clip(within, 0.0, 1.0), np.where((within < 0.0) | (within > 1.0), 0.0, 1.0 / width)
