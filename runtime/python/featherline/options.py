"""The keywords of load() and the flags of `featherline generate` that they become."""

from __future__ import annotations

import os
import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence


class Argument(NamedTuple):
    """A flag for the generator. If it names a file, `content` is what the file holds."""

    flag: str
    value: Optional[str] = None
    content: Optional[bytes] = None


def arguments_of(options: Dict[str, Any]) -> List[Argument]:
    """The flags for these keywords. None means that a keyword was not given."""
    arguments: List[Argument] = []
    for keyword, value in options.items():
        if value is not None:
            arguments += _converters[keyword](keyword, value)
    return arguments


def unknown_keyword(unknown: str, known: Sequence[str]) -> TypeError:
    """The error for a keyword that load() does not have."""
    import difflib  # here, because it is seldom needed and every import costs time

    near = difflib.get_close_matches(unknown, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(known)}"
    return TypeError(f"featherline.load() has no keyword {unknown!r}; {hint}")


def _flag(keyword: str) -> str:
    return "--" + keyword.replace("_", "-")


def _wrong(keyword: str, expected: str, value: object) -> TypeError:
    return TypeError(f"featherline.load(): {keyword} must be {expected}, not {value!r}")


def _word(keyword: str, value: Any) -> List[Argument]:
    if not isinstance(value, str):
        raise _wrong(keyword, "a string", value)
    return [Argument(_flag(keyword), value)]


def _word_or_number(keyword: str, value: Any) -> List[Argument]:
    return [Argument(_flag(keyword), value if isinstance(value, str) else _number(keyword, value, "a number or a string"))]


def _number(keyword: str, value: Any, expected: str) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise _wrong(keyword, expected, value) from None
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _numbers(expected: str) -> Callable[[str, Any], List[Argument]]:
    def convert(keyword: str, value: Any) -> List[Argument]:
        if isinstance(value, str):
            return [Argument(_flag(keyword), value)]
        try:
            entries = list(value)
        except TypeError:
            raise _wrong(keyword, expected, value) from None
        return [Argument(_flag(keyword), ",".join(_number(keyword, entry, expected) for entry in entries))]

    return convert


def _items(keyword: str, value: Any) -> List[str]:
    """The strings of a sequence. A single string is what one would write on the command line."""
    if isinstance(value, str):
        return [value]
    try:
        items = list(value)
    except TypeError:
        items = [None]
    if isinstance(value, (bytes, dict)) or not all(isinstance(item, str) for item in items):
        raise _wrong(keyword, "a string or a sequence of strings", value)
    return items


def _list(keyword: str, value: Any) -> List[Argument]:
    """The flag is repeated for every item, so that an item may end with a backslash, which escapes commas."""
    return [Argument(_flag(keyword), item) for item in _items(keyword, value)]


def _not_empty(keyword: str, arguments: List[Argument]) -> List[Argument]:
    if not arguments:
        raise ValueError(f"featherline.load(): {keyword} is empty; name at least one, or leave it out for the default")
    return arguments


def _required_list(keyword: str, value: Any) -> List[Argument]:
    return _not_empty(keyword, _list(keyword, value))


def _names(keyword: str, value: Any) -> List[Argument]:
    """As _list(). Names in a sequence may have commas, which are escaped."""
    if isinstance(value, str):
        return _list(keyword, value)
    return [Argument(_flag(keyword), item.replace(",", "\\,")) for item in _items(keyword, value)]


def _required_names(keyword: str, value: Any) -> List[Argument]:
    return _not_empty(keyword, _names(keyword, value))


def _formulations(keyword: str, value: Any) -> List[Argument]:
    if isinstance(value, dict):
        value = [f"{function}={name}" for function, name in value.items()]
    return _list(keyword, value)


