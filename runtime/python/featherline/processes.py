"""Runs programs side by side, and stops them all if anything goes wrong."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
from typing import IO, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence


class Command(NamedTuple):
    """Attributes:
    words: The program and its arguments.
    label: What the caller knows it by.
    input: A file for its standard input.
    output: A file for its standard output, which otherwise goes to the log.
    """

    words: Sequence[str]
    label: str
    input: Optional[str] = None
    output: Optional[str] = None


class Outcome(NamedTuple):
    """How a command ended, and what it said."""

    command: Command
    exit_code: int
    log: str


def available_cores() -> int:
    """How many programs can run at once here."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def run_all(commands: Sequence[Command], workers: int, folder: str,
            done: Callable[[int], None] = lambda count: None) -> List[Outcome]:
    """Runs them in this order, at most `workers` at once, and stops at the first that fails.

    Every program has a process group of its own. So Ctrl-C reaches this process alone, and what the program started
    ends with it.

    Args:
        commands: What to run.
        workers: How many at once.
        folder: For temporary files. A program that is stopped does not remove its own.
        done: Called with the number of programs that have ended.
    """
    waiting = list(reversed(commands))
    running: Dict[IO[bytes], _Running] = {}
    outcomes: List[Outcome] = []
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    with _interrupts_wait():
                        program = _Running(waiting.pop(), folder)
                        running[program.pipe] = program
                    selector.register(program.pipe, selectors.EVENT_READ)
                for key, _ in selector.select():
                    program = running[key.fileobj]
                    if not program.read():
                        selector.unregister(program.pipe)
                        outcomes.append(program.finish())
                        del running[program.pipe]
                        done(len(outcomes))
                        if outcomes[-1].exit_code != 0:
                            return outcomes
        finally:
            for program in running.values():
                program.kill()
    return outcomes


@contextlib.contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Ctrl-C is raised at the end: a program that has just started would not be stopped if nobody knew it yet."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    came: List[tuple] = []
    signal.signal(signal.SIGINT, lambda *arguments: came.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[0])


class _Running:
    """A program that runs. The end of its output says that it has ended, so nothing has to poll."""

    def __init__(self, command: Command, folder: str) -> None:
        self.command = command
        self.parts: List[bytes] = []
        reading, writing = os.pipe()
        self.pipe: IO[bytes] = os.fdopen(reading, "rb", buffering=0)
        try:
            with open(command.input or os.devnull, "rb") as source, open(command.output or os.devnull, "wb") as output:
                self.process = subprocess.Popen(
                    list(command.words), stdin=source, stdout=output if command.output else writing, stderr=writing,
                    env={**os.environ, "TMPDIR": folder, "LC_ALL": "C"}, start_new_session=True)
        except BaseException:
            self.pipe.close()
            raise
        finally:
            os.close(writing)

    def read(self) -> bool:
        """Takes what is there; False at the end."""
        part = os.read(self.pipe.fileno(), 65536)
        self.parts.append(part)
        return bool(part)

    def finish(self) -> Outcome:
        self.pipe.close()
        return Outcome(self.command, self.process.wait(), b"".join(self.parts).decode(errors="replace"))

    def kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.finish()
