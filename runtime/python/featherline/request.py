"""What the user wants: a robot and the generator's flags, with the content of every file that matters."""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

from .options import Argument, arguments_of


class Request(NamedTuple):
    """Attributes:
    path: The file of the robot; None if the caller gave its text.
    text: What is in it.
    arguments: The flags.
    """

    path: Optional[str]
    text: bytes
    arguments: Tuple[Argument, ...]

    @property
    def label(self) -> str:
        """How messages call the robot."""
        return os.path.basename(self.path) if self.path else "the robot"

    def identity(self) -> List[object]:
        """All of it, whatever the names of the files."""
        words: List[object] = [hashlib.sha256(self.text).hexdigest()]
        for argument in self.arguments:
            of_file = argument.content is not None
            words.append([argument.flag, hashlib.sha256(argument.content).hexdigest() if of_file else argument.value])
        return words

    @property
    def folder(self) -> str:
        """What the robot's file includes is looked for from here."""
        return os.path.dirname(self.path or "") or os.curdir

    def digests(self, others: Iterable[str], before: float = math.inf) -> List[Optional[str]]:
        """Of files that the robot's file includes, named from its folder. None: the file cannot be read, or somebody
        wrote to it after the time `before`."""
        found: List[Optional[str]] = []
        for path in (os.path.join(self.folder, name) for name in others):
            found.append(None)
            with contextlib.suppress(OSError):
                if os.path.getmtime(path) < before:
                    found[-1] = hashlib.sha256(_read(path)).hexdigest()
        return found

    def is_current(self) -> bool:
        """Whether the files still hold what was read."""
        files = [(self.path, self.text)] + [(a.value, a.content) for a in self.arguments if a.content is not None]
        try:
            return all(path is None or _read(path) == content for path, content in files)
        except OSError:
            return False


def read_request(robot: Union[str, bytes, "os.PathLike[str]"], options: Dict[str, Any]) -> Request:
    """Reads all files. Text that begins with "<" is the robot itself."""
    arguments = tuple(arguments_of(options))
    if isinstance(robot, bytes):
        return Request(None, robot, arguments)
    if not isinstance(robot, (str, os.PathLike)):
        raise TypeError(f"featherline.load(): the robot must be a path or the text of its file, not {robot!r}")
    path = os.fspath(robot)
    if isinstance(path, str) and path.lstrip("\ufeff \t\r\n").startswith("<"):
        return Request(None, path.encode(), arguments)
    return Request(os.fsdecode(path), _read(path), arguments)


def _read(path: Union[str, bytes]) -> bytes:
    with open(path, "rb") as file:
        return file.read()
