"""The compiled part of the package, or why it is not there."""

from __future__ import annotations

import glob
import os
import re
import sys
from typing import Any

from . import _configuration


def import_native() -> Any:
    """Returns featherline._native. If it is missing, the ImportError says what to do."""
    try:
        from featherline import _native
    except ImportError as error:
        raise ImportError(_explain(error), name="featherline._native") from error
    return _native


def _explain(error: ImportError) -> str:
    this = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if "numpy" in str(error):
        other = _configuration.PYTHON
        instead = f"run {other}, which it was built for, or " if os.path.exists(other) else ""
        return (f"featherline needs numpy, and {sys.executable} does not have it, or another version than featherline "
                f"was built with ({error}); {instead}install numpy for this one: {sys.executable} -m pip install numpy")
    remedy = (f"run pip install in Featherline's source folder with this Python, or build Featherline with "
              f"-DPython3_EXECUTABLE={sys.executable}")
    found = glob.glob(os.path.join(glob.escape(os.path.dirname(os.path.abspath(__file__))), "_native*.so"))
    if not found:
        return f"featherline is not complete: its compiled part _native is missing beside {__file__}; {remedy}"
    version = re.search(r"_native\.cpython-(\d)(\d+)", found[0])
    built_for = f"{version[1]}.{version[2]}" if version else "another Python"
    if built_for == this:
        return f"{found[0]} cannot be loaded: {error}; {remedy}"
    return f"featherline was built for Python {built_for}, and this is Python {this} ({sys.executable}); {remedy}"
