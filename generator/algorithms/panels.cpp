#include "algorithms/panels.hpp"

#include "algorithms/joint_dynamics.hpp"
#include "algorithms/joints.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/panel_table.hpp"
#include "algorithms/tree_axes.hpp"
#include "ir/panel_table.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates<Scalar>;

// Machine code of the routines: g++ 12 -O2, AVX2.
constexpr int bytes_of_first_order = 18700;
/// Tables of constants and of integers, for each axis.
constexpr int bytes_of_tables = 220;
/// Rows of the tables that motion and composites, and first derivatives take.
constexpr int rows_of_motion = 76, rows_of_forces = 21;
// Operations of an axis: poses, motion and inertias, composites; the vectors t1 to t4; its rows and columns of a floating
// base. Operations of a pair of axes: both entries of both matrices. Operations of the base's own entries.
constexpr int flops_of_motion = 640, flops_of_forces = 260, flops_of_base = 55, flops_of_pair = 80,
              flops_of_own_base = 900;

void append(Values& entries, const Vector3<Scalar>& x) { entries.insert(entries.end(), {x.x, x.y, x.z}); }

/// The array `joints` (detail::PanelInputs).
Values joint_values(Context<Scalar>& c, const PanelLayout& layout) {
  Values cosines, sines, rest;
  for (std::size_t b = 0; b < layout.bodies.size(); ++b) {
    const bool turns = layout.table.bodies[b].placement < 0 && c.parent(layout.bodies[b]) >= 0;
    const Scalar angle = turns ? joint_angle(c, layout.bodies[b]) : Scalar(0.0);
    cosines.push_back(turns ? cos(angle) : Scalar(1.0));
    sines.push_back(turns ? sin(angle) : Scalar(0.0));
  }
  for (const int root : layout.roots) append(rest, joint_motion(c, root).R.to_child(-c.gravity()));
  for (const int i : layout.varying) {
    c.begin_section(i, "placement");
    const JointMotion<Scalar> X = joint_motion(c, i);
    const Matrix3<Scalar> R = X.R.matrix();
    for (int k = 0; k < 3; ++k) append(rest, R.column(k));
    append(rest, X.p);
  }
  Values all = cosines;
  all.insert(all.end(), sines.begin(), sines.end());
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

bool fits_panels(const model::Tree& tree) {
  const int behind_base = tree.nv - (tree.floating_base ? 6 : 0);
  return has_own_coordinates(tree) && behind_base > 0;
}

Panels::Panels(Context<Scalar>& context) : c_(context) {
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

double Panels::num_pairs() const {
  double pairs = 0.0;
  for (const PanelSegment& segment : table_->segments) {
    for (int r = segment.above_begin; r < segment.above_end; ++r)
      pairs += segment.count * table_->ranges[static_cast<std::size_t>(r)].count;
    pairs += segment.count * (segment.count + 1.0) / 2.0;
  }
  return pairs;
}

void Panels::first_derivatives(const std::string& a, const std::string& dtau_dq, const std::string& dtau_dv) {
  ir::Call panels = call("rnea_derivatives", {"v", a, "joints", dtau_dq, dtau_dv});
  const int slots = table_->num_slots(), places = slots + table_->num_roots;
  panels.flops = to_flops((flops_of_motion + flops_of_forces) * slots + flops_of_pair * num_pairs() +
                          (table_->floating ? flops_of_base * slots + flops_of_own_base : 0));
  panels.code_bytes = bytes_of_first_order + bytes_of_tables * slots;
  panels.stack_entries = (rows_of_motion + rows_of_forces) * (places + 6);
  c_.call(std::move(panels));
  SquareMatrix<Scalar> slopes(c_.nv());
  add_friction_derivative(c_, c_.input("v"), slopes);
  Values diagonal;
  for (int k = 0; k < c_.nv(); ++k) diagonal.push_back(slopes(k, k));
  add_friction("add_to_diagonal", "friction", diagonal, dtau_dv);
}

void Panels::add_friction(const std::string& routine, const std::string& name, const Values& friction,
                          const std::string& to) {
  if (std::all_of(friction.begin(), friction.end(), [](const Scalar& x) { return is_zero(x); })) return;
  c_.local(name, friction);
  c_.call(call(routine, {name, to}));
}

void Panels::second_derivatives(const std::string& a, const std::vector<std::string>& tensors) {
  std::vector<std::string> arguments{"v", a, "joints"};
  arguments.insert(arguments.end(), tensors.begin(), tensors.end());
  c_.call(call("rnea_second_derivatives", std::move(arguments)));
  add_friction("add_to_cube_diagonal", "second_friction", friction_second_derivative(c_, c_.input("v")), tensors[1]);
}

void rnea_derivatives_in_panels(Context<Scalar>& c) {
  constexpr bool once = true;  // the diagonal, to which friction is added, is written by every call
  c.clear_outputs(once);
  Panels(c).first_derivatives("a", "dtau_dq", "dtau_dv");
}

void rnea_second_derivatives_in_panels(Context<Scalar>& c) {
  const bool adds_friction =
      std::any_of(c.tree().bodies.begin(), c.tree().bodies.end(),
                  [](const model::Body& body) { return body.joint.friction != 0.0; });  // to entries that are zero
  c.clear_outputs(!adds_friction);
  Panels(c).second_derivatives("a", c.output_names());
}

}  // namespace featherline::algorithms
