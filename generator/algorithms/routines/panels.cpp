#include "algorithms/routines/panels.hpp"

#include "algorithms/dynamics/armature_and_friction.hpp"
#include "algorithms/dynamics/floating_base.hpp"
#include "algorithms/joints.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/routines/panel_layout.hpp"
#include "algorithms/routines/tree_axes.hpp"
#include "ir/panel_table.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;

// Machine code of the routines: g++ 12 -O2, AVX2.
constexpr int bytes_of_first_order = 14600, bytes_of_second_order = 33800, bytes_of_hessian = 23400,
              bytes_of_mass_matrix_derivative = 17000;
/// Measured on a Zen 4 with AVX-512, nine robots with 6 to 50 degrees of freedom: 0.031 to 0.039, 0.031 to 0.049, 0.041
/// to 0.051, 0.034 to 0.043.
constexpr double ns_of_first_order_flop = 0.034, ns_of_second_order_flop = 0.041, ns_of_hessian_flop = 0.045,
                 ns_of_mass_matrix_flop = 0.036;
/// Tables of constants and of integers, for each axis.
constexpr int bytes_of_tables = 220;
/// Rows of the tables that motion and composites, first derivatives, and second derivatives take.
constexpr int rows_of_motion = 76, rows_of_forces = 21, rows_of_operators = 39, rows_of_rates = 58;
/// Columns of these tables that are not slots.
constexpr int further_columns = 16;
// Operations. Of an axis: poses, motion, inertias and composites; t1 to t4; the operators; rows and columns of a
// floating base.
constexpr int flops_of_motion = 640, flops_of_forces = 260, flops_of_operators = 560, flops_of_rates = 600,
              flops_of_base = 55;
// Of the base's own entries, and of a pair of axes: both entries of both matrices.
constexpr int flops_of_own_base = 900, flops_of_panel_pair = 80, flops_of_hessian_pair = 140,
              flops_of_mass_matrix_pair = 22;
// Of a row of all tensors, for one axis: its three vectors, the columns of a base, one pair of columns.
constexpr int flops_of_row = 90, flops_of_row_and_base = 50, flops_of_panel_triple = 80;

void append_xyz(Values& entries, const Vector3& x) { entries.insert(entries.end(), {x.x, x.y, x.z}); }

/// The array `joints` (detail::PanelInputs).
Values joint_values(Context& c, const PanelLayout& layout) {
  Values cosines, sines, rest;
  for (std::size_t b = 0; b < layout.bodies.size(); ++b) {
    const bool turns = layout.table.bodies[b].placement < 0 && c.parent(layout.bodies[b]) >= 0;
    const Scalar angle = turns ? joint_angle(c, layout.bodies[b]) : Scalar(0.0);
    cosines.push_back(turns ? cos(angle) : Scalar(1.0));
    sines.push_back(turns ? sin(angle) : Scalar(0.0));
  }
  for (const int root : layout.roots) append_xyz(rest, joint_motion(c, root).R.to_child(-c.gravity()));
  for (const int i : layout.varying) {
    c.begin_section(i, "placement");
    const JointMotion X = joint_motion(c, i);
    const Matrix3 R = X.R.matrix();
    for (int k = 0; k < 3; ++k) append_xyz(rest, R.column(k));
    append_xyz(rest, X.p);
  }
  Values all = cosines;
  all.insert(all.end(), sines.begin(), sines.end());
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

/// Whether every call overwrites what it wrote before. Friction is added to entries that nothing else writes, and
/// panels of coupled joints add everything.
bool clears_second_order_once(const model::Tree& tree) { return !has_friction(tree) && has_no_mimic(tree); }

/// If once is not enough, panels add to the zeros.
void clear_outputs(Context& c, bool once) { c.clear_outputs(once, !once); }

}  // namespace

bool fits_panels(const model::Tree& tree) {
  // Inertias are numbers in the panels' tables, and external forces are not implemented there.
  const bool only_gravity = tree.chosen.forces.empty() && tree.chosen.payloads.empty();
  return only_gravity && tree.nv > 0 && (tree.bodies.size() > 1 || !has_floating_base(tree));
}

bool fits_contracted_panels(const model::Tree& tree) {
  return fits_panels(tree) &&
         std::all_of(tree.bodies.begin(), tree.bodies.end(), [&](const model::Body& body) {
           const bool is_base = has_floating_base(tree) && &body == &tree.bodies.front();
           return is_base || body.joint.nv == 1;
         });
}

Panels::Panels(Context& context) : c_(context) {
  const PanelLayout layout(c_.tree());
  table_ = std::make_shared<ir::PanelTable>(layout.table);
  c_.local("joints", joint_values(c_, layout));
}

ir::Call Panels::call(const std::string& routine, std::vector<std::string> arguments) const {
  ir::Call call;
  call.routine = "panels::" + routine;
  call.arguments = std::move(arguments);
  call.panels = table_;
  return call;
}

int Panels::count(int begin, int end) const {
  int slots = 0;
  for (int r = begin; r < end; ++r) slots += table_->ranges[static_cast<std::size_t>(r)].count;
  return slots;
}

double Panels::num_pairs() const {
  double pairs = 0.0;
  for (const PanelSegment& segment : table_->segments)
    pairs += segment.count * (count(segment.above_begin, segment.above_end) + (segment.count + 1.0) / 2.0);
  return pairs;
}

