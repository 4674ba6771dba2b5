#pragma once

#include "numpy.hpp"

#include <vector>

/// Tuples whose entries have names: collections.namedtuple, which everybody knows (`_fields`, `_asdict()`). Python's
/// own structures for C have other names for these things.
namespace featherline::python {

struct Field {
  const char* name;
  const char* doc = nullptr;  ///< null: none
};

/// A new type. Null with Python's error set.
PyTypeObject* make_named_tuple(const char* name, const std::vector<Field>& fields);

/// One of that type, of as many entries as it has fields; PyTuple_SET_ITEM puts them in.
Ref new_named_tuple(PyTypeObject* type, Py_ssize_t size);

}  // namespace featherline::python
