#pragma once

#include "algorithms/context.hpp"

/// Calls of runtime routines on the tree, and what those that invert M cost.
namespace featherline::algorithms {

/// Routines with the same names and results: featherline/vector_loops.hpp is compact, featherline/dense_kernels.hpp is
/// unrolled and fast.
enum class Routines { loops, kernels };

/// A routine on the tree with its arguments.
ir::Call runtime_call(const Context& context, Routines by, const std::string& routine,
                      std::vector<std::string> arguments);

/// The arguments, and behind them all outputs.
std::vector<std::string> and_outputs(const Context& context, std::vector<std::string> arguments);

/// Minv = M^-1, as a part of a function, or as the whole of one.
ir::Call inverse_call(const Context& context, Routines by, const std::string& M, const std::string& Minv);
ir::Call minv_call(const Context& context, Routines by, const std::string& M, const std::string& Minv);

/// x = Minv b.
ir::Call solve_call(const Context& context, Routines by, const std::string& Minv, const std::string& b,
                    const std::string& x);

/// A routine that multiplies `products` matrices with M^-1.
ir::Call product_call(const Context& context, Routines by, const std::string& routine,
                      std::vector<std::string> arguments, int products);

/// `H`, the Hessian of w^T a, from the locals `Minv`, `dtau_dq`, `dtau_dv`, `P`, which is d(M lambda)/dq, and `H_tau`,
/// the Hessian of lambda^T tau, where lambda = M^-1 w.
ir::Call hessian_call(const Context& context, Routines by);

/// The routine that turns the outputs, first derivatives of inverse dynamics, into those of forward dynamics. It reads
/// `Minv`. Of a floating base it needs what is known about its columns (FloatingBase), in a local that this adds.
void call_aba_derivatives(Context& context, Routines by);

/// The one that turns second derivatives of inverse dynamics into those of forward dynamics.
ir::Call second_derivative_solution(const Context& context, Routines by);

/// Related pairs of axes times coordinates: a product of M^-1 and a matrix with the zeros of the tree, one
/// multiplication each.
double size_of_product(const model::Tree& tree);
/// Operations of second_derivative_solution() in loops for one of n coordinates, of which r are on a path with it.
double flops_of_products(double n, double r);

/// Robots with more coordinates than this have no constant table of zeros. It equals
/// featherline::detail::max_constant_pattern.
inline constexpr int max_constant_pattern = 40;
/// Bytes of the constant table of zeros that the loops read; 0 if there is none.
int bytes_of_pattern(const model::Tree& tree);

/// Robots with more coordinates, or more pairs of them on one path, have no kernels, and their calls run loops. The
/// numbers equal those in featherline::dense_kernels.
inline constexpr int max_kernel_coordinates = 64, max_kernel_pairs = 1300;
/// Up to these sizes kernels unroll M^-1, as featherline::dense_kernels does.
inline constexpr int max_unrolled_alone = 500, max_unrolled_in_parts = 150;

}  // namespace featherline::algorithms
