#include "device.hpp"

#include <featherline/cuda_driver.hpp>

#include <new>
#include <vector>

namespace featherline::python {

namespace {

constexpr const char* module_name = "featherline.cuda_module";

PyObject* problem_or_none(const std::string& problem) {
  if (problem.empty()) Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8(problem.data(), static_cast<Py_ssize_t>(problem.size()), "replace");
}

/// Other threads of Python run meanwhile.
class OthersRun {
 public:
  OthersRun() : state_(PyEval_SaveThread()) {}
  OthersRun(const OthersRun&) = delete;
  ~OthersRun() { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

void delete_module(PyObject* capsule) {
  delete static_cast<cuda::Module*>(PyCapsule_GetPointer(capsule, module_name));
}

PyObject* cuda_module(PyObject*, PyObject* arguments) {
  PyObject* ptx = nullptr;
  const char* robot = nullptr;
  if (!PyArg_ParseTuple(arguments, "Ss:cuda_module", &ptx, &robot)) return nullptr;
  auto* module = new (std::nothrow) cuda::Module(PyBytes_AS_STRING(ptx), robot);
  if (module == nullptr) return PyErr_NoMemory();
  PyObject* capsule = PyCapsule_New(module, module_name, delete_module);
  if (capsule == nullptr) delete module;
  return capsule;
}

/// Names and addresses of two tuples of one length.
bool read_arrays(PyObject* names, PyObject* addresses, std::vector<cuda::Argument>& arrays) {
  const Py_ssize_t count = PyTuple_GET_SIZE(names);
  if (PyTuple_GET_SIZE(addresses) != count) {
    PyErr_SetString(PyExc_ValueError, "cuda_launch: as many names as addresses are wanted");
    return false;
  }
  for (Py_ssize_t k = 0; k < count; ++k) {
    const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, k));
    void* address = name == nullptr ? nullptr : PyLong_AsVoidPtr(PyTuple_GET_ITEM(addresses, k));
    if (PyErr_Occurred()) return false;
    arrays.push_back({name, address});
  }
  return true;
}

/// The first launch compiles, which takes seconds.
PyObject* cuda_launch(PyObject*, PyObject* arguments) {
  PyObject *capsule = nullptr, *names = nullptr, *addresses = nullptr, *stream = nullptr;
  const char* kernel = nullptr;
  cuda::Amount amount{};
  if (!PyArg_ParseTuple(arguments, "OsLLO!O!O:cuda_launch", &capsule, &kernel, &amount.count, &amount.steps,
                        &PyTuple_Type, &names, &PyTuple_Type, &addresses, &stream))
    return nullptr;
  auto* module = static_cast<cuda::Module*>(PyCapsule_GetPointer(capsule, module_name));
  void* on_stream = PyLong_AsVoidPtr(stream);
  if (module == nullptr || PyErr_Occurred()) return nullptr;
  try {
    std::vector<cuda::Argument> arrays;
    if (!read_arrays(names, addresses, arrays)) return nullptr;
    std::string problem;
    {
      const OthersRun others;
      problem = module->launch(kernel, amount, arrays.data(), static_cast<int>(arrays.size()), on_stream);
    }
    return problem_or_none(problem);
  } catch (const std::bad_alloc&) { return PyErr_NoMemory(); }
}

PyObject* cuda_order(PyObject*, PyObject* arguments) {
  PyObject *earlier = nullptr, *later = nullptr, *address = nullptr;
  if (!PyArg_ParseTuple(arguments, "OOO:cuda_order", &earlier, &later, &address)) return nullptr;
  void *first = PyLong_AsVoidPtr(earlier), *second = PyLong_AsVoidPtr(later),
       *array = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred()) return nullptr;
  return problem_or_none(cuda::Driver::get().order(first, second, array));
}

PyObject* cuda_wait(PyObject*, PyObject* arguments) {
  PyObject *stream = nullptr, *address = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO:cuda_wait", &stream, &address)) return nullptr;
  void *waited = PyLong_AsVoidPtr(stream), *array = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred()) return nullptr;
  std::string problem;
  {
    const OthersRun others;
    problem = cuda::Driver::get().wait(waited, array);
  }
  return problem_or_none(problem);
}

}  // namespace

PyMethodDef device_methods[5] = {{"cuda_module", cuda_module, METH_VARARGS, nullptr},
                                 {"cuda_launch", cuda_launch, METH_VARARGS, nullptr},
                                 {"cuda_order", cuda_order, METH_VARARGS, nullptr},
                                 {"cuda_wait", cuda_wait, METH_VARARGS, nullptr},
                                 {nullptr, nullptr, 0, nullptr}};

}  // namespace featherline::python