def _locks(keyword: str, value: Any) -> List[Argument]:
    """{joint: position}, or strings as on the command line. A position is a number or a sequence of numbers."""
    if not isinstance(value, dict):
        return _list(keyword, value)
    arguments: List[Argument] = []
    for joint, position in value.items():
        if not isinstance(joint, str):
            raise _wrong(keyword, "a dictionary of positions by joint name", value)
        entries = list(position) if hasattr(position, "__iter__") and not isinstance(position, str) else [position]
        numbers = ":".join(_number(keyword, entry, "a dictionary of numbers, or of sequences of numbers") for entry in entries)
        arguments.append(Argument(_flag(keyword), re.sub(r"([\\,=])", r"\\\1", joint) + "=" + numbers))
    return arguments


_scalar_names = {"float64": "double", "float32": "float"}  # not "float", which numpy takes for float64 and C++ does not


def _scalars(keyword: str, value: Any) -> List[Argument]:
    """numpy's names. The target is named because the generator takes float for the scalar of a microcontroller."""
    words: List[str] = []
    is_one = isinstance(value, (str, type)) or hasattr(value, "itemsize")
    for item in [value] if is_one else list(value):
        words += [word.strip() for word in item.split(",")] if isinstance(item, str) else [_dtype_name(item)]
    if not words:
        raise ValueError("featherline.load(): scalar is empty; give 'float64', 'float32' or ['float64', 'float32']")
    for word in words:
        if word not in _scalar_names:
            raise ValueError(f"featherline.load(): scalar must be 'float64', 'float32' or ['float64', 'float32'], not {word!r}")
    names = list(dict.fromkeys(_scalar_names[word] for word in words))
    return [Argument("--scalar", ",".join(names)), Argument("--target", "x86-64")]


def _dtype_name(dtype: Any) -> str:
    import numpy

    try:
        return str(numpy.dtype(dtype).name)
    except TypeError:
        return repr(dtype)


def _switch(when: bool, flag: str) -> Callable[[str, Any], List[Argument]]:
    def convert(keyword: str, value: Any) -> List[Argument]:
        if not isinstance(value, bool):
            raise _wrong(keyword, "True or False", value)
        return [Argument(flag)] if value is when else []

    return convert


def _file(keyword: str, value: Any) -> List[Argument]:
    if not isinstance(value, (str, os.PathLike)):
        raise _wrong(keyword, "the path of a file", value)
    path = os.fspath(value)
    with open(path, "rb") as file:
        return [Argument(_flag(keyword), path, file.read())]


def _word_or_file(*words: str) -> Callable[[str, Any], List[Argument]]:
    def convert(keyword: str, value: Any) -> List[Argument]:
        return [Argument(_flag(keyword), value)] if value in words else _file(keyword, value)

    return convert


def _file_or_names(keyword: str, value: Any) -> List[Argument]:
    """A file, or what would stand in it: the build writes a file of the names, and fills in its path."""
    if isinstance(value, (str, os.PathLike)):
        return _file(keyword, value)
    return [Argument(_flag(keyword), None, "".join(name + "\n" for name in _items(keyword, value)).encode())]


_converters: Dict[str, Callable[[str, Any], List[Argument]]] = {
    "base": _word,
    "functions": _required_list,
    "frames": _list,
    "frame_axes": _word,
    "frame_parts": _list,
    "contacts": _list,
    "stabilisation": _numbers("two numbers (KP, KD)"),
    "parameters": _names,
    "external_forces": _names,
    "scalar": _scalars,
    "batch": _switch(True, "--batch"),
    "name": _word,
    "gravity": _numbers("three numbers (x, y, z)"),
    "joint_order": _file_or_names,
    "mimic": _word,
    "lock": _locks,
    "lock_all_but": _required_names,
    "joint_dynamics": _word_or_file("off", "urdf"),
    "snap_angles": _word_or_number,
    "allow": _list,
    "accept": _list,
    "formulation": _formulations,
    "optimise_for": _word,
    "lanes": _word,
    "choices": _file,
    "max_stack": _word_or_number,
    "max_code": _word_or_number,
    "max_image": _word_or_number,
    "verify": _switch(False, "--no-verify"),
    "werror": _switch(True, "--werror"),
}
