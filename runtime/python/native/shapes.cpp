#include "shapes.hpp"

#include "buffers.hpp"

namespace featherline::python {

namespace {

/// The shape of `array` in Python, the leading dimension included.
int dimensions_of(const Array& array, const Count& count, npy_intp* dimensions) {
  int n = 0;
  if (count.is_batch) dimensions[n++] = count.value;
  for (int i = 0; i < array.rank; ++i) dimensions[n++] = array.sides[i];
  return n;
}

/// The side that runs fastest but k.
int side_by_speed(const Array& array, int k) { return array.entries_first ? (k + 1) % array.rank : k; }

/// Whether memory has the sides in NumPy's own order, the last one fastest.
bool is_in_order_of_numpy(const Array& array) {
  return array.rank < 2 || (array.entries_first && array.rank == 2);
}

/// In NumPy's own order. A product that overflows is left to NumPy, which refuses it.
Ref new_array(int n, npy_intp* dimensions, int scalar, bool zeros) {
  const npy_intp numbers = PyArray_OverflowMultiplyList(dimensions, n);
  const std::size_t item = scalar == NPY_DOUBLE ? 8 : 4;
  if (numbers >= static_cast<npy_intp>(least_pooled_bytes / item) && numbers <= NPY_MAX_INTP / 16)
    return make_pooled_array(n, dimensions, scalar, static_cast<std::size_t>(numbers) * item, zeros);
  return Ref{zeros ? PyArray_ZEROS(n, dimensions, scalar, 0) : PyArray_SimpleNew(n, dimensions, scalar)};
}

std::string in_brackets(std::string sides, int rank) { return "(" + sides + (rank == 1 ? ",)" : ")"); }

std::string text_of(const npy_intp* sides, int rank) {
  std::string text;
  for (int i = 0; i < rank; ++i)
    text += (i > 0 ? ", " : "") + (sides[i] < 0 ? "N" : std::to_string(sides[i]));
  return text;
}

}  // namespace

npy_intp size_of(const Array& array) {
  npy_intp size = 1;
  for (int i = 0; i < array.rank; ++i) size *= array.sides[i];
  return size;
}

bool has_shape(const Array& array, PyArrayObject* numpy, const Count& count) {
  npy_intp dimensions[max_rank + 1];
  const int n = dimensions_of(array, count, dimensions);
  return PyArray_NDIM(numpy) == n && PyArray_CompareLists(dimensions, PyArray_DIMS(numpy), n);
}

bool is_laid_out(const Array& array, PyArrayObject* numpy, const Count& count) {
  if (!PyArray_ISALIGNED(numpy) || !PyArray_ISNOTSWAPPED(numpy)) return false;
  if (PyArray_SIZE(numpy) == 0) return true;
  const npy_intp* strides = PyArray_STRIDES(numpy);
  const int first = count.is_batch ? 1 : 0;
  npy_intp stride = PyArray_ITEMSIZE(numpy);
  for (int k = 0; k < array.rank; ++k) {
    const int side = side_by_speed(array, k);
    if (array.sides[side] > 1 && strides[first + side] != stride) return false;
    stride *= array.sides[side];
  }
  return !count.is_batch || count.value <= 1 || strides[0] == stride;
}

Ref make_array(const Array& array, int scalar, const Count& count, bool zeros) {
  // Made with the slowest side first. Entry i of `order` says where side i of Python is then.
  npy_intp dimensions[max_rank + 1], order[max_rank + 1] = {};
  int n = 0;
  if (count.is_batch) dimensions[n++] = count.value;
  const int first = n;
  for (int k = array.rank - 1; k >= 0; --k) {
    const int side = side_by_speed(array, k);
    order[first + side] = n;
    dimensions[n++] = array.sides[side];
  }
  Ref made = new_array(n, dimensions, scalar, zeros);
  if (!made || is_in_order_of_numpy(array)) return made;
  PyArray_Dims permutation{order, n};
  return Ref{PyArray_Transpose(made.array(), &permutation)};
}

std::string shape_of(PyArrayObject* array) {
  return in_brackets(text_of(PyArray_DIMS(array), PyArray_NDIM(array)), PyArray_NDIM(array));
}

std::string shape_of(const Array& array, const Count& count) {
  npy_intp dimensions[max_rank + 1];
  const int n = dimensions_of(array, count, dimensions);
  return in_brackets(text_of(dimensions, n), n);
}

std::string expected_shape(const Array& array) {
  npy_intp sides[max_rank + 1];
  const std::string text = text_of(sides, dimensions_of(array, {}, sides));
  const std::string many = array.rank == 0 ? "count" : "count, " + text;
  return in_brackets(text, array.rank) + ", or " + in_brackets(many, array.rank + 1) + " for many states";
}

const char* order_of(const Array& array, const Count& count) {
  if (is_in_order_of_numpy(array)) return "";
  return count.is_batch || array.entries_first
             ? ", each matrix column by column, as the function itself makes it"
             : ", column by column: order=\"F\"";
}

}  // namespace featherline::python
