#include "arguments.hpp"

#include "function.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace featherline::python {

const char* name_of(ReferenceFrame frame) {
  constexpr const char* names[] = {"local_world_aligned", "local", "world"};
  return names[static_cast<int>(frame)];
}

namespace {

/// More than any machine has cores.
constexpr Py_ssize_t most_threads = 4096;

/// Parameters in order: the inputs, then link and frame where the function takes them, then out and threads by name
/// alone.
int num_inputs(const Function& function) {
  int n = 0;
  for (const Array& array : function.arrays) n += array.is_output ? 0 : 1;
  return n;
}

int num_positional(const Function& function) {
  return num_inputs(function) + (function.takes_link ? 1 : 0) +
         (function.has_reference_frame_argument ? 1 : 0);
}

const char* parameter_name(const Function& function, int k) {
  const int inputs = num_inputs(function);
  if (k < inputs) return function.arrays[k].name;
  return k == inputs && function.takes_link ? "link" : "frame";
}

int find_parameter(const Function& function, PyObject* name) {
  for (int k = 0; k < num_positional(function); ++k) {
    if (PyUnicode_CompareWithASCIIString(name, parameter_name(function, k)) == 0) return k;
  }
  return -1;
}

bool type_error(const Function& function, const std::string& what) {
  const Ref text = signature_text(function);
  if (text) PyErr_Format(PyExc_TypeError, "%s: %s; expected %U", function.name, what.c_str(), text.get());
  return false;
}

bool read_link_name(const Robot& robot, const Function& function, PyObject* value, int& link) {
  for (int i = 0; i < robot.link_names.size; ++i) {
    const Ref name{PyUnicode_DecodeUTF8(
        robot.link_names[i], static_cast<Py_ssize_t>(std::strlen(robot.link_names[i])), "surrogateescape")};
    if (!name) return false;
    if (PyUnicode_Compare(name.get(), value) == 0) {
      link = i;
      return true;
    }
  }
  PyErr_Format(PyExc_ValueError, "%s: there is no link %R; link_names lists them", function.name, value);
  return false;
}

bool read_link(const Robot& robot, const Function& function, PyObject* value, int& link) {
  if (PyUnicode_Check(value)) return read_link_name(robot, function, value, link);
  const Py_ssize_t index =
      PyIndex_Check(value) && !PyBool_Check(value) ? PyNumber_AsSsize_t(value, nullptr) : -1;
  if (index >= 0 && index < robot.link_names.size) {
    link = static_cast<int>(index);
    return true;
  }
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  PyErr_Format(PyExc_ValueError, "%s: link is %R; expected a name of link_names, or an index below %d",
               function.name, value, robot.link_names.size);
  return false;
}

bool read_frame(const Function& function, PyObject* value, ReferenceFrame& frame) {
  for (const ReferenceFrame f :
       {ReferenceFrame::local_world_aligned, ReferenceFrame::local, ReferenceFrame::world}) {
    if (PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, name_of(f)) == 0) {
      frame = f;
      return true;
    }
  }
  PyErr_Format(PyExc_ValueError, "%s: frame is %R; expected \"local_world_aligned\", \"local\" or \"world\"",
               function.name, value);
  return false;
}

bool read_threads(const Function& function, PyObject* value, int& threads) {
  const Py_ssize_t count =
      PyIndex_Check(value) && !PyBool_Check(value) ? PyNumber_AsSsize_t(value, nullptr) : 0;
  if (count >= 1) {
    threads = static_cast<int>(std::min<Py_ssize_t>(count, most_threads));
    return true;
  }
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) return false;
  PyErr_Clear();
  PyErr_Format(PyExc_ValueError, "%s: threads is %R; expected a whole number, 1 or more", function.name,
               value);
  return false;
}

/// Sorts the named arguments behind the positional ones into `sorted` and `by_position`.
bool sort_names(const Function& function, PyObject* const* values, PyObject* names, PyObject** by_position,
                Arguments& sorted) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
    PyObject* name = PyTuple_GET_ITEM(names, k);
    if (PyUnicode_CompareWithASCIIString(name, "out") == 0) {
      sorted.out = values[k] == Py_None ? nullptr : values[k];
      continue;
    }
    if (PyUnicode_CompareWithASCIIString(name, "threads") == 0) {
      if (!read_threads(function, values[k], sorted.threads)) return false;
      continue;
    }
    const int position = find_parameter(function, name);
    const char* text = PyUnicode_AsUTF8(name);
    if (text == nullptr) PyErr_Clear();
    if (position < 0)
      return type_error(function, std::string("no argument is called ") + (text ? text : "that"));
    if (by_position[position] != nullptr) return type_error(function, std::string(text) + " is given twice");
    by_position[position] = values[k];
  }
  return true;
}

}  // namespace

Ref signature_text(const Function& function) {
  std::string text = std::string(function.name) + "(";
  for (int k = 0; k < num_positional(function); ++k) {
    const char* name = parameter_name(function, k);
    text += std::string(name) + (std::strcmp(name, "frame") == 0 ? "=\"local_world_aligned\"" : "") + ", ";
  }
  return Ref{PyUnicode_FromString((text + "*, out=None, threads=1)").c_str())};
}

bool sort_arguments(const Robot& robot, const Function& function, PyObject* const* values,
                    Py_ssize_t num_values, PyObject* names, Arguments& sorted) {
  PyObject* by_position[max_arrays + 2] = {};
  const int positional = num_positional(function);
  if (num_values > positional) {
    return type_error(function, std::to_string(num_values) + " arguments are given by position");
  }
  for (Py_ssize_t k = 0; k < num_values; ++k) by_position[k] = values[k];
  if (names != nullptr && !sort_names(function, values + num_values, names, by_position, sorted))
    return false;

  sorted.num_inputs = num_inputs(function);
  for (int k = 0; k < positional; ++k) {
    const bool is_frame = function.has_reference_frame_argument && k == positional - 1;
    if (by_position[k] == nullptr && !is_frame)
      return type_error(function, std::string(parameter_name(function, k)) + " is missing");
    if (k < sorted.num_inputs) {
      sorted.inputs[k] = by_position[k];
    } else if (is_frame) {
      if (by_position[k] != nullptr && !read_frame(function, by_position[k], sorted.frame)) return false;
    } else if (!read_link(robot, function, by_position[k], sorted.link)) {
      return false;
    }
  }
  return true;
}

}  // namespace featherline::python
