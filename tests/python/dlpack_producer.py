"""Arrays that give their numbers by DLPack alone, as those of other libraries do, and can say anything of themselves."""

import ctypes

import numpy as np


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]

_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, _Destructor]
_name, _pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
_name.restype, _name.argtypes = ctypes.c_char_p, [ctypes.c_void_p]
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

#: By address: what the tensors need that nobody has deleted yet.
alive = {}


@_Deleter
def _delete(managed):
    del alive[ctypes.addressof(managed.contents)]


@_Destructor
def _destroy(capsule):
    """Of a capsule that nobody took the tensor out of."""
    name = _name(capsule)
    if name != b"used_dltensor":
        del alive[_pointer(capsule, name)]


class Producer:
    """The array's own memory.

    Args:
        array: The numbers.
        device: What `__dlpack_device__` says.
        name: Of the capsule.
        strides: False leaves them out, which says that there are no gaps.
        fields: Entries of the tensor that are to be wrong, by name.
    """

    def __init__(self, array, device=(1, 0), name=b"dltensor", strides=True, **fields):
        self.array, self.device, self.name, self.strides, self.fields = array, device, name, strides, fields

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        x = self.array
        managed = _Managed()
        shape, strides = (ctypes.c_int64 * max(1, x.ndim))(*x.shape), (ctypes.c_int64 * max(1, x.ndim))()
        strides[: x.ndim] = [step // x.itemsize for step in x.strides]
        t = managed.tensor
        t.data, t.rank, t.lanes = x.ctypes.data, x.ndim, 1
        t.device_type, t.device_id = self.device if isinstance(self.device, tuple) else (1, 0)
        t.code, t.bits = _CODES.get(x.dtype.kind, 3), 8 * x.itemsize
        t.shape, t.strides = ctypes.addressof(shape), ctypes.addressof(strides) if self.strides else None
        for field, value in self.fields.items():
            setattr(t, field, value)
        managed.deleter = _delete
        address = ctypes.addressof(managed)
        alive[address] = (managed, shape, strides, x)
        return _new_capsule(address, self.name, _destroy)
