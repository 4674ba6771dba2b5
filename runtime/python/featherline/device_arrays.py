"""Arrays on the GPU, of any library: where their numbers are, and how the library makes new ones."""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

#: The device types of DLPack that are memory of CUDA: kDLCUDA and kDLCUDAManaged.
_cuda_types = (2, 13)

#: The default stream, as arrays name it, and as the driver does.
_default_streams = (None, 0, 1)

_scalars = {"<f4": "float", "<f8": "double"}


class View(NamedTuple):
    """What a kernel has to know of an array.

    Attributes:
        scalar: "float" or "double"; else how the library writes the type.
        strides: In numbers, not in bytes; None: row by row, without gaps.
        stream: That the array is ready on; None where the library does not say.
    """

    address: int
    scalar: str
    shape: Tuple[int, ...]
    strides: Optional[Tuple[int, ...]]
    stream: Optional[int]
    is_read_only: bool

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * (8 if self.scalar == "double" else 4)


def _is_on_device(x: Any) -> bool:
    if hasattr(x, "__cuda_array_interface__"):
        return True
    ask = getattr(x, "__dlpack_device__", None)
    return ask is not None and ask()[0] in _cuda_types


def _view(x: Any) -> View:
    interface = getattr(x, "__cuda_array_interface__", None)
    if interface is None:
        return _view_by_dlpack(x)
    if interface.get("mask") is not None:
        raise ValueError("has a mask; give an array without one")
    typestr = interface["typestr"]
    strides = interface.get("strides")
    if strides is not None:
        item = int(typestr[2:])
        strides = tuple(stride // item for stride in strides)
    address, is_read_only = interface["data"]
    return View(address or 0, _scalars.get(typestr, typestr), tuple(interface["shape"]), strides, interface.get("stream"),
                is_read_only)


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h, which a capsule "dltensor" begins with."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


# A prototype of our own: ctypes.pythonapi has one object a function, whose types belong to the whole process.
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))


def _view_by_dlpack(x: Any) -> View:
    """The capsule is not taken over, so it gives the array back when it goes. The array makes the default stream wait."""
    capsule = x.__dlpack__(stream=1)
    tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
    real = 2
    name = f"DLPack type {tensor.code}, {tensor.bits} bits"
    if tensor.code == real and tensor.lanes == 1:
        name = {32: "float", 64: "double"}.get(tensor.bits, name)
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
    return View((tensor.data or 0) + tensor.byte_offset, name, shape, strides, None, False)


class Library(NamedTuple):
    """What is asked of the library that an array is of.

    Attributes:
        is_on_device: Whether an array is in the memory of a GPU.
        view: Raises ValueError for arrays that no kernel can read.
        stream: The current stream of an array's device.
        empty: A new array of a shape, of the type and on the device of another one.
        permute: An array with its sides in another order.
        ready: Waits until arrays have been computed, where the library has streams that nobody else sees; or None.
    """

    is_on_device: Callable[[Any], bool]
    view: Callable[[Any], View]
    stream: Callable[[Any, View], int]
    empty: Callable[[Tuple[int, ...], Any], Any]
    permute: Callable[[Any, Tuple[int, ...]], Any]
    ready: Optional[Callable[[Any], Any]] = None


_libraries: Dict[type, Library] = {}


def library_of(x: Any) -> Library:
    """Of an array, or of anything else, which is then not on a device."""
    kind = type(x)
    library = _libraries.get(kind)
    if library is None:
        library = _libraries[kind] = _library_of(kind)
    return library


def _library_of(kind: type) -> Library:
    name = kind.__module__.partition(".")[0]
    if name == "torch":
        return _torch(sys.modules["torch"])
    if name == "cupy":
        return _cupy(sys.modules["cupy"])
    if name in ("jax", "jaxlib"):
        return _jax()
    return Library(_is_on_device, _view, _stream_of_array, _empty_by_standard, _permute_by_standard)


def _torch(torch: Any) -> Library:
    """Its own attributes take a tenth of the time that the interface takes."""
    scalars = {torch.float32: "float", torch.float64: "double"}

    def view(x: Any) -> View:
        if x.requires_grad:
            raise ValueError("requires a gradient, which is not computed; give x.detach()")
        return View(x.data_ptr(), scalars.get(x.dtype, str(x.dtype)), tuple(x.shape), x.stride(), None, False)

    return Library(lambda x: getattr(x, "is_cuda", False), view,
                   lambda x, _: torch.cuda.current_stream(x.device).cuda_stream,
                   lambda shape, x: torch.empty(shape, dtype=x.dtype, device=x.device),
                   lambda x, order: x.permute(order))


def _cupy(cupy: Any) -> Library:
    def empty(shape: Tuple[int, ...], x: Any) -> Any:
        with x.device:
            return cupy.empty(shape, dtype=x.dtype)

    return Library(_is_on_device, _view, lambda x, _: cupy.cuda.get_current_stream(x.device.id).ptr, empty,
                   lambda x, order: x.transpose(order))


def _jax() -> Library:
    import jax  # noqa: PLC0415 - only where an array of it came

    return Library(_is_on_device, _view, lambda x, _: 0,
                   lambda shape, x: jax.numpy.empty(shape, x.dtype, device=x.device), jax.numpy.transpose,
                   jax.block_until_ready)


def _stream_of_array(_: Any, seen: View) -> int:
    return seen.stream or 0


def _namespace(x: Any) -> Any:
    """As the array API standard names it."""
    find = getattr(x, "__array_namespace__", None)
    if find is None:
        raise TypeError(f"nobody knows how to make arrays like {type(x).__module__}.{type(x).__name__}: give the arrays for "
                        "the results as out=")
    return find()


def _empty_by_standard(shape: Tuple[int, ...], x: Any) -> Any:
    return _namespace(x).empty(shape, dtype=x.dtype, device=x.device)


def _permute_by_standard(x: Any, order: Tuple[int, ...]) -> Any:
    return _namespace(x).permute_dims(x, order)


def same_stream(a: Optional[int], b: Optional[int]) -> bool:
    return a == b or (a in _default_streams and b in _default_streams)