double Panels::flops_of_tensors() const {
  double flops = 0.0;
  for (const PanelSegment& segment : table_->segments) {
    const int above = count(segment.above_begin, segment.above_end);
    const int rows = above + count(segment.below_begin, segment.below_end) + (table_->floating ? 6 : 0);
    const double columns = above + (segment.count + 1.0) / 2.0;
    flops +=
        segment.count * rows *
        (flops_of_row + (table_->floating ? flops_of_row_and_base : 0) + flops_of_panel_triple * columns);
  }
  return flops;
}

void Panels::first_derivatives(const std::string& a, const std::string& dtau_dq, const std::string& dtau_dv) {
  ir::Call panels = call("rnea_derivatives", {"v", a, "joints", dtau_dq, dtau_dv});
  const int slots = table_->num_slots();
  panels.flops = to_flops((flops_of_motion + flops_of_forces) * slots + flops_of_panel_pair * num_pairs() +
                          (table_->floating ? flops_of_base * slots + flops_of_own_base : 0));
  panels.ns = ns_of_first_order_flop * panels.flops;
  panels.code_bytes = bytes_of_first_order + bytes_of_tables * slots;
  panels.stack_entries = (rows_of_motion + rows_of_forces) * (slots + further_columns);
  c_.call(std::move(panels));
  SquareMatrix slopes(c_.nv());
  add_friction_derivative(c_, c_.input("v"), slopes);
  Values diagonal;
  for (int k = 0; k < c_.nv(); ++k) diagonal.push_back(slopes(k, k));
  add_friction("add_to_diagonal", "friction", diagonal, {dtau_dv});
}

void Panels::add_friction(const std::string& routine, const std::string& name, const Values& friction,
                          std::vector<std::string> arguments) {
  if (std::all_of(friction.begin(), friction.end(), [](const Scalar& x) { return is_zero(x); })) return;
  c_.local(name, friction);
  arguments.insert(arguments.begin(), name);
  c_.call(call(routine, std::move(arguments)));
}

void Panels::second_derivatives(const std::string& a, const std::vector<std::string>& tensors) {
  std::vector<std::string> arguments{"v", a, "joints"};
  arguments.insert(arguments.end(), tensors.begin(), tensors.end());
  ir::Call panels = call("rnea_second_derivatives", std::move(arguments));
  const int slots = table_->num_slots();
  panels.flops = to_flops((flops_of_motion + flops_of_operators) * slots + flops_of_tensors());
  panels.ns = ns_of_second_order_flop * panels.flops;
  panels.code_bytes = bytes_of_second_order + bytes_of_tables * slots;
  panels.stack_entries = (rows_of_motion + rows_of_operators) * (slots + further_columns);
  c_.call(std::move(panels));
  add_friction("add_to_cube_diagonal", "second_friction", friction_second_derivative(c_, c_.input("v")),
               {tensors[1]});
}

void Panels::set_hessian_costs(ir::Call& call, int code_bytes, int flops_of_one_pair,
                               double ns_of_flop) const {
  const int slots = table_->num_slots();
  call.flops = to_flops((flops_of_motion + flops_of_rates) * slots + flops_of_one_pair * num_pairs() +
                        (table_->floating ? flops_of_base * slots + flops_of_own_base : 0));
  call.ns = ns_of_flop * call.flops;
  call.code_bytes = code_bytes + bytes_of_tables * slots;
  call.stack_entries = (rows_of_motion + rows_of_rates) * (slots + further_columns);
}

void Panels::vector_hessian(const std::string& a, const std::string& w, const std::string& H) {
  ir::Call panels = call("rnea_vector_hessian", {"v", a, w, "joints", H});
  set_hessian_costs(panels, bytes_of_hessian, flops_of_hessian_pair, ns_of_hessian_flop);
  c_.call(std::move(panels));
  add_friction("add_to_hessian", "second_friction", friction_second_derivative(c_, c_.input("v")), {w, H});
}

void Panels::mass_matrix_vector_derivative(const std::string& w, const std::string& dMw_dq) {
  c_.local("rest", c_.nv());
  ir::Call panels = call("mass_matrix_vector_derivative", {"rest", "rest", w, "joints", dMw_dq});
  set_hessian_costs(panels, bytes_of_mass_matrix_derivative, flops_of_mass_matrix_pair,
                    ns_of_mass_matrix_flop);
  c_.call(std::move(panels));
}

void rnea_derivatives_in_panels(Context& c) {
  // The diagonal, to which friction is added, is written by every call.
  clear_outputs(c, has_no_mimic(c.tree()));
  Panels(c).first_derivatives("a", "dtau_dq", "dtau_dv");
}

void rnea_second_derivatives_in_panels(Context& c) {
  clear_outputs(c, clears_second_order_once(c.tree()));
  Panels(c).second_derivatives("a", c.output_names());
}

void rnea_vector_hessian_in_panels(Context& c) {
  clear_outputs(c, clears_second_order_once(c.tree()));
  Panels(c).vector_hessian("a", "w", "H");
}

void mass_matrix_vector_derivative_in_panels(Context& c) {
  clear_outputs(c, has_no_mimic(c.tree()));
  Panels(c).mass_matrix_vector_derivative("w", "dMw_dq");
}

}  // namespace featherline::algorithms
