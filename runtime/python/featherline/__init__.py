"""Dynamics of one robot, compiled for it.

    import featherline
    robot = featherline.load("arm.urdf")
    tau = robot.rnea(q, v, a)
"""

from __future__ import annotations

from typing import Any

from . import _configuration
from .cache import clear_cache
from .errors import CompileError, CompilerNotFound, DeviceError, FeatherlineWarning, GenerateError, InstallationError
from .ground import HeightMap, Plane
from .inertia import inertia_from_log_cholesky, inertia_from_log_cholesky_derivative, log_cholesky_from_inertia
from .loading import casadi_library, load
from .log import Energy, Log
from .robot import Robot
from .simulation import simulate

__version__ = _configuration.VERSION

__all__ = ["CompileError", "CompilerNotFound", "DeviceError", "Energy", "FeatherlineWarning", "GenerateError", "HeightMap",
           "InstallationError", "Log", "Plane", "Robot", "casadi_library", "clear_cache", "inertia_from_log_cholesky",
           "inertia_from_log_cholesky_derivative", "load", "log_cholesky_from_inertia", "simulate", "__version__"]


def __getattr__(name: str) -> Any:
    """featherline.torch, which is imported when it is used."""
    if name != "torch":
        raise AttributeError(f"module 'featherline' has no attribute {name!r}", name=name, obj=None)
    import importlib

    return importlib.import_module("featherline.torch")
