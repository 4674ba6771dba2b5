#include "arrays.hpp"

#include "dlpack.hpp"

#include <string>

namespace featherline::python {

namespace {

const char* name_of(int scalar) { return scalar == NPY_DOUBLE ? "float64" : "float32"; }

/// Whether every number of the type is one of `scalar`, to its rounding.
bool fits(PyArray_Descr* type, int scalar) {
  if (type->kind == 'b' || type->kind == 'i' || type->kind == 'u') return true;
  const int number = type->type_num;
  return number == NPY_HALF || number == NPY_FLOAT || (number == NPY_DOUBLE && scalar == NPY_DOUBLE);
}

bool refuse_type(const Place& place, PyObject* type, int scalar) {
  const bool is_wide =
      scalar == NPY_FLOAT && PyArray_DescrCheck(type) && reinterpret_cast<PyArray_Descr*>(type)->kind == 'f';
  PyErr_Format(PyExc_ValueError, "%s: %s has %S; expected %s%s", place.function, place.array.name, type,
               name_of(scalar), is_wide ? ", which astype(numpy.float32) makes" : "");
  return false;
}

}  // namespace

void refuse_object(const Place& place, PyObject* argument) {
  if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) return;
  PyObject *type = nullptr, *cause = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &cause, &trace);
  PyErr_NormalizeException(&type, &cause, &trace);
  PyErr_Format(PyExc_ValueError, "%s: %s, of type %s, makes no array of numbers (%S); expected shape %s",
               place.function, place.array.name, Py_TYPE(argument)->tp_name, cause,
               expected_shape(place.array).c_str());
  PyObject *error_type = nullptr, *error = nullptr, *error_trace = nullptr;
  PyErr_Fetch(&error_type, &error, &error_trace);
  PyErr_NormalizeException(&error_type, &error, &error_trace);
  PyException_SetCause(error, cause);  // takes it over
  PyErr_Restore(error_type, error, error_trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
}

Ref own_memory(const Place& place, PyObject* argument) {
  if (PyArray_Check(argument)) return Ref::borrowed(argument);
  // Numbers of NumPy show their memory, too, but are of no width that the caller chose.
  if (PyList_Check(argument) || PyTuple_Check(argument) || PyFloat_Check(argument) ||
      PyLong_Check(argument) || PyArray_CheckScalar(argument))
    return {};
  if (has_dlpack(argument)) return from_dlpack(place, argument);
  if (!PyObject_CheckBuffer(argument) || PyBytes_Check(argument)) return {};
  Ref array{PyArray_FromAny(argument, nullptr, 0, 0, 0, nullptr)};
  if (!array) refuse_object(place, argument);
  return array;
}

Ref read_numbers(const Place& place, PyObject* argument, int scalar) {
  if (PyArray_Check(argument)) {
    PyArray_Descr* type = PyArray_DESCR(reinterpret_cast<PyArrayObject*>(argument));
    if (type->type_num == scalar || fits(type, scalar)) return Ref::borrowed(argument);
    refuse_type(place, reinterpret_cast<PyObject*>(type), scalar);
    return {};
  }
  Ref array{PyArray_FromAny(argument, nullptr, 0, 0, NPY_ARRAY_DEFAULT, nullptr)};
  if (!array) {
    refuse_object(place, argument);
    return {};
  }
  PyArray_Descr* type = PyArray_DESCR(array.array());
  // Numbers of Python are of no width that the caller chose.
  const bool is_real = fits(type, NPY_DOUBLE);
  if (PyArray_SIZE(array.array()) > 0 && !is_real) {
    refuse_type(place, reinterpret_cast<PyObject*>(type), scalar);
    return {};
  }
  return array;
}

bool read_count(const Place& place, PyArrayObject* array, Count& count, const char*& counted_by) {
  const int rank = place.array.rank;
  const bool is_batch = PyArray_NDIM(array) == rank + 1;
  const Count own{is_batch, is_batch ? PyArray_DIM(array, 0) : 1};
  if (!has_shape(place.array, array, own)) {
    PyErr_Format(PyExc_ValueError, "%s: %s has shape %s; expected %s", place.function, place.array.name,
                 shape_of(array).c_str(), expected_shape(place.array).c_str());
    return false;
  }
  if (!is_batch) return true;
  if (count.is_batch && count.value != own.value) {
    PyErr_Format(PyExc_ValueError, "%s: %s has count %zd, but %s has count %zd", place.function,
                 place.array.name, static_cast<Py_ssize_t>(own.value), counted_by,
                 static_cast<Py_ssize_t>(count.value));
    return false;
  }
  if (!count.is_batch) counted_by = place.array.name;
  count = own;
  return true;
}

Ref lay_out(const Place& place, Ref array, int scalar, const Count& count) {
  const bool has_count = (PyArray_NDIM(array.array()) > place.array.rank) == count.is_batch;
  if (has_count && PyArray_TYPE(array.array()) == scalar && is_laid_out(place.array, array.array(), count))
    return array;
  Ref copy = make_array(place.array, scalar, count, false);
  if (!copy || PyArray_CopyInto(copy.array(), array.array()) < 0) return {};
  return copy;
}

Ref read_output(const Place& place, PyObject* given, int scalar, const Count& count) {
  const auto refuse = [&](const std::string& what) {
    PyErr_Format(PyExc_ValueError,
                 "%s: out for %s %s; expected a writable %s array of shape %s without gaps%s", place.function,
                 place.array.name, what.c_str(), name_of(scalar), shape_of(place.array, count).c_str(),
                 order_of(place.array, count));
    return Ref{};
  };
  Ref memory = own_memory(place, given);
  if (!memory && PyErr_Occurred()) return {};
  if (!memory) return refuse(std::string("is a ") + Py_TYPE(given)->tp_name);
  PyArrayObject* array = memory.array();
  if (PyArray_TYPE(array) != scalar) {
    const Ref type{PyObject_Str(reinterpret_cast<PyObject*>(PyArray_DESCR(array)))};
    return refuse(std::string("has ") + (type ? PyUnicode_AsUTF8(type.get()) : "another type"));
  }
  if (!has_shape(place.array, array, count)) return refuse("has shape " + shape_of(array));
  if (!PyArray_ISWRITEABLE(array)) return refuse("cannot be written to");
  if (!is_laid_out(place.array, array, count)) return refuse("has gaps or another order");
  return memory;
}

bool overlap(PyArrayObject* a, PyArrayObject* b) {
  const char *a_begin = PyArray_BYTES(a), *b_begin = PyArray_BYTES(b);
  return a_begin < b_begin + PyArray_NBYTES(b) && b_begin < a_begin + PyArray_NBYTES(a);
}

}  // namespace featherline::python
