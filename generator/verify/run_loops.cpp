#include "verify/run_loops.hpp"

#include "support/diagnostic.hpp"
#include "verify/loop_tree.hpp"

#include <algorithm>

namespace featherline::verify {
namespace detail {
namespace {

/// Tensors of second derivatives, for which the tool accepts up to 200 coordinates.
template <int N, bool Coupled>
struct TensorLoops {
  using Tree = LoopTree<N, Coupled>;

  static Arrays run(const ir::Function& function, const Arrays& arrays) {
    const ir::Completion& completion = *function.completion;
    const Embedding embedding{completion.nv, N};
    Arrays T(4, std::vector<double>(embedding.size(3, 1)));
    double *qq = T[0].data(), *vv = T[1].data(), *qv = T[2].data(), *M = T[3].data();
    const auto array = [&](const std::string& name) -> const std::vector<double>& {
      const auto found = std::find_if(function.outputs.begin(), function.outputs.end(),
                                      [&](const ir::Parameter& p) { return p.name == name; });
      return arrays[static_cast<std::size_t>(found - function.outputs.begin())];
    };
    for (const ir::Completion::Call& call : completion.calls) {
      const bool solves = call.routine == "solve_second_derivatives";
      Tree::set(completion, solves);
      if (call.routine == "rnea_second_derivatives") {
        vector_loops::rnea_second_derivatives(Tree{}, array("motion").data(), array("operators").data(), qq,
                                              vv, qv, M);
      } else if (call.routine == "add_friction") {
        vector_loops::add_friction(Tree{}, embedding.enlarged(array("friction"), 1, 1).data(), qq, vv, qv, M);
      } else if (solves) {
        std::vector<double> inertia = embedding.enlarged(array("M"), 2, 1);
        for (int k = completion.nv; k < N; ++k) inertia[static_cast<std::size_t>(k) * (N + 1)] = 1.0;
        vector_loops::solve_second_derivatives(
            Tree{}, inertia.data(), embedding.enlarged(array("dtau_dq"), 2, 1).data(),
            embedding.enlarged(array("dtau_dv"), 2, 1).data(), qq, vv, qv, M);
      }
    }
    for (std::vector<double>& tensor : T) tensor = embedding.reduced(tensor, 3, 1);
    return T;
  }
};

}  // namespace

Arrays run_tensor_loops(const ir::Function& function, const Arrays& arrays) {
  return run_embedded<TensorLoops>(function, arrays, std::integer_sequence<int, 48, 104, 200>{});
}

}  // namespace detail

Arrays run_loops(const ir::Function& function, const Arrays& arrays) {
  static const std::vector<std::string> on_tensors{"rnea_second_derivatives", "add_friction",
                                                   "solve_second_derivatives"};
  static const std::vector<std::string> on_matrices{"minv", "aba_derivatives", "minv_vector_derivative",
                                                    "aba_vector_hessian"};
  const std::vector<ir::Completion::Call>& calls = function.completion->calls;
  const auto all_in = [&](const std::vector<std::string>& routines) {
    return std::all_of(calls.begin(), calls.end(), [&](const ir::Completion::Call& call) {
      return std::find(routines.begin(), routines.end(), call.routine) != routines.end();
    });
  };
  if (all_in(on_tensors)) return detail::run_tensor_loops(function, arrays);
  if (all_in(on_matrices)) return detail::run_matrix_loops(function, arrays);
  throw InternalError("verification cannot run the loops of " + function.name);
}

}  // namespace featherline::verify
