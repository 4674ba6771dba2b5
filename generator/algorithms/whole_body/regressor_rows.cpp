#include "algorithms/whole_body/whole_body.hpp"

#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/dynamics/body_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/routines/routine_calls.hpp"

#include <featherline/regressor.hpp>

namespace featherline::algorithms {
namespace {

/// The table of axes with the rows of each body.
ir::AxisTable table_with_rows(const model::Tree& tree) {
  ir::AxisTable table = axis_table(tree);
  table.free_base =
      has_floating_base(tree) && tree.nv > 6;  // the routine writes a number behind its six rows
  for (const model::Body& body : tree.bodies) {
    if (!body.user_frame) continue;
    std::set<int> rows;
    for (const model::Body* at = &body;; at = &tree.bodies[index(at->parent)]) {
      const bool is_base = table.free_base && at == &tree.bodies.front();
      for (int k = 0; !is_base && k < at->joint.nv; ++k) rows.insert(at->joint.idx_v + k);
      if (at->parent < 0) break;
    }
    int last = -2;
    for (const int row : rows) {
      if (row != last + 1) table.runs.push_back({table.num_bodies, row, 0});
      ++table.runs.back().count;
      last = row;
    }
    ++table.num_bodies;
  }
  table.runs.push_back({table.num_bodies, 0, 0});
  return table;
}

/// In the order of featherline/regressor.hpp: of a frame that stands at (R, p) in the body that has this pose.
Coordinates numbers_of_body(const Pose& pose, const Matrix3& R, const Vector3& p, const BodyMotion& body) {
  const BodyMotion b = body.seen_from(R, p);
  const auto& [w, wd, a, U] = b;
  Coordinates numbers;
  for (int k = 0; k < 3; ++k) append_entries(numbers, pose.outward(R.column(k)));
  append_entries(numbers, pose.origin() + pose.outward(p));
  append_entries(numbers, a);
  append_entries(numbers, U);
  append_entries(numbers, Vector3{w.y * w.z, w.z * w.x, w.x * w.y});
  append_entries(numbers, wd);
  append_entries(numbers, Vector3{U(0, 0) - U(1, 1), U(2, 2) - U(0, 0), U(1, 1) - U(2, 2)});
  return numbers;
}

}  // namespace

bool fits_rows(const model::Tree& tree) {
  return has_no_mimic(tree) && tree.tendons.empty() && !tree.clusters && tree.joint_columns.empty();
}

void regressor_by_rows(Context& c) {
  BodyMotions motions(c, c.input("v"), c.input("a"), c.gravity());
  const CommonFrames frames(c, root_body_frames(c.tree()));
  auto table = std::make_shared<ir::AxisTable>(table_with_rows(c.full_tree()));
  const int nv = c.full_tree().nv, size = featherline::regressor::numbers_of_body;
  std::vector<int> first;  // by body of the full tree: its numbers, if it is one of the user's
  int end = 0;
  for (const model::Body& body : c.full_tree().bodies)
    first.push_back(std::exchange(end, end + (body.user_frame ? size : 0)));
  std::vector<StoredEntry> of_axes, of_bodies;
  const auto put = [&](std::vector<StoredEntry>& entries, const std::vector<int>& places, int offset,
                       const Scalar& x) {
    c.keep(x);
    entries.push_back({each(places, [&](int place) { return place + offset; }), x});
  };
  for (int i = 0; i < c.num_bodies(); ++i) {
    c.begin_section(i, "motion");
    motions.outward(i);
    const Pose& pose = frames.pose(i);
    for (const JointAxis& axis : c.axes(i)) {
      const Motion S = pose.outward(axis.S * axis.multiplier);
      Coordinates entries;
      append_entries(entries, S.u);
      append_entries(entries, S.w);
      for (int k = 0; k < 6; ++k)
        put(of_axes, c.folding().velocities[index(axis.idx_v)], nv * k, entries[index(k)]);
    }
    const std::vector<int>& members = c.folding().bodies[index(i)].members;
    if (!c.full_tree().bodies[index(members.front())].user_frame) continue;
    const auto [R, p] = c.user_frame(i);
    const Coordinates numbers = numbers_of_body(pose, R, p, motions.body(i));
    const std::vector<int> places = each(members, [&](int member) { return first[index(member)]; });
    for (int k = 0; k < size; ++k) put(of_bodies, places, k, numbers[index(k)]);
  }
  c.local("motions", 6 * nv, of_axes);
  c.local("bodies", size * table->num_bodies, of_bodies);
  c.clear_outputs(true);
  c.call({.routine = ir::Routine::regressor,
          .arguments = c.arrays({"motions", "bodies", "Y"}),
          .axes = std::move(table)});
}

}  // namespace featherline::algorithms
