"""Errors and warnings of this package."""

from __future__ import annotations


class GenerateError(ValueError):
    """The generator refused the robot or an option. The message is what it printed.

    Attributes:
        exit_code: 1 if the URDF is at fault, 2 if an option is, 3 for an internal error.
    """

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code

    def __reduce__(self) -> tuple:
        return (type(self), (str(self), self.exit_code))


class CompileError(RuntimeError):
    """The C++ compiler failed. The message has the file, the end of the log and the log's path."""


class CompilerNotFound(CompileError):
    """There is no C++ compiler. The message names the package to install."""


class DeviceError(RuntimeError):
    """The GPU cannot run a function. The message begins with the layer that says so: featherline, or the driver."""


class InstallationError(RuntimeError):
    """A part of Featherline is missing, or the parts do not belong together."""


class FeatherlineWarning(UserWarning):
    """What the generator warns about, and caches that cannot be used."""
