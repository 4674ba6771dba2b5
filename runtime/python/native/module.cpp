// featherline._native, the compiled part of the package: gives a robot's shared library to Python.
#define FEATHERLINE_IMPORTS_NUMPY
#include "attributes.hpp"
#include "device.hpp"
#include "function.hpp"

#include <dlfcn.h>

namespace featherline::python {
namespace {

/// The table of a library, which stays loaded: its functions may be in use.
const Robot* open_robot(PyObject* path) {
  PyObject* bytes = nullptr;
  if (!PyUnicode_FSConverter(path, &bytes)) return nullptr;
  const Ref owned{bytes};
  void* library = dlopen(PyBytes_AsString(bytes), RTLD_NOW | RTLD_LOCAL);
  using Get = const Robot* (*)();
  const auto get = library == nullptr ? nullptr : reinterpret_cast<Get>(dlsym(library, "featherline_robot"));
  if (get == nullptr) {
    PyErr_Format(PyExc_ImportError, "%S is not a robot's library: %s", path, dlerror());
    return nullptr;
  }
  const Robot* robot = get();
  if (robot->version != table_version) {
    PyErr_Format(PyExc_ImportError,
                 "%S was built for version %d of the tables, this package reads version %d", path,
                 robot->version, table_version);
    return nullptr;
  }
  return robot;
}

PyObject* attach(PyObject*, PyObject* arguments) {
  PyObject *object = nullptr, *path = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO:attach", &object, &path)) return nullptr;
  const Robot* robot = open_robot(path);
  if (robot == nullptr || !set_attributes(object, *robot)) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"attach", attach, METH_VARARGS,
     "attach(robot, library)\n\nLoads a robot's shared library, and gives `robot` its sizes, names "
     "and functions as attributes. Raises ImportError if that cannot be."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "featherline._native",
                          "The compiled part of featherline.",
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace featherline::python

PyMODINIT_FUNC PyInit__native() {
  import_array();
  if (!featherline::python::prepare_functions() || !featherline::python::prepare_attributes()) return nullptr;
  featherline::python::Ref module{PyModule_Create(&featherline::python::definition)};
  if (!module || PyModule_AddFunctions(module.get(), featherline::python::device_methods) != 0)
    return nullptr;
  return module.release();
}
