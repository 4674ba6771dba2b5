"""Dynamics of one robot, compiled for it.

    import featherline
    robot = featherline.load("arm.urdf")
    tau = robot.rnea(q, v, a)
"""

from __future__ import annotations

from . import _configuration
from .cache import clear_cache
from .errors import CompileError, CompilerNotFound, FeatherlineWarning, GenerateError, InstallationError
from .loading import casadi_library, load
from .robot import Robot

__version__ = _configuration.VERSION

__all__ = ["CompileError", "CompilerNotFound", "FeatherlineWarning", "GenerateError", "InstallationError", "Robot",
           "casadi_library", "clear_cache", "load", "__version__"]
