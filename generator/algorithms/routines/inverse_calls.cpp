#include "algorithms/routines/inverse_calls.hpp"

#include "algorithms/dynamics/floating_base.hpp"
#include "algorithms/routines/tree_axes.hpp"

#include <featherline/detail/tree_relations.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace featherline::algorithms {
namespace {

// Machine code of the loops: g++ 12 -O2, AVX-512.
constexpr int bytes_of_inverse = 3500, bytes_of_product = 400, bytes_of_solution = 4000;
// Matrices the loops keep: L of M, M^-1, and with many coordinates the tables of indices.
constexpr int matrices_of_inverse = 3;

// Times of the loops on a Zen 4 with AVX-512, fitted to 13 robots with 3 to 38 degrees of freedom. Rows of one to five
// vectors take equally long, so the inverse and the products follow the number of related pairs. Most errors are
// below 30 %.
constexpr double ns_of_inverse_pair = 4.1, ns_of_product_pair = 1.8, ns_of_hessian_entry = 0.8;
constexpr double ns_of_solution_flop = 0.05, ns_of_solution_row = 25;
// The same of kernels, fitted to nine robots with 6 to 50 degrees of freedom: of a row, and of a related pair in each
// vector of eight. Errors are below 20 %.
constexpr double ns_of_kernel_inverse_row = 11, ns_of_kernel_inverse_vector = 0.18;
constexpr double ns_of_kernel_product_row = 3.2, ns_of_kernel_product_vector = 0.19;
constexpr double ns_of_kernel_hessian_entry = 0.39;
constexpr double ns_of_kernel_solution_flop = 0.0165, ns_of_kernel_solution_column = 25;
constexpr double ns_of_solve_entry = 0.04;

/// Rows of matrices fill vectors of 4.
int entries_of_matrix(int n) { return n * (n + 4); }

/// Related pairs of coordinates, each as often as its row has vectors of eight.
double num_vectors(const model::Tree& tree) {
  return TreeAxes(tree).num_related_pairs() * std::ceil(tree.nv / 8.0);
}

/// By axis: how many are on one path with it as the factor sees it. Shared coordinates may fill the factor.
std::vector<double> related_in_factor(const model::Tree& tree) {
  const TreeAxes axes(tree);
  if (has_no_mimic(tree) || detail::coordinates_form_tree(axes.rows().data(), axes.size()))
    return axes.num_related();
  return std::vector<double>(static_cast<std::size_t>(tree.nv), tree.nv);
}

/// By axis: how many are in joints above its own.
std::vector<double> above(const TreeAxes& axes) {
  std::vector<double> counts;
  for (const ir::AxisTable::Axis& axis : axes.rows()) {
    const auto parent = static_cast<std::size_t>(axis.parent);
    counts.push_back(axis.parent < 0 ? 0.0 : counts[parent] + axes.rows()[parent].count);
  }
  return counts;
}

struct Figures {
  double flops = 0.0, code_bytes = 0.0, stack_entries = 0.0;
};

Figures inverse_in_loops(const model::Tree& tree) {
  const double n = tree.nv;
  const double pairs = has_no_mimic(tree) ? TreeAxes(tree).num_related_pairs() : n * n;
  return {4.0 / 3.0 * n * pairs,  // rows of M^-1, and a third of that for the factor
          static_cast<double>(bytes_of_inverse + bytes_of_pattern(tree)),
          static_cast<double>(matrices_of_inverse * entries_of_matrix(tree.nv))};
}

/// M^-1 in kernels. Machine code is that of g++ 12 -O2 with vectors of 4, within 15 %.
Figures inverse_in_kernels(const model::Tree& tree, int max_unrolled) {
  const double n = tree.nv, vectors = std::ceil(n / 4.0);
  Figures figures{0.0, 400.0 + 150.0 * vectors, 3.0 * entries_of_matrix(tree.nv)};
  double pairs = 0.0;
  for (const double r : related_in_factor(tree)) {
    pairs += (r - 1.0) / 2.0;
    figures.flops += (r - 1.0) * (n + r) + 2.0 * (n + r);
    figures.code_bytes += 60.0 + 80.0 * std::min(vectors, std::ceil(r / 4.0) + 1.0);
  }
  if (pairs * vectors <= max_unrolled) {
    figures.code_bytes = 1000.0 + 32.0 * pairs * vectors;
    figures.stack_entries = 4.0 * entries_of_matrix(tree.nv) + 100.0;
  }
  return figures;
}
constexpr double bytes_of_kernel_product = 900.0, bytes_of_kernel_solution = 11'500.0;

/// Second derivatives of forward dynamics in kernels.
Figures solution_in_kernels(const model::Tree& tree) {
  const double n = tree.nv;
  const TreeAxes axes(tree);
  const std::vector<double> related = axes.num_related(), num_above = above(axes);
  Figures figures{4.0 * size_of_product(tree), bytes_of_kernel_product + bytes_of_kernel_solution,
                  6.0 * entries_of_matrix(tree.nv)};  // with first derivatives
  for (std::size_t k = 0; k < related.size(); ++k) {
    const double r = related[k], a = num_above[k];
    const double inertia = a * (2.0 * r - a);  // entries of dM/dq_k
    figures.flops += n * r * r;                // d2a_dvdv
    figures.flops += a > 0.0 ? 6.0 * n * (inertia + n * r) : 4.0 * size_of_product(tree);
  }
  return figures;
}

Figures solution_in_loops(const model::Tree& tree) {
  Figures figures;
  for (const double r : TreeAxes(tree).num_related()) figures.flops += flops_of_products(tree.nv, r);
  figures.code_bytes = bytes_of_solution + bytes_of_pattern(tree);
  figures.stack_entries = 5.0 * tree.nv * tree.nv;
  return figures;
}

ir::Call with_figures(ir::Call call, const Figures& figures) {
  call.flops = to_flops(figures.flops);
  call.code_bytes = static_cast<int>(figures.code_bytes);
  call.stack_entries = static_cast<int>(figures.stack_entries);
  return call;
}

/// Whether kernels do what is asked of them.
bool runs_kernels(Routines by, const model::Tree& tree) {
  if (by == Routines::loops || tree.nv < 2 || tree.nv > max_kernel_coordinates) return false;
  const std::vector<double> related = related_in_factor(tree);
  return std::accumulate(related.begin(), related.end(), 0.0) <= max_kernel_pairs;
}

}  // namespace

