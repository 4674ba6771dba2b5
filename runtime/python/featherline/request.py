"""What the user wants: a robot and the generator's flags, with the content of every file that matters."""

from __future__ import annotations

import hashlib
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from .options import Argument, arguments_of


class Request(NamedTuple):
    """Attributes:
    path: The file of the robot; None if the caller gave its text.
    urdf: The text.
    arguments: The flags.
    """

    path: Optional[str]
    urdf: bytes
    arguments: Tuple[Argument, ...]

    @property
    def label(self) -> str:
        """How messages call the robot."""
        return os.path.basename(self.path) if self.path else "the robot"

    def identity(self) -> List[object]:
        """All of it, whatever the names of the files."""
        words: List[object] = [hashlib.sha256(self.urdf).hexdigest()]
        for argument in self.arguments:
            of_file = argument.content is not None
            words.append([argument.flag, hashlib.sha256(argument.content).hexdigest() if of_file else argument.value])
        return words

    def is_current(self) -> bool:
        """Whether the files still hold what was read."""
        files = [(self.path, self.urdf)] + [(a.value, a.content) for a in self.arguments if a.content is not None]
        try:
            return all(path is None or _read(path) == content for path, content in files)
        except OSError:
            return False


def read_request(urdf: Union[str, bytes, "os.PathLike[str]"], options: Dict[str, Any]) -> Request:
    """Reads all files. Text that begins with "<" is the URDF itself."""
    arguments = tuple(arguments_of(options))
    if isinstance(urdf, bytes):
        return Request(None, urdf, arguments)
    if not isinstance(urdf, (str, os.PathLike)):
        raise TypeError(f"featherline.load(): the robot must be a path or the text of a URDF, not {urdf!r}")
    path = os.fspath(urdf)
    if isinstance(path, str) and path.lstrip("\ufeff \t\r\n").startswith("<"):
        return Request(None, path.encode(), arguments)
    return Request(os.fsdecode(path), _read(path), arguments)


def _read(path: Union[str, bytes]) -> bytes:
    with open(path, "rb") as file:
        return file.read()
