#include "algorithms/inertia_loops.hpp"

#include "algorithms/forward_parts.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/tree_axes.hpp"
#include "algorithms/vector_hessian.hpp"

namespace featherline::algorithms {
namespace {

// Machine code of the loops: g++ 12 -O2, AVX-512.
constexpr int bytes_of_inverse = 3500, bytes_of_product = 400;
// Matrices the loops keep: L of M, M^-1, and with many coordinates the tables of indices.
constexpr int matrices_of_inverse = 3;

/// Related pairs of axes times coordinates: a product of M^-1 and a matrix with the zeros of the tree, one
/// multiplication each.
double product_size(const model::Tree& tree) { return tree.nv * TreeAxes(tree).num_related_pairs(); }

/// The inverse, and `products` products with it.
ir::Completion completion(const model::CanonicalTree& tree, ir::Completion::Call call, int products) {
  ir::Completion c = loops_over(tree);
  c.calls = {std::move(call)};
  c.flops = to_flops(flops_of_inverse(tree) + 2.0 * products * product_size(tree));
  c.code_bytes = bytes_of_inverse + bytes_of_product * products + bytes_of_pattern(tree);
  c.stack_entries = matrices_of_inverse * tree.nv * (tree.nv + 4);  // columns fill packs
  return c;
}

ir::Parameter matrix(const model::CanonicalTree& tree, const std::string& name) {
  return {name, tree.nv * tree.nv};
}

}  // namespace

double flops_of_inverse(const model::Tree& tree) {
  const double n = tree.nv;
  const double pairs = has_own_coordinates(tree) ? TreeAxes(tree).num_related_pairs() : n * n;
  return 4.0 / 3.0 * n * pairs;  // rows of M^-1, and a third of that for the factor
}

int bytes_of_pattern(const model::Tree& tree) {
  const int n = tree.nv;
  const int list = (2 * n + 3) / 4 * 4 + 4;  // n indices of two bytes, and their number
  return n <= max_constant_pattern ? 2 * n * list : 0;
}

// Fitted between skew chains of 20 to 50 joints, which have up to 1.4 times as many flops, and talos_reduced, which has
// 0.6 to 0.8 times as many. Chains of 30 are where loops begin to be faster: aba_derivatives 19.6 us against 28.3.
double unrolled_minv_flops(const model::Tree& tree) { return 1.3 * product_size(tree); }

double unrolled_aba_derivatives_flops(const model::Tree& tree) {
  return 105.0 * TreeAxes(tree).num_related_pairs() + 4.0 * product_size(tree);
}

double unrolled_aba_vector_hessian_flops(const model::Tree& tree) {
  return 100.0 * TreeAxes(tree).num_related_pairs() + 4.5 * product_size(tree);
}

double unrolled_minv_vector_derivative_flops(const model::Tree& tree) {
  return 40.0 * TreeAxes(tree).num_related_pairs() + 2.5 * product_size(tree);
}

ir::Function trace_minv_in_loops(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  Tracer t(heavy, "minv", "", {{"q", tree.nq}}, {matrix(tree, "M")});
  t.store_all(0, mass_matrix(t).column_major());
  ir::Function function = t.take();
  function.completion = completion(tree, {"minv", {"M"}}, 0);
  return function;
}

ir::Function trace_aba_derivatives_in_loops(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  Tracer t(heavy, "aba_derivatives", "", forward_state(tree),
           {matrix(tree, "M"), matrix(tree, "dtau_dq"), matrix(tree, "dtau_dv")});
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2);
  const Coordinates a = linear_solver(t)(net_torque(t, v, tau));
  const FirstDerivatives id = first_derivatives(t, v, a, chosen_frames(tree));
  store_all(t, 0, id);
  ir::Function function = t.take();
  function.completion = completion(tree, {"aba_derivatives", {"M", "dtau_dq", "dtau_dv"}}, 2);
  return function;
}

ir::Function trace_aba_vector_hessian_in_loops(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  std::vector<ir::Parameter> inputs = forward_state(tree);
  inputs.push_back({"w", tree.nv});
  Tracer t(heavy, "aba_vector_hessian", "", inputs,
           {matrix(tree, "M"),
            matrix(tree, "dtau_dq"),
            matrix(tree, "dtau_dv"),
            matrix(tree, "P"),
            {"H_tau", 4 * tree.nv * tree.nv}});
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2), w = input_coordinates(t, 3);
  const Solve solve = linear_solver(t);
  const Coordinates a = solve(net_torque(t, v, tau));
  const FrameRoots roots = chosen_frames(tree);
  const FirstDerivatives id = first_derivatives(t, v, a, roots);
  const VectorHessian h = vector_hessian(t, v, a, solve(w), roots);
  store_all(t, 0, id);
  t.store_all(3, h.dMw_dq.column_major());  // d(M lambda)/dq with lambda = M^-1 w
  t.store_all(4, hessian_entries(h.qq, h.qv, h.vv));
  ir::Function function = t.take();
  function.completion =
      completion(tree, {"aba_vector_hessian", {"M", "dtau_dq", "dtau_dv", "P", "H_tau"}}, 3);
  function.completion->stack_entries += tree.nv * (tree.nv + 4);  // Q
  return function;
}

ir::Function trace_minv_vector_derivative_in_loops(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  Tracer t(heavy, "minv_vector_derivative", "", {{"q", tree.nq}, {"w", n}},
           {matrix(tree, "M"), matrix(tree, "P")});
  const Coordinates zero = zero_coordinates(t), w = input_coordinates(t, 1);
  const FrameRoots roots = chosen_frames(tree);
  t.store_all(0, first_derivatives(t, zero, zero, roots).M.column_major());
  t.store_all(1, vector_hessian(t, zero, zero, linear_solver(t)(w), roots).dMw_dq.column_major());
  ir::Function function = t.take();
  function.completion = completion(tree, {"minv_vector_derivative", {"M", "P"}}, 1);
  return function;
}

}  // namespace featherline::algorithms
