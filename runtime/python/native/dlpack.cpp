#include "dlpack.hpp"

#include <cstdint>
#include <iterator>
#include <string>

namespace featherline::python {

namespace {

// The structures of dlpack.h, which are an agreement between libraries: they do not change within "dltensor".
struct Device {
  std::int32_t type, id;
};

struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  std::int32_t rank;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in entries; null: the last side runs fastest, without gaps
  std::uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor*);
};

const char* const open_name = "dltensor";
const char* const used_name = "used_dltensor";

constexpr std::int32_t processor = 1, most_rank = 8;

/// What the processor can read: its own memory, and memory of it that a device may read, too.
bool is_readable(std::int32_t device) { return device == processor || device == 3 || device == 11; }

std::string name_of(const Device& device) {
  constexpr const char* names[] = {"",          "cpu",    "cuda",   "pinned cuda", "opencl", "",
                                   "",          "vulkan", "metal",  "vpi",         "rocm",   "pinned rocm",
                                   "extension", "cuda",   "oneapi", "webgpu",      "hexagon"};
  const bool is_known = device.type >= 0 && device.type < static_cast<int>(std::size(names));
  const std::string name = is_known ? names[device.type] : "";
  return (name.empty() ? "number " + std::to_string(device.type) : name) + ":" + std::to_string(device.id);
}

bool refuse_device(const Place& place, const Device& device) {
  PyErr_Format(PyExc_ValueError,
               "%s: %s is on device %s; expected memory of the processor, which x.cpu() of PyTorch makes",
               place.function, place.array.name, name_of(device).c_str());
  return false;
}

bool check_device(const Place& place, PyObject* object) {
  const Ref pair{PyObject_CallMethod(object, "__dlpack_device__", nullptr)};
  if (!pair) return refuse_object(place, object), false;
  Device device{};
  const Ref tuple{PySequence_Tuple(pair.get())};
  if (!tuple || !PyArg_ParseTuple(tuple.get(), "ii", &device.type, &device.id))
    return refuse_object(place, object), false;
  return is_readable(device.type) || refuse_device(place, device);
}

/// -1 if NumPy has no such type.
int numpy_type(const DataType& type) {
  enum Code { integer, natural, real, boolean = 6 };
  if (type.lanes != 1) return -1;
  if (type.code == boolean && type.bits == 8) return NPY_BOOL;
  struct Row {
    int code, bits, numpy;
  };
  constexpr Row rows[] = {{real, 64, NPY_DOUBLE},    {real, 32, NPY_FLOAT},     {real, 16, NPY_HALF},
                          {integer, 64, NPY_INT64},  {integer, 32, NPY_INT32},  {integer, 16, NPY_INT16},
                          {integer, 8, NPY_INT8},    {natural, 64, NPY_UINT64}, {natural, 32, NPY_UINT32},
                          {natural, 16, NPY_UINT16}, {natural, 8, NPY_UINT8}};
  for (const Row& row : rows)
    if (row.code == type.code && row.bits == type.bits) return row.numpy;
  return -1;
}

bool has_sound_sides(const Tensor& tensor) {
  bool is_empty = false, is_negative = false;
  for (int i = 0; i < tensor.rank; ++i) {
    is_empty = is_empty || tensor.shape[i] == 0;
    is_negative = is_negative || tensor.shape[i] < 0;
  }
  return !is_negative && (is_empty || tensor.data != nullptr);
}

bool check_tensor(const Place& place, const Tensor& tensor) {
  if (!is_readable(tensor.device.type)) return refuse_device(place, tensor.device);
  if (tensor.rank < 0 || tensor.rank > most_rank) {
    PyErr_Format(PyExc_ValueError, "%s: %s has %d dimensions; expected shape %s", place.function,
                 place.array.name, static_cast<int>(tensor.rank), expected_shape(place.array).c_str());
    return false;
  }
  if (numpy_type(tensor.type) < 0) {
    PyErr_Format(PyExc_ValueError,
                 "%s: %s has numbers of a kind that cannot be read here (DLPack: code %d, %d bits, %d "
                 "lanes); expected float64 or float32",
                 place.function, place.array.name, static_cast<int>(tensor.type.code),
                 static_cast<int>(tensor.type.bits), static_cast<int>(tensor.type.lanes));
    return false;
  }
  if (has_sound_sides(tensor)) return true;
  PyErr_Format(PyExc_ValueError, "%s: %s has a DLPack tensor without memory, or with a negative side",
               place.function, place.array.name);
  return false;
}

/// Sets aside what Python's error is, while code of the other library runs, and puts it back.
class ErrorAside {
 public:
  ErrorAside() { PyErr_Fetch(&type_, &value_, &trace_); }
  ErrorAside(const ErrorAside&) = delete;
  ErrorAside& operator=(const ErrorAside&) = delete;
  ~ErrorAside() { PyErr_Restore(type_, value_, trace_); }

 private:
  PyObject *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

void delete_tensor(PyObject* capsule) {
  auto* managed = static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule, nullptr));
  const ErrorAside aside;
  if (managed->deleter != nullptr) managed->deleter(managed);
}

/// Takes the tensor out of the capsule, which must not delete it any more. The result owns it.
Ref take_over(PyObject* capsule, ManagedTensor* managed) {
  Ref owner{PyCapsule_New(managed, nullptr, delete_tensor)};
  if (owner) PyCapsule_SetName(capsule, used_name);
  return owner;
}

Ref view_of(const Tensor& tensor) {
  const int type = numpy_type(tensor.type);
  npy_intp shape[most_rank], strides[most_rank];
  npy_intp step = tensor.type.bits / 8;
  for (int i = tensor.rank; i-- > 0;) {
    shape[i] = static_cast<npy_intp>(tensor.shape[i]);
    strides[i] = tensor.strides ? static_cast<npy_intp>(tensor.strides[i]) * (tensor.type.bits / 8) : step;
    step *= shape[i];
  }
  char* data = static_cast<char*>(tensor.data);
  // NumPy makes memory of its own where the pointer is null; then there are no numbers.
  if (data != nullptr) data += tensor.byte_offset;
  return Ref{PyArray_New(&PyArray_Type, tensor.rank, shape, type, data ? strides : nullptr, data, 0,
                         NPY_ARRAY_WRITEABLE, nullptr)};
}

}  // namespace

bool has_dlpack(PyObject* object) {
  // Of the type, as Python looks for such methods: a module or class that has the name is no array.
  const Ref method{PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__dlpack__")};
  if (!method) PyErr_Clear();
  return static_cast<bool>(method);
}

Ref from_dlpack(const Place& place, PyObject* object) {
  if (!check_device(place, object)) return {};
  Ref capsule{PyObject_CallMethod(object, "__dlpack__", nullptr)};
  auto* managed =
      capsule ? static_cast<ManagedTensor*>(PyCapsule_GetPointer(capsule.get(), open_name)) : nullptr;
  if (managed == nullptr) refuse_object(place, object);
  Ref owner = managed != nullptr ? take_over(capsule.get(), managed) : Ref{};
  {
    const ErrorAside aside;
    capsule = Ref{};  // which may run code of the other library
  }
  if (!owner || !check_tensor(place, managed->tensor)) return {};
  Ref array = view_of(managed->tensor);
  if (!array || PyArray_SetBaseObject(array.array(), owner.release()) < 0) return {};
  return array;
}

}  // namespace featherline::python
