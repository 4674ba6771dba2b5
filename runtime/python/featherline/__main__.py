"""`python3 -m featherline` is the generator. `python3 -m featherline --cmake` prints the folder of the CMake package."""

from __future__ import annotations

import os
import sys

from .tools import cmake_folder, find_tools


def main() -> None:
    if sys.argv[1:] == ["--cmake"]:
        print(cmake_folder())
        return
    executable = find_tools().executable
    os.execv(executable, [executable, *sys.argv[1:]])


if __name__ == "__main__":
    main()
