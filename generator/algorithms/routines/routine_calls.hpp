#pragma once

#include "algorithms/context.hpp"

#include <map>
#include <set>

/// Calls of runtime routines on the tree. The table ir/routines.hpp says what they take and what they cost.
namespace featherline::algorithms {

/// Whether no two joints share coordinates.
bool has_no_mimic(const model::Tree& tree);
/// The same, but for rotors on the parents of their joints, and no tendon couples joints. Articulated bodies need this.
bool has_own_coordinates(const model::Tree& tree);

/// The tree as runtime loops read it; a chain where tendons fill M between branches. The user's tree is accepted, too,
/// because the size policy estimates before the canonical tree exists.
ir::AxisTable axis_table(const model::Tree& tree);

/// Routines with the same names and results: featherline/vector_loops.hpp is compact,
/// featherline/unrolled_inverse.hpp is fast.
enum class Routines { loops, unrolled };

/// Adds the call of a routine on the tree. The arguments are names of arrays.
void call_on_tree(Context& context, Routines by, ir::Routine routine,
                  const std::vector<std::string>& arguments);
/// The same with all outputs behind the arguments.
void call_with_outputs(Context& context, Routines by, ir::Routine routine,
                       std::vector<std::string> arguments);

/// Whether M^-1 comes with its parts, in the local "parts". Products with M^-1 of a trunk with limbs
/// are faster from them.
enum class Inverse { alone, with_parts };
Inverse inverse_for_products(const Context& context, Routines by);
/// Minv = M^-1.
void call_inverse(Context& context, Routines by, Inverse inverse, const std::string& M,
                  const std::string& Minv);
/// B = -Minv B.
void call_negative_product(Context& context, Routines by, Inverse inverse, const std::string& Minv,
                           const std::string& B);

/// Turns the outputs, first derivatives of inverse dynamics, into those of forward dynamics. The call reads `da_dtau`.
/// Of a floating base it needs what is known about its columns (FloatingBase), in a local that this adds.
void call_aba_derivatives(Context& context, Routines by, Inverse inverse = Inverse::alone);

/// `H`, the Hessian of w^T a, from the locals `Minv`, `dtau_dq`, `dtau_dv`, `P` and `H_tau`. With lambda = M^-1 w, `P`
/// is d(M lambda)/dq, and `H_tau` the Hessian of lambda^T tau.
void call_aba_vector_hessian(Context& context, Routines by);

/// Calls of internal functions that solve for columns of outputs, several side by side. The solver is factored once,
/// before the calls: the functions read its numbers.
class ColumnCalls {
 public:
  /// Writes the numbers of the solver to the local array "solver".
  ColumnCalls(Context& context, const std::vector<StoredEntry>& numbers);

  /// Of a function: it reads the solver and right-hand sides, and writes the outputs.
  std::vector<ir::Buffer> inputs(int right_sides) const {
    return {{"solver", solver_size_}, {"b", right_sides}};
  }
  struct Output {
    std::string name;
    int first;                ///< entry of the output where the function writes its own first
    std::vector<int> places;  ///< behind this one, that it writes
  };
  /// Adds a call. Each value of `right_sides` has `lanes` lanes.
  void add(std::shared_ptr<const ir::Kernel> function, int lanes, const Coordinates& right_sides,
           const std::vector<Output>& outputs);
  /// Makes all calls. Outputs must be written by write() afterwards.
  void run();
  /// Writes the entries of an output that are not of calls. What is not left out is zero.
  void write(const std::string& output, const std::vector<StoredEntry>& entries = {},
             std::set<int> left_out = {}) {
    left_out.merge(std::set<int>(written_[output]));
    c_.output(output, entries, left_out);
  }

 private:
  struct Planned {
    ir::Call call;
    std::vector<std::string> arrays;
  };

