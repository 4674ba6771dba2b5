"""The keywords of load() and the flags of `featherline generate` that they become.

Which there are stands in _options.py, which the generator writes. Here is what becomes of a value, by what the option takes.
"""

from __future__ import annotations

import inspect
import os
import re
import textwrap
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Union

from ._options import OPTIONS

# The types of keywords, by what an option takes.
nothing = bool
word = str
number = Union[str, float]
numbers = Union[str, Iterable[float]]
items = Union[str, Sequence[str]]
names = items
pairs = Union[str, Sequence[str], Mapping[str, Any]]
scalars = Any
file = Union[str, "os.PathLike[str]"]
lines = Union[str, "os.PathLike[str]", Sequence[str]]


class Argument(NamedTuple):
    """A flag for the generator. If it names a file, `content` is what the file holds."""

    flag: str
    value: Optional[str] = None
    content: Optional[bytes] = None


class Option(NamedTuple):
    """What _options.py says of a keyword."""

    keyword: str
    flag: str
    argument: str


def arguments_of(options: Dict[str, Any]) -> List[Argument]:
    """The flags for these keywords, in the generator's order. None means that a keyword was not given."""
    arguments: List[Argument] = []
    for keyword, (flag, takes, not_empty, argument, _) in OPTIONS.items():
        if options.get(keyword) is None:
            continue
        converted = _converters[takes](Option(keyword, flag, argument), options[keyword])
        if not_empty and not converted:
            raise ValueError(f"featherline.load(): {keyword} is empty; name at least one, or leave it out for the default")
        arguments += converted
    return arguments


def signature(function: Callable[..., Any]) -> inspect.Signature:
    """That of a function with `**options`, which are written out."""
    own = inspect.signature(function)
    parameters = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    keywords = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in OPTIONS]
    return own.replace(parameters=[*parameters, *keywords])


def explanation() -> str:
    """What the options do, for help()."""
    return "\n".join(textwrap.fill(f"{name}: {words}", 110, initial_indent="    ", subsequent_indent="        ")
                     for name, (_, _, _, _, words) in OPTIONS.items())


def unknown_keyword(unknown: str, known: Sequence[str]) -> TypeError:
    """The error for a keyword that load() does not have."""
    import difflib  # here, because it is seldom needed and every import costs time

    near = difflib.get_close_matches(unknown, known, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(known)}"
    return TypeError(f"featherline.load() has no keyword {unknown!r}; {hint}")


def _wrong(keyword: str, expected: str, value: object) -> TypeError:
    return TypeError(f"featherline.load(): {keyword} must be {expected}, not {value!r}")


def _switch(option: Option, value: Any) -> List[Argument]:
    if not isinstance(value, bool):
        raise _wrong(option.keyword, "True or False", value)
    return [Argument(option.flag)] if value is not option.flag.startswith("--no-") else []


def _word(option: Option, value: Any) -> List[Argument]:
    if not isinstance(value, str):
        raise _wrong(option.keyword, "a string", value)
    return [Argument(option.flag, value)]


def _number(option: Option, value: Any) -> List[Argument]:
    return [Argument(option.flag, value if isinstance(value, str) else _text(option, value, "a number or a string"))]


def _text(option: Option, value: Any, expected: str) -> str:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise _wrong(option.keyword, expected, value) from None
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _numbers(option: Option, value: Any) -> List[Argument]:
    if isinstance(value, str):
        return [Argument(option.flag, value)]
    expected = f"numbers ({option.argument})"
    try:
        entries = list(value)
    except TypeError:
        raise _wrong(option.keyword, expected, value) from None
    return [Argument(option.flag, ",".join(_text(option, entry, expected) for entry in entries))]


def _items(option: Option, value: Any) -> List[str]:
    """The strings of a sequence. A single string is what one would write on the command line."""
    if isinstance(value, str):
        return [value]
    try:
        items = list(value)
    except TypeError:
        items = [None]
    if isinstance(value, (bytes, dict)) or not all(isinstance(item, str) for item in items):
        raise _wrong(option.keyword, "a string or a sequence of strings", value)
    return items


def _list(option: Option, value: Any) -> List[Argument]:
    """The flag is repeated for every item, so that an item may end with a backslash, which escapes commas."""
    return [Argument(option.flag, item) for item in _items(option, value)]


def _names(option: Option, value: Any) -> List[Argument]:
    """As _list(). Names in a sequence may have commas, which are escaped."""
    if isinstance(value, str):
        return _list(option, value)
    return [Argument(option.flag, item.replace(",", "\\,")) for item in _items(option, value)]


def _pairs(option: Option, value: Any) -> List[Argument]:
    """A dictionary, or strings as on the command line. A value is a string, a number or a sequence of numbers."""
    if not isinstance(value, dict):
        return _list(option, value)
    arguments: List[Argument] = []
    for name, entry in value.items():
        if not isinstance(name, str):
            raise _wrong(option.keyword, "a dictionary by names", value)
        if not isinstance(entry, str):
            entries = list(entry) if hasattr(entry, "__iter__") else [entry]
            expected = "a dictionary of strings, numbers, or sequences of numbers"
            entry = ":".join(_text(option, number, expected) for number in entries)
        arguments.append(Argument(option.flag, re.sub(r"([\\,=])", r"\\\1", name) + "=" + entry))
    return arguments


_scalar_names = {"float64": "double", "float32": "float"}  # not "float", which numpy takes for float64 and C++ does not


def _scalars(option: Option, value: Any) -> List[Argument]:
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
    return [Argument(option.flag, ",".join(names)), Argument("--target", "x86-64")]


def _dtype_name(dtype: Any) -> str:
    import numpy

    try:
        return str(numpy.dtype(dtype).name)
    except TypeError:
        return repr(dtype)


def _file(option: Option, value: Any) -> List[Argument]:
    """The path of a file, or one of the words of the argument, as "off|urdf|FILE" has them."""
    if value in option.argument.split("|")[:-1]:
        return [Argument(option.flag, value)]
    if not isinstance(value, (str, os.PathLike)):
        raise _wrong(option.keyword, "the path of a file", value)
    path = os.fspath(value)
    with open(path, "rb") as file:
        return [Argument(option.flag, path, file.read())]


def _lines(option: Option, value: Any) -> List[Argument]:
    """A file, or what would stand in it: the build writes a file of the names, and fills in its path."""
    if isinstance(value, (str, os.PathLike)):
        return _file(option, value)
    return [Argument(option.flag, None, "".join(name + "\n" for name in _items(option, value)).encode())]


_converters: Dict[str, Callable[[Option, Any], List[Argument]]] = {
    "nothing": _switch,
    "word": _word,
    "number": _number,
    "numbers": _numbers,
    "items": _list,
    "names": _names,
    "pairs": _pairs,
    "scalars": _scalars,
    "file": _file,
    "lines": _lines,
}
