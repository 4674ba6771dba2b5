"""`python3 -m featherline` is the generator. `python3 -m featherline --cmake` prints the folder of the CMake package."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable

from .errors import InstallationError
from .tools import cmake_folder, find_tools


def _found(find: Callable[[], Any]) -> Any:
    try:
        return find()
    except InstallationError as error:
        sys.exit(str(error))


def main() -> None:
    if sys.argv[1:] == ["--cmake"]:
        print(_found(cmake_folder))
        return
    executable = _found(find_tools).executable
    os.execv(executable, [executable, *sys.argv[1:]])


if __name__ == "__main__":
    main()
