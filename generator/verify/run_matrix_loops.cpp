#include "support/diagnostic.hpp"
#include "verify/loop_tree.hpp"

namespace featherline::verify::detail {
namespace {

/// M^-1 and products with it.
template <int N, bool Coupled>
struct MatrixLoops {
  using Tree = LoopTree<N, Coupled>;

  static Arrays run(const ir::Function& function, const Arrays& arrays) {
    const ir::Completion& completion = *function.completion;
    const Embedding embedding{completion.nv, N};
    Tree::set(completion, true);
    Arrays in;
    for (std::size_t k = 0; k < arrays.size(); ++k) {
      const bool hessian = arrays[k].size() == std::size_t{4} * completion.nv * completion.nv;
      in.push_back(embedding.enlarged(arrays[k], 2, hessian ? 2 : 1));
    }
    for (int k = completion.nv; k < N; ++k) in[0][static_cast<std::size_t>(k) * (N + 1)] = 1.0;  // of M
    const std::string& routine = completion.calls.front().routine;
    Arrays out(routine == "aba_derivatives" ? 3 : 1);
    const int blocks = routine == "aba_vector_hessian" ? 2 : 1;
    for (std::vector<double>& result : out) result.resize(embedding.size(2, blocks));
    call(routine, in, out);
    for (std::vector<double>& result : out) result = embedding.reduced(result, 2, blocks);
    return out;
  }

 private:
  static void call(const std::string& routine, const Arrays& in, Arrays& out) {
    const Tree tree;
    if (routine == "minv") vector_loops::minv(tree, in[0].data(), out[0].data());
    if (routine == "aba_derivatives") {
      vector_loops::aba_derivatives(tree, in[0].data(), in[1].data(), in[2].data(), out[0].data(),
                                    out[1].data(), out[2].data());
    }
    if (routine == "minv_vector_derivative")
      vector_loops::minv_vector_derivative(tree, in[0].data(), in[1].data(), out[0].data());
    if (routine == "aba_vector_hessian") {
      vector_loops::aba_vector_hessian(tree, in[0].data(), in[1].data(), in[2].data(), in[3].data(),
                                       in[4].data(), out[0].data());
    }
  }
};

}  // namespace

Arrays run_matrix_loops(const ir::Function& function, const Arrays& arrays) {
  return run_embedded<MatrixLoops>(function, arrays, std::integer_sequence<int, 48, 104, 200, 712, 2832>{});
}

}  // namespace featherline::verify::detail
