#pragma once

#include "algorithms/context.hpp"

/// Calls of runtime routines on the tree. The table ir/routines.hpp says what they take and what they cost.
namespace featherline::algorithms {

/// Whether no two joints share coordinates. Articulated bodies need this.
bool has_no_mimic(const model::Tree& tree);

/// The tree as runtime loops read it. The user's tree is accepted, too, because the size policy estimates before the
/// canonical tree exists.
ir::AxisTable axis_table(const model::Tree& tree);

/// Routines with the same names and results: featherline/vector_loops.hpp is compact, featherline/unrolled_inverse.hpp is
/// fast.
enum class Routines { loops, unrolled };

/// Adds the call of a routine on the tree. The arguments are names of arrays.
void call_on_tree(Context& context, Routines by, ir::Routine routine,
                  const std::vector<std::string>& arguments);
/// The same with all outputs behind the arguments.
void call_with_outputs(Context& context, Routines by, ir::Routine routine,
                       std::vector<std::string> arguments);

/// Turns the outputs, first derivatives of inverse dynamics, into those of forward dynamics. The call reads `da_dtau`. Of
/// a floating base it needs what is known about its columns (FloatingBase), in a local that this adds.
void call_aba_derivatives(Context& context, Routines by);

/// `H`, the Hessian of w^T a, from the locals `Minv`, `dtau_dq`, `dtau_dv`, `P`, which is d(M lambda)/dq, and `H_tau`,
/// the Hessian of lambda^T tau, where lambda = M^-1 w.
void call_aba_vector_hessian(Context& context, Routines by);

}  // namespace featherline::algorithms
