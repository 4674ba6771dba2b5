#pragma once

#include "ir/function.hpp"

#include <vector>

/// The runtime's loops (featherline/vector_loops.hpp), run by the generator on what the straight-line part of a function
/// computed.
///
/// Emitted code hands the loops its tree as constants. Here the tree is known at run time only, so it is embedded in one
/// of a few fixed numbers of coordinates: those that are missing become joints of their own at the root, with inertia 1,
/// which no other joint feels.
namespace featherline::verify {

using Arrays = std::vector<std::vector<double>>;

/// Runs function.completion on `arrays`, the values of function.outputs; the dense results in the order of the emitted
/// signature. Throws InternalError for a routine it does not know, or a robot larger than any the tool accepts.
Arrays run_loops(const ir::Function& function, const Arrays& arrays);

namespace detail {

/// The routines on tensors, and those on matrices.
Arrays run_tensor_loops(const ir::Function& function, const Arrays& arrays);
Arrays run_matrix_loops(const ir::Function& function, const Arrays& arrays);

}  // namespace detail
}  // namespace featherline::verify
