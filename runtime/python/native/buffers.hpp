#pragma once

#include "numpy.hpp"

#include <cstddef>

/// Memory of large results. The system gives a program fresh pages, each of which it clears when it is first written
/// to: that takes longer than many functions take to fill them. So memory of results that are gone serves later ones.
namespace featherline::python {

/// Smaller arrays are NumPy's own: it and malloc keep memory of this size themselves.
constexpr std::size_t least_pooled_bytes = 128 * 1024;

/// An array of `n` dimensions in memory of the pool, which it gives back when it is gone. An empty Ref, with Python's
/// error set, if there is no memory. Needs the interpreter's lock, as all of this does.
Ref make_pooled_array(int n, npy_intp* dimensions, int scalar, std::size_t bytes, bool zeros);

}  // namespace featherline::python
