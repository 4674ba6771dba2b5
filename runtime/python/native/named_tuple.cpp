#include "named_tuple.hpp"

namespace featherline::python {

namespace {

bool set_doc(PyObject* type, const Field& field) {
  if (field.doc == nullptr) return true;
  const Ref member{PyObject_GetAttrString(type, field.name)}, doc{PyUnicode_FromString(field.doc)};
  return member && doc && PyObject_SetAttrString(member.get(), "__doc__", doc.get()) == 0;
}

}  // namespace

PyTypeObject* make_named_tuple(const char* name, const std::vector<Field>& fields) {
  const Ref collections{PyImport_ImportModule("collections")};
  const Ref make{collections ? PyObject_GetAttrString(collections.get(), "namedtuple") : nullptr};
  const Ref names{PyTuple_New(static_cast<Py_ssize_t>(fields.size()))};
  if (!make || !names) return nullptr;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    PyObject* text = PyUnicode_FromString(fields[i].name);
    if (text == nullptr) return nullptr;
    PyTuple_SET_ITEM(names.get(), static_cast<Py_ssize_t>(i), text);
  }
  const Ref arguments{Py_BuildValue("(sO)", name, names.get())},
      module{Py_BuildValue("{ss}", "module", "featherline")};
  if (!arguments || !module) return nullptr;
  Ref type{PyObject_Call(make.get(), arguments.get(), module.get())};
  for (const Field& field : fields)
    if (!type || !set_doc(type.get(), field)) return nullptr;
  return reinterpret_cast<PyTypeObject*>(type.release());
}

Ref new_named_tuple(PyTypeObject* type, Py_ssize_t size) { return Ref{type->tp_alloc(type, size)}; }

}  // namespace featherline::python
