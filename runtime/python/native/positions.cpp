#include "positions.hpp"

#include <cmath>
#include <cstdint>

namespace featherline::python {

namespace {

/// As _Piece of torch_positions.py: KINDS.
enum Kind { plain, planar, spherical, floating, num_kinds };

struct Piece {
  std::int32_t kind, q, v, size;

  int quaternion() const { return q + size - 4; }
  int size_v() const { return kind == spherical || kind == floating ? size - 1 : size; }
};

template <class S>
S length(const S* u) {
  return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3]);
}

template <class S>
struct Three {
  S x, y, z;
};

template <class S>
Three<S> cross(const Three<S>& a, const Three<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class S>
void to_unit(const Piece& piece, const S*, const S* q, S* out) {
  for (int i = piece.q; i < piece.q + piece.size; ++i) out[i] = q[i];
  if (piece.kind < spherical) return;
  const S norm = length(q + piece.quaternion());
  for (int i = piece.quaternion(); i < piece.q + piece.size; ++i) out[i] = q[i] / norm;
}

/// As _by_coordinates() of torch_positions.py.
template <class S>
void to_coordinates(const Piece& piece, const S* w, const S* q, S* out) {
  w += piece.v;
  S* to = out + piece.q;
  if (piece.kind == plain) {
    for (int i = 0; i < piece.size; ++i) to[i] = w[i];
    return;
  }
  if (piece.kind == planar) {
    const S c = std::cos(q[piece.q + 2]), s = std::sin(q[piece.q + 2]), x = w[0], y = w[1];
    to[0] = c * x - s * y, to[1] = s * x + c * y, to[2] = w[2];
    return;
  }
  const S* given = q + piece.quaternion();
  const S scale = S(1) / length(given), s = given[3] * scale;
  const Three<S> u{given[0] * scale, given[1] * scale, given[2] * scale};
  const S* turning = w + piece.size - 4;
  const Three<S> turn{2 * scale * turning[0], 2 * scale * turning[1], 2 * scale * turning[2]};
  const Three<S> side = cross(u, turn);
  S* quaternion = out + piece.quaternion();
  quaternion[0] = s * turn.x + side.x, quaternion[1] = s * turn.y + side.y;
  quaternion[2] = s * turn.z + side.z;
  quaternion[3] = -(u.x * turn.x + u.y * turn.y + u.z * turn.z);
  if (piece.kind == spherical) return;
  const Three<S> half = cross(u, Three<S>{w[0], w[1], w[2]});
  const Three<S> y{2 * half.x, 2 * half.y, 2 * half.z}, z = cross(u, y);
  to[0] = w[0] + s * y.x + z.x, to[1] = w[1] + s * y.y + z.y, to[2] = w[2] + s * y.z + z.z;
}

/// The arrays of a call; w is null where there is none.
struct Call {
  const Piece* pieces;
  npy_intp num_pieces, count, nq, nv;
  const void *q, *w;
  void* out;

  template <class S, class Step>
  void run(const Step& step) const {
    const S *from = static_cast<const S*>(q), *weights = static_cast<const S*>(w);
    S* to = static_cast<S*>(out);
    for (npy_intp state = 0; state < count; ++state, from += nq, to += nq) {
      for (npy_intp i = 0; i < num_pieces; ++i) step(pieces[i], weights, from, to);
      if (weights != nullptr) weights += nv;
    }
  }
};

bool is_matrix(PyObject* object, int type) {
  if (!PyArray_Check(object)) return false;
  auto* array = reinterpret_cast<PyArrayObject*>(object);
  return PyArray_TYPE(array) == type && PyArray_NDIM(array) == 2 && PyArray_ISCARRAY_RO(array);
}

/// Whether every piece lies in q and in v.
bool fits(const Call& call) {
  for (npy_intp i = 0; i < call.num_pieces; ++i) {
    const Piece& p = call.pieces[i];
    const int least = p.kind == floating ? 7 : p.kind == spherical ? 4 : p.kind == planar ? 3 : 0;
    if (p.kind < 0 || p.kind >= num_kinds || p.q < 0 || p.v < 0 || p.size < least || p.size > call.nq - p.q)
      return false;
    if (call.w != nullptr && p.v + p.size_v() > call.nv) return false;
  }
  return true;
}

/// False, with the error set, if the arrays are not as the header says.
bool read(PyObject* pieces, PyObject* q, PyObject* w, PyObject* out, Call& call) {
  const int type = PyArray_Check(q) ? PyArray_TYPE(reinterpret_cast<PyArrayObject*>(q)) : NPY_NOTYPE;
  bool is_right = (type == NPY_DOUBLE || type == NPY_FLOAT) && is_matrix(q, type) && is_matrix(out, type) &&
                  is_matrix(pieces, NPY_INT32) && (w == nullptr || is_matrix(w, type));
  if (is_right) {
    const auto array = [](PyObject* object) { return reinterpret_cast<PyArrayObject*>(object); };
    const npy_intp *of_q = PyArray_DIMS(array(q)), *of_out = PyArray_DIMS(array(out));
    call = {static_cast<const Piece*>(PyArray_DATA(array(pieces))),
            PyArray_DIM(array(pieces), 0),
            of_q[0],
            of_q[1],
            w == nullptr ? 0 : PyArray_DIM(array(w), 1),
            PyArray_DATA(array(q)),
            w == nullptr ? nullptr : PyArray_DATA(array(w)),
            PyArray_DATA(array(out))};
    is_right = of_out[0] == of_q[0] && of_out[1] == of_q[1] && PyArray_ISWRITEABLE(array(out)) &&
               PyArray_DIM(array(pieces), 1) == 4 && (w == nullptr || PyArray_DIM(array(w), 0) == of_q[0]) &&
               fits(call);
  }
  if (!is_right) PyErr_SetString(PyExc_ValueError, "these arrays are no positions of a robot");
  return is_right;
}

PyObject* unit_positions(PyObject*, PyObject* arguments) {
  PyObject *pieces = nullptr, *q = nullptr, *out = nullptr;
  Call call{};
  if (!PyArg_ParseTuple(arguments, "OOO:unit_positions", &pieces, &q, &out) ||
      !read(pieces, q, nullptr, out, call))
    return nullptr;
  Py_BEGIN_ALLOW_THREADS;
  if (PyArray_TYPE(reinterpret_cast<PyArrayObject*>(q)) == NPY_DOUBLE)
    call.run<double>(to_unit<double>);
  else
    call.run<float>(to_unit<float>);
  Py_END_ALLOW_THREADS;
  Py_RETURN_NONE;
}

PyObject* derivatives_by_coordinates(PyObject*, PyObject* arguments) {
  PyObject *pieces = nullptr, *q = nullptr, *w = nullptr, *out = nullptr;
  Call call{};
  if (!PyArg_ParseTuple(arguments, "OOOO:derivatives_by_coordinates", &pieces, &q, &w, &out) ||
      !read(pieces, q, w, out, call))
    return nullptr;
  Py_BEGIN_ALLOW_THREADS;
  if (PyArray_TYPE(reinterpret_cast<PyArrayObject*>(q)) == NPY_DOUBLE)
    call.run<double>(to_coordinates<double>);
  else
    call.run<float>(to_coordinates<float>);
  Py_END_ALLOW_THREADS;
  Py_RETURN_NONE;
}

}  // namespace

PyMethodDef position_methods[] = {
    {"unit_positions", unit_positions, METH_VARARGS, nullptr},
    {"derivatives_by_coordinates", derivatives_by_coordinates, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace featherline::python
