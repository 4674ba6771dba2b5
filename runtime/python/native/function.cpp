#include "function.hpp"

#include "call.hpp"
#include "named_tuple.hpp"

#include <structmember.h>

#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace featherline::python {

namespace {

struct FunctionObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  const Robot* robot;
  const Function* function;
  PyTypeObject* results_type;  ///< null if there is one result
  bool prepares;
};

FunctionObject* as_function(PyObject* self) { return reinterpret_cast<FunctionObject*>(self); }

PyObject* vectorcall(PyObject* self, PyObject* const* values, size_t flagged_count, PyObject* names) {
  const FunctionObject& object = *as_function(self);
  try {
    Arguments arguments;
    if (!sort_arguments(*object.robot, *object.function, values, PyVectorcall_NARGS(flagged_count), names,
                        arguments))
      return nullptr;
    return call(*object.robot, *object.function, arguments, object.results_type, object.prepares).release();
  } catch (const std::bad_alloc&) {  // of a message
    return PyErr_NoMemory();
  }
}

void deallocate(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(as_function(self)->results_type);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* represent(PyObject* self) {
  const FunctionObject& object = *as_function(self);
  const Ref text = signature_text(*object.function);
  const char* prefix = object.prepares ? "prepare." : "";
  return text ? PyUnicode_FromFormat("<%s%U of %s>", prefix, text.get(), object.robot->name) : nullptr;
}

PyObject* get_name(PyObject* self, void*) { return PyUnicode_FromString(as_function(self)->function->name); }

PyObject* get_text_signature(PyObject* self, void*) {
  const Ref text = signature_text(*as_function(self)->function);
  const Ref name = Ref{get_name(self, nullptr)};
  if (!text || !name) return nullptr;
  return PyUnicode_Substring(text.get(), PyUnicode_GET_LENGTH(name.get()), PyUnicode_GET_LENGTH(text.get()));
}

/// inspect.Signature, which help() and editors ask for.
PyObject* get_signature(PyObject* self, void*) {
  const Ref inspect{PyImport_ImportModule("inspect")};
  const Ref text{get_text_signature(self, nullptr)};
  if (!inspect || !text) return nullptr;
  const Ref scope{PyDict_New()}, source{PyUnicode_FromFormat("def f%U: pass", text.get())};
  if (!scope || !source) return nullptr;
  const Ref defined{PyRun_String(PyUnicode_AsUTF8(source.get()), Py_file_input, scope.get(), scope.get())};
  if (!defined) return nullptr;
  return PyObject_CallMethod(inspect.get(), "signature", "O", PyDict_GetItemString(scope.get(), "f"));
}

constexpr const char* prepare_doc =
    "Leaves all arrays as they are: it brings the code of the function of this name, and the lines\n"
    "of out, into the caches, so that a call soon after finds them there.";

PyObject* get_doc(PyObject* self, void*) {
  const FunctionObject& object = *as_function(self);
  const Ref text = signature_text(*object.function);
  const char* doc = object.prepares ? prepare_doc : object.function->doc;
  return text ? PyUnicode_FromFormat("%U\n\n%s", text.get(), doc) : nullptr;
}

/// Names and shapes of one state, in order: {"q": (6,), "v": (6,)}.
PyObject* shapes(const Function& function, bool outputs) {
  Ref all{PyDict_New()};
  for (const Array& array : function.arrays) {
    if (array.is_output != outputs) continue;
    const Ref shape{all ? PyTuple_New(array.rank) : nullptr};
    if (!shape) return nullptr;
    for (int i = 0; i < array.rank; ++i) PyTuple_SET_ITEM(shape.get(), i, PyLong_FromLong(array.sides[i]));
    if (PyDict_SetItemString(all.get(), array.name, shape.get()) < 0) return nullptr;
  }
  return all.release();
}

PyObject* get_inputs(PyObject* self, void*) { return shapes(*as_function(self)->function, false); }
PyObject* get_outputs(PyObject* self, void*) { return shapes(*as_function(self)->function, true); }

/// Of NumPy's names: those that the function was generated for.
PyObject* get_scalars(PyObject* self, void*) {
  const Function& function = *as_function(self)->function;
  if (function.float32.one == nullptr) return Py_BuildValue("(s)", "float64");
  if (function.float64.one == nullptr) return Py_BuildValue("(s)", "float32");
  return Py_BuildValue("(ss)", "float64", "float32");
}

/// The type of a function's results, None if it has one.
PyObject* get_results_type(PyObject* self, void*) {
  PyTypeObject* type = as_function(self)->results_type;
  return Ref::borrowed(type ? reinterpret_cast<PyObject*>(type) : Py_None).release();
}

/// The same for all functions of a robot, and for no other one: libraries are never unloaded.
PyObject* get_robot_id(PyObject* self, void*) {
  return PyLong_FromVoidPtr(const_cast<Robot*>(as_function(self)->robot));
}

PyObject* get_prepares(PyObject* self, void*) { return PyBool_FromLong(as_function(self)->prepares); }

/// For callers with arrays of their own kind: (name, is_output, entries_first, sides) of each array, inputs first.
PyObject* get_arrays(PyObject* self, void*) {
  const Arrays& arrays = as_function(self)->function->arrays;
  Ref all{PyTuple_New(arrays.size)};
  for (int i = 0; all && i < arrays.size; ++i) {
    const Array& array = arrays[i];
    Ref sides{PyTuple_New(array.rank)};
    for (int k = 0; sides && k < array.rank; ++k)
      PyTuple_SET_ITEM(sides.get(), k, PyLong_FromLong(array.sides[k]));
    PyObject* row = sides ? Py_BuildValue("sNNN", array.name, PyBool_FromLong(array.is_output),
                                          PyBool_FromLong(array.entries_first), sides.release())
                          : nullptr;
    if (row == nullptr) return nullptr;
    PyTuple_SET_ITEM(all.get(), i, row);
  }
  return all.release();
}

PyGetSetDef getters[] = {{"__name__", get_name, nullptr, nullptr, nullptr},
                         {"__qualname__", get_name, nullptr, nullptr, nullptr},
                         {"__doc__", get_doc, nullptr, nullptr, nullptr},
                         {"__text_signature__", get_text_signature, nullptr, nullptr, nullptr},
                         {"_arrays", get_arrays, nullptr, nullptr, nullptr},
                         {"__signature__", get_signature, nullptr, nullptr, nullptr},
                         {"inputs", get_inputs, nullptr, "Names and shapes, of one state.", nullptr},
                         {"outputs", get_outputs, nullptr, "Names and shapes, of one state.", nullptr},
                         {"scalars", get_scalars, nullptr, "What it was generated for.", nullptr},
                         {"_results_type", get_results_type, nullptr, nullptr, nullptr},
                         {"_robot_id", get_robot_id, nullptr, nullptr, nullptr},
                         {"_prepares", get_prepares, nullptr, nullptr, nullptr},
                         {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
                       {Py_tp_repr, reinterpret_cast<void*>(represent)},
                       {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                       {Py_tp_getset, getters},
                       {Py_tp_members, members},
                       {0, nullptr}};

PyType_Spec spec = {"featherline.Function", sizeof(FunctionObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    slots};

PyTypeObject* function_type = nullptr;

/// For functions with several results.
PyTypeObject* make_results_type(const Function& function) {
  std::vector<Field> fields;
  for (const Array& array : function.arrays)
    if (array.is_output) fields.push_back({array.name});
  return make_named_tuple((std::string(function.name) + "_result").c_str(), fields);
}

int num_outputs(const Function& function) {
  int n = 0;
  for (const Array& array : function.arrays) n += array.is_output ? 1 : 0;
  return n;
}

}  // namespace

bool prepare_functions() {
  if (function_type == nullptr) function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return function_type != nullptr;
}

Ref make_function(const Robot& robot, const Function& function, bool prepares) {
  PyTypeObject* results_type = nullptr;
  if (num_outputs(function) > 1 && !prepares) {
    results_type = make_results_type(function);
    if (results_type == nullptr) return {};
  }
  FunctionObject* object = PyObject_New(FunctionObject, function_type);
  if (object == nullptr) {
    Py_XDECREF(results_type);
    return {};
  }
  object->vectorcall = vectorcall;
  object->robot = &robot;
  object->function = &function;
  object->results_type = results_type;
  object->prepares = prepares;
  return Ref{reinterpret_cast<PyObject*>(object)};
}

}  // namespace featherline::python
