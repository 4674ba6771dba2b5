#pragma once

#include <string>
#include <vector>

/// The routines of the runtime that a kernel may call: one row each in routines.cpp.
namespace featherline::ir {

struct AxisTable;
struct Call;

enum class Routine {
  // Loops, on an AxisTable.
  rnea_second_derivatives,
  add_friction,
  // On an AxisTable, as loops and unrolled by the compiler.
  minv,
  inverse,
  solve,
  negative_product,
  aba_derivatives,
  aba_derivatives_behind_base,
  // inverse, negative_product and aba_derivatives with the parts of M^-1
  // by blocks (featherline/detail/limb_blocks.hpp).
  inverse_and_parts,
  negative_product_of_parts,
  aba_derivatives_of_parts,
  aba_derivatives_of_parts_behind_base,
  aba_vector_hessian,
  solve_second_derivatives,
  // Panels, on a PanelTable.
  panel_derivatives,
  panel_second_derivatives,
  panel_vector_hessian,
  panel_mass_matrix_vector_derivative,
  add_to_diagonal,
  add_to_hessian,
  add_to_cube_diagonal,
  // On an AxisTable: featherline/step_derivatives.hpp.
  semi_implicit,
  semi_implicit_behind_base,
  positions,
  positions_behind_base,
  first_stage,
  middle_stage,
  middle_stage_behind_base,
  last_stage,
  last_stage_behind_base,
  // On an AxisTable, of rows of constraints: featherline/constrained_derivatives.hpp.
  constrained_columns,
  constrained_columns_behind_base,
  /// Of rows of constraints and coordinates without motors: featherline/constrained_inverse.hpp.
  held_columns,
  /// featherline/regressor.hpp.
  regressor,
  // On points: featherline/contact_step.hpp, contact_derivatives.hpp.
  contact_impulses,
  contact_impulses_from,
  contact_and_joint_impulses,
  contact_and_joint_impulses_from,
  contact_response,
  // On a LinkWalk.
  forward_kinematics,
  frame_jacobian
};

/// What an argument of a routine is, with n coordinates. The last two are not arrays.
enum class Shape {
  vector,        ///< n
  matrix,        ///< n x n
  tensor,        ///< n x n x n
  hessian,       ///< 2 n x 2 n
  motion,        ///< detail::num_motion numbers for each axis
  operators,     ///< detail::num_operators numbers for each axis
  base_columns,  ///< detail::put_base_columns()
  parts,         ///< detail::size_of_parts()
  joints,        ///< detail::PanelInputs
  moves,         ///< detail::Moves
  stage,         ///< n x 3 n
  torques,       ///< 2 n x n
  // With m rows of constraints:
  rows,         ///< m x n
  row_matrix,   ///< m x m
  turned_rows,  ///< m x 3
  // And f coordinates without motors:
  row_columns,  ///< m x f
  residuals,    ///< f x n
  // Of a regressor: 6 x n; featherline::regressor::numbers_of_body for each body; n x 10 for each.
  axis_motions,
  body_motions,
  regressor,
  // With N points and K joints:
  contact_matrix,    ///< (3 N + K) x (3 N + K)
  contact_speeds,    ///< 6 N, and the step
  contact_points,    ///< 6 N
  contact_impulses,  ///< 3 N
  contact_status,    ///< 4 + N
  contact_joints,    ///< 4 K
  contact_pushes,    ///< K
  contact_response,  ///< 18 N^2 + 5 N
  coordinates,       ///< q
  rotation,          ///< 3 x 3
  point,             ///< 3
  jacobian,          ///< 6 x n
  link,
  frame
};

/// Points that a step in time may have: each number is a routine of its own in the generator.
inline constexpr int most_contact_points = 16;
/// Joints whose limits and friction it may have: room that the generator has for them.
inline constexpr int most_contact_joints = 64;

/// What a call costs.
struct RoutineCost {
  int flops = 0;
  int code_bytes = 0;     ///< on x86-64
  int stack_entries = 0;  ///< scalars in arrays of its own
  double ns = 0;          ///< on x86-64 with AVX2 and fused multiply-add, in double
  int table_bytes = 0;    ///< constants of the robot that are among the bytes of code
};

struct RoutineRow {
  Routine routine;
  const char* header;  ///< featherline/HEADER.hpp; the routine is in namespace featherline::HEADER
  const char* name;
  /// Runs it on arrays. A walk has none: verify/run_kinematics.cpp walks to many links.
  void (*run)(const Call&, double* const* x);
  std::vector<Shape> arguments;
  /// The routine takes one more argument, `bool zeros`: whether it sets its last array to zero, piece by piece, before it
  /// writes there.
  bool clears = false;
};

const RoutineRow& row(Routine routine);

/// contact_step::impulses(), impulses_from() and contact_derivatives::response()
/// of as many points (contact_routine.cpp).
void run_contacts(const Call& call, double* const* x);
void run_contacts_from(const Call& call, double* const* x);
void run_contacts_and_joints(const Call& call, double* const* x);
void run_contacts_and_joints_from(const Call& call, double* const* x);
void run_contact_response(const Call& call, double* const* x);

/// "vector_loops": the header of the routine.
std::string header_of(const Call& call);
/// "vector_loops::minv".
std::string qualified_name(const Call& call);

/// What the routine costs on the tables of the call. cost::link_walk_figures() has that of a walk.
RoutineCost cost_of(const Call& call);
/// Related pairs of axes times coordinates: a product of M^-1 and a matrix with the zeros of the tree, one
/// multiplication each.
double size_of_product(const AxisTable& axes);
/// Operations of solve_second_derivatives in loops for one of n coordinates, of which r are on a path with it.
inline double flops_of_products(double n, double r) { return 8.0 * n * r * r + 6.0 * n * n * r; }
/// Bytes of the constant table of zeros that the loops read; 0 if there is none.
int bytes_of_pattern(int nv);

/// Runs the routine of a call: the code that is emitted, on the robot's tables. Only code that the compiler unrolls
/// cannot run on a tree that is read, because the number of registers in a row is a template argument. The loops of the
/// same names run in its place; inertia_loops_test.cpp compares both with Eigen. Throws InternalError if an array does
/// not have the size that the routine takes.
void run_routine(const Call& call, const std::vector<std::vector<double>*>& arguments);

}  // namespace featherline::ir
