"""Ten numbers without bounds for the inertial parameters of a body (featherline/log_cholesky.hpp)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .native import import_native


def inertia_from_log_cholesky(theta: Any) -> np.ndarray:
    """Returns the ten inertial parameters (m, m c, Ixx, Ixy, Iyy, Ixz, Iyz, Izz) of theta, any ten numbers.

    theta is alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 of Rucker and Wensing (2022). Whatever it is, the body can exist.
    """
    return import_native().inertia_from_log_cholesky(theta)


def inertia_from_log_cholesky_derivative(theta: Any) -> np.ndarray:
    """Returns the derivative of inertia_from_log_cholesky, of shape (10, 10): a row for each inertial parameter."""
    return import_native().inertia_from_log_cholesky_derivative(theta)


def log_cholesky_from_inertia(pi: Any) -> np.ndarray:
    """Returns the theta of a body's ten inertial parameters. Raises ValueError if no such body can exist."""
    return import_native().log_cholesky_from_inertia(pi)