ir::Call runtime_call(const Context& c, Routines by, const std::string& routine,
                      std::vector<std::string> arguments) {
  ir::Call call;
  call.routine = (by == Routines::loops ? "vector_loops::" : "dense_kernels::") + routine;
  call.arguments = std::move(arguments);
  call.axes = axis_table(c.tree());
  return call;
}

std::vector<std::string> and_outputs(const Context& c, std::vector<std::string> arguments) {
  for (std::string& output : c.output_names()) arguments.push_back(std::move(output));
  return arguments;
}

namespace {

ir::Call make_inverse(const Context& c, Routines by, const std::string& routine,
                      std::vector<std::string> arguments, int max_unrolled) {
  const model::Tree& tree = c.tree();
  const bool kernels = runs_kernels(by, tree);
  ir::Call call = with_figures(runtime_call(c, by, routine, std::move(arguments)),
                               kernels ? inverse_in_kernels(tree, max_unrolled) : inverse_in_loops(tree));
  const double pairs = TreeAxes(tree).num_related_pairs();
  call.ns = kernels ? ns_of_kernel_inverse_row * tree.nv + ns_of_kernel_inverse_vector * num_vectors(tree)
                    : ns_of_inverse_pair * pairs;
  return call;
}

}  // namespace

ir::Call minv_call(const Context& c, Routines by, const std::string& M, const std::string& Minv) {
  return make_inverse(c, by, "minv", {M, Minv}, max_unrolled_alone);
}

ir::Call inverse_call(const Context& c, Routines by, const std::string& M, const std::string& Minv) {
  return make_inverse(c, by, "inverse", {M, Minv}, max_unrolled_in_parts);
}

