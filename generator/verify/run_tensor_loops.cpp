#include "support/diagnostic.hpp"
#include "verify/embedded_tree.hpp"

namespace featherline::verify {
namespace detail {
namespace {

/// Tensors of second derivatives, for which the tool accepts up to 200 coordinates.
struct TensorLoops {
  template <class Tree>
  static void run(const std::string& routine, const Tree& tree, Arguments& x) {
    const bool solves = routine == "vector_loops::solve_second_derivatives";
    const bool adds = routine == "vector_loops::add_friction";
    const std::size_t first = solves ? 3 : adds ? 1 : 2;  // tensor
    double* T[4];
    for (std::size_t k = 0; k < 4; ++k) T[k] = x.enlarged(first + k, 3);
    if (solves) {
      vector_loops::solve_second_derivatives(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2), T[0],
                                             T[1], T[2], T[3]);
    } else if (adds) {
      vector_loops::add_friction(tree, x.enlarged(0, 1), T[0], T[1], T[2], T[3]);
    } else {
      vector_loops::rnea_second_derivatives(tree, x.plain(0), x.plain(1), T[0], T[1], T[2], T[3]);
    }
    for (std::size_t k = 0; k < 4; ++k) x.reduce(first + k);
  }
};

}  // namespace

bool run_tensor_loop(const ir::Call& call, const BufferMap& buffers) {
  const bool solves = call.routine == "vector_loops::solve_second_derivatives";
  if (!solves && call.routine != "vector_loops::add_friction" &&
      call.routine != "vector_loops::rnea_second_derivatives")
    return false;
  run_embedded<TensorLoops>(call, buffers, solves, std::integer_sequence<int, 48, 104, 200>{});
  return true;
}

}  // namespace detail

void run_call(const ir::Call& call, const BufferMap& buffers) {
  if (!detail::run_tensor_loop(call, buffers) && !detail::run_matrix_loop(call, buffers))
    throw InternalError("verification cannot run " + call.routine);
}

}  // namespace featherline::verify
