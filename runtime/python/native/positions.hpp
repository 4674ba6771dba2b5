#pragma once

#include "numpy.hpp"

/// Positions by coordinates, for featherline.torch where it needs no graph: torch_positions.py has the same formulas as
/// operations of PyTorch, which take five times as long.
namespace featherline::python {

/// unit_positions(pieces, q, out): q with quaternions divided by their lengths.
/// derivatives_by_coordinates(pieces, q, w, out): out of w, along steps of the position that is meant, into nq columns.
/// A piece is a row of (kind, first entry of q, first entry of v, number of entries of q), as int32. Arrays are count x
/// nq or nv, all of float64 or of float32, without gaps. ValueError if they are not.
extern PyMethodDef position_methods[];

}  // namespace featherline::python
