"""What a user sees while a robot is compiled."""

from __future__ import annotations

import os
import sys
from typing import Optional


class Progress:
    """One line on standard error that is rewritten and in the end cleared, if standard error is a terminal.

    Elsewhere it prints nothing, or with `verbose` a line for every step.
    """

    def __init__(self, verbose: Optional[bool] = None) -> None:
        self._stream = sys.stderr
        on_terminal = self._stream is not None and self._stream.isatty()
        self._rewrites = on_terminal and verbose is not False
        self._prints = self._stream is not None and not on_terminal and verbose is True
        self._written = ""

    def step(self, text: str) -> None:
        """A step begins."""
        if self._prints:
            self._stream.write(f"featherline: {text}\n")
            self._stream.flush()
        self.show(text)

    def show(self, text: str) -> None:
        """How far the step is; only on terminals."""
        if not self._rewrites:
            return
        line = f"featherline: {text}"[: _width() - 1]
        if line != self._written:
            self._stream.write("\r\x1b[K" + line)
            self._stream.flush()
            self._written = line

    def clear(self) -> None:
        """Leaves the line empty, for whatever is printed next."""
        if self._written:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._written = ""


def _width() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