  Context& c_;
  int solver_size_, size_ = 0;
  std::vector<Planned> calls_;
  std::vector<StoredEntry> right_sides_;
  std::map<std::string, std::set<int>> written_;  ///< by output: entries
};

/// The numbers of a solver, for functions that solve with it: each_number(f) of the solver runs f(x, lanes) on each.
/// Those that are known are in the code of the function.
template <class Solver>
std::vector<StoredEntry> solver_numbers(Solver solver) {
  std::vector<StoredEntry> entries;
  int size = 0;
  solver.each_number([&](const Scalar& x, int lanes) {
    if (x.is_constant()) return;
    entries.push_back({spaced_places(size, lanes), x});
    size += lanes;
  });
  return entries;
}
/// The same solver in another kernel, which has these numbers as an input, the first one if no other is named.
template <class Solver>
Solver solver_of_numbers(Solver solver, ir::Kernel& kernel, int input = 0) {
  int size = 0;
  solver.each_number([&](Scalar& x, int lanes) {
    if (x.is_constant()) return;
    x = kernel.gather(input, spaced_places(size, lanes));
    size += lanes;
  });
  return solver;
}

// Functions that are too long to unroll for large robots. Straight-line code computes local arrays. Loops of the
// runtime (featherline/vector_loops.hpp) compute the outputs from these arrays. M^-1 and products with it also exist
// unrolled by the compiler (featherline/unrolled_inverse.hpp).
//
//   function                 straight-line code                          loops
//   products with M^-1       M, the derivatives of inverse dynamics      the inverse, the products
//                            and their contractions
//   second derivatives       motion, composites and operators of all     pairs and triples of paper 002,
//                            degrees of freedom                          Algorithm 1
//
// The straight-line code then grows with nv times the depth of the tree, for second derivatives only with nv.
// Accelerations come from articulated bodies, if joints do not share coordinates. In the pairs and triples, all
// bodies of a subtree of the world are in one frame.

void minv_in_loops(Context& context, Routines by);
void aba_derivatives_in_loops(Context& context, Routines by);
void aba_vector_hessian_in_loops(Context& context, Routines by);
void minv_vector_derivative_in_loops(Context& context, Routines by);
void rnea_second_derivatives_in_loops(Context& context);
void aba_second_derivatives_in_loops(Context& context, Routines by);
/// Only the products with M^-1 are calls. With coupled joints this is in between: 13 us in panels, 10 us so, and 8 us
/// unrolled, with 57, 121 and 434 KB (mobile_manipulator). For ur5 it would take 2.0 us instead of 1.4.
void aba_second_derivatives_unrolled_with_calls(Context& context);

/// What the flops of unrolled forms grow with: so many for each pair of related joints, and so on.
struct UnrolledFlops {
  double pairs = 0, triples = 0;
  double minv_products = 0;    ///< flops of a product of M^-1 and a matrix
  double tensor_products = 0;  ///< of solve_second_derivatives, but for the known rows of a floating base

  bool operator==(const UnrolledFlops&) const = default;
};
/// Estimated flops of the unrolled forms. Near the limits of the size policy they are right within a factor of two.
/// For second derivatives of inverse dynamics, robots have 23 to 104 flops a triple. For those of forward dynamics,
/// they have 0.7 to 1.1 times the estimate.
double unrolled_flops(const model::Tree& tree, const UnrolledFlops& per);

// Derivatives in panels, for large trees with branches and for long chains. Straight-line code computes sines,
// cosines, gravity and the placements of rare joints. Routines of the runtime (featherline/panels.hpp) do everything
// else. They work on four degrees of freedom at a time.

/// Whether loops and panels know all that dynamics depends on: they know neither forces that lift bodies, nor tendons,
/// nor armature and damping of free joints.
bool has_plain_terms(const model::Tree& tree);
/// Whether panels can compute derivatives of this robot: there has to be more than a floating base,
/// neither external forces nor payloads, placements and gears among the chosen inputs, and plain terms.
bool fits_panels(const model::Tree& tree);

/// The same for contracted derivatives. Behind the root, each joint needs to have one axis. Among several axes of one
/// joint, entries that are zero would come out as rounding.
bool fits_contracted_panels(const model::Tree& tree);

/// The slots of a robot, and which bodies of the tree are behind them.
struct PanelLayout {
  ir::PanelTable table;
  std::vector<int> bodies;   ///< by body of the table: its index in the tree
  std::vector<int> roots;    ///< the children of the world
  std::vector<int> varying;  ///< bodies of the tree whose placement varies

  explicit PanelLayout(const model::CanonicalTree& tree);
};

/// First derivatives of inverse dynamics at the acceleration in the array `a`, to two arrays, which hold zeros before.
void call_panel_derivatives(Context& context, const std::string& a, const std::string& dtau_dq,
                            const std::string& dtau_dv);
void rnea_derivatives_in_panels(Context& context);
void rnea_second_derivatives_in_panels(Context& context);
void rnea_vector_hessian_in_panels(Context& context);
void mass_matrix_vector_derivative_in_panels(Context& context);

// Derivatives of forward dynamics, with M^-1 by unrolled routines (featherline/unrolled_inverse.hpp). Only the inertia
// and the bias torques are straight-line code, in limb lanes if the tree is folded.
void aba_derivatives_in_panels(Context& context);
void aba_second_derivatives_in_panels(Context& context);
void aba_vector_hessian_in_panels(Context& context);
void minv_vector_derivative_in_panels(Context& context);

}  // namespace featherline::algorithms