ir::Call solve_call(const Context& c, Routines by, const std::string& Minv, const std::string& b,
                    const std::string& x) {
  const double entries = c.nv() * c.nv();
  ir::Call call = with_figures(runtime_call(c, by, "solve", {Minv, b, x}), {2.0 * entries, 200.0, 0.0});
  call.ns = ns_of_solve_entry * entries;
  return call;
}

namespace {

ir::Call multiply(const Context& c, Routines by, const std::string& routine,
                  std::vector<std::string> arguments, int products, bool is_hessian) {
  const model::Tree& tree = c.tree();
  const bool kernels = runs_kernels(by, tree);
  const int matrices = is_hessian ? 2 : 1;  // the Hessian keeps Q, too
  Figures figures{2.0 * products * size_of_product(tree), bytes_of_kernel_product,  // they share it
                  static_cast<double>(matrices * entries_of_matrix(tree.nv))};
  if (!kernels) figures.code_bytes = bytes_of_product * products + bytes_of_pattern(tree);
  ir::Call call = with_figures(runtime_call(c, by, routine, std::move(arguments)), figures);
  const double product =
      kernels ? ns_of_kernel_product_row * tree.nv + ns_of_kernel_product_vector * num_vectors(tree)
              : ns_of_product_pair * TreeAxes(tree).num_related_pairs();
  const double entry = kernels ? ns_of_kernel_hessian_entry : ns_of_hessian_entry;
  call.ns = product * products;
  if (is_hessian) call.ns += entry * 4.0 * tree.nv * tree.nv;
  return call;
}

}  // namespace

ir::Call product_call(const Context& c, Routines by, const std::string& routine,
                      std::vector<std::string> arguments, int products) {
  return multiply(c, by, routine, std::move(arguments), products, false);
}

ir::Call hessian_call(const Context& c, Routines by) {
  return multiply(c, by, "aba_vector_hessian", {"Minv", "dtau_dq", "dtau_dv", "P", "H_tau", "H"}, 3, true);
}

void call_aba_derivatives(Context& c, Routines by) {
  using Base = FloatingBase;
  const Base base(c, c.input("v"));
  if (!base.applies())
    return c.call(product_call(c, by, "aba_derivatives", {"da_dtau", "da_dq", "da_dv"}, 2));
  c.begin_section("columns of the floating base");
  c.local("base", base.linear_rows());
  ir::Call call =
      product_call(c, by, "aba_derivatives_behind_base", {"da_dtau", "base", "da_dq", "da_dv"}, 2);
  // Every coordinate is related to those of the base.
  constexpr double known_columns = Base::columns_q + Base::columns_v;
  const double saved = known_columns * c.nv() / (2.0 * TreeAxes(c.tree()).num_related_pairs());
  call.flops = to_flops((1.0 - saved) * call.flops);
  call.ns *= 1.0 - saved;
  c.call(std::move(call));
}

ir::Call second_derivative_solution(const Context& c, Routines by) {
  const model::Tree& tree = c.tree();
  const bool kernels = runs_kernels(by, tree);
  ir::Call call = with_figures(
      runtime_call(c, by, "solve_second_derivatives", and_outputs(c, {"Minv", "dtau_dq", "dtau_dv"})),
      kernels ? solution_in_kernels(tree) : solution_in_loops(tree));
  call.ns = kernels
                ? ns_of_kernel_solution_flop * call.flops + ns_of_kernel_solution_column * tree.nv * tree.nv
                : ns_of_solution_flop * call.flops + ns_of_solution_row * tree.nv * tree.nv;
  return call;
}

double size_of_product(const model::Tree& tree) { return tree.nv * TreeAxes(tree).num_related_pairs(); }

double flops_of_products(double n, double r) { return 8.0 * n * r * r + 6.0 * n * n * r; }

int bytes_of_pattern(const model::Tree& tree) {
  const int n = tree.nv;
  const int list = (2 * n + 3) / 4 * 4 + 4;  // n indices of two bytes, and their number
  return n <= max_constant_pattern ? 2 * n * list : 0;
}

}  // namespace featherline::algorithms
