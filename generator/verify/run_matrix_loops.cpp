#include "verify/embedded_tree.hpp"

namespace featherline::verify::detail {
namespace {

/// M^-1 and products with it. M comes first, results last.
struct MatrixLoops {
  template <class Tree>
  static void run(const std::string& routine, const Tree& tree, Arguments& x) {
    if (routine == "vector_loops::minv") {
      vector_loops::minv(tree, x.inertia(0), x.enlarged(1, 2));
      x.reduce(1);
    } else if (routine == "vector_loops::aba_derivatives") {
      vector_loops::aba_derivatives(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2), x.enlarged(3, 2),
                                    x.enlarged(4, 2), x.enlarged(5, 2));
      for (const std::size_t result : {3, 4, 5}) x.reduce(result);
    } else if (routine == "vector_loops::minv_vector_derivative") {
      vector_loops::minv_vector_derivative(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2));
      x.reduce(2);
    } else {
      vector_loops::aba_vector_hessian(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2),
                                       x.enlarged(3, 2), x.enlarged(4, 2, 2), x.enlarged(5, 2, 2));
      x.reduce(5);
    }
  }
};

}  // namespace

bool run_matrix_loop(const ir::Call& call, const BufferMap& buffers) {
  const std::string& routine = call.routine;
  if (routine != "vector_loops::minv" && routine != "vector_loops::aba_derivatives" &&
      routine != "vector_loops::minv_vector_derivative" && routine != "vector_loops::aba_vector_hessian")
    return false;
  run_embedded<MatrixLoops>(call, buffers, true, std::integer_sequence<int, 48, 104, 200, 712, 2832>{});
  return true;
}

}  // namespace featherline::verify::detail
