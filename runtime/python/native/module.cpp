// featherline._native, the compiled part of the package: gives a robot's shared library to Python.
#define FEATHERLINE_IMPORTS_NUMPY
#include "attributes.hpp"
#include "device.hpp"
#include "function.hpp"
#include "positions.hpp"

#include <featherline/log_cholesky.hpp>

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

/// Ten numbers of an argument, as an array of double.
Ref ten_numbers(PyObject* object, const char* name) {
  Ref array{PyArray_FROMANY(object, NPY_DOUBLE, 0, 0, NPY_ARRAY_CARRAY_RO)};
  if (array && (PyArray_NDIM(array.array()) != 1 || PyArray_DIM(array.array(), 0) != 10)) {
    PyErr_Format(PyExc_ValueError, "%s must be an array of 10 numbers", name);
    return Ref{};
  }
  return array;
}
double* numbers_of(const Ref& array) { return static_cast<double*>(PyArray_DATA(array.array())); }

PyObject* inertia_from_log_cholesky(PyObject*, PyObject* object) {
  const Ref theta = ten_numbers(object, "theta");
  npy_intp size = 10;
  Ref pi{theta ? PyArray_SimpleNew(1, &size, NPY_DOUBLE) : nullptr};
  if (pi) featherline::inertia_from_log_cholesky(numbers_of(theta), numbers_of(pi));
  return pi.release();
}

PyObject* inertia_from_log_cholesky_derivative(PyObject*, PyObject* object) {
  const Ref theta = ten_numbers(object, "theta");
  npy_intp sizes[] = {10, 10};
  Ref rates{theta ? PyArray_EMPTY(2, sizes, NPY_DOUBLE, 1) : nullptr};
  if (rates) featherline::inertia_from_log_cholesky_derivative(numbers_of(theta), numbers_of(rates));
  return rates.release();
}

PyObject* log_cholesky_from_inertia(PyObject*, PyObject* object) {
  const Ref pi = ten_numbers(object, "pi");
  npy_intp size = 10;
  Ref theta{pi ? PyArray_SimpleNew(1, &size, NPY_DOUBLE) : nullptr};
  if (!theta || featherline::log_cholesky_from_inertia(numbers_of(pi), numbers_of(theta)))
    return theta.release();
  PyErr_SetString(
      PyExc_ValueError,
      "pi is no body of positive density: its pseudo-inertia is not positive definite; correct it, or "
      "begin with another body");
  return nullptr;
}

PyMethodDef methods[] = {
    {"inertia_from_log_cholesky", inertia_from_log_cholesky, METH_O, nullptr},
    {"inertia_from_log_cholesky_derivative", inertia_from_log_cholesky_derivative, METH_O, nullptr},
    {"log_cholesky_from_inertia", log_cholesky_from_inertia, METH_O, nullptr},
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
  for (PyMethodDef* methods : {featherline::python::device_methods, featherline::python::position_methods})
    if (!module || PyModule_AddFunctions(module.get(), methods) != 0) return nullptr;
  return module.release();
}
