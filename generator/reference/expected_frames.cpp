#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

namespace featherline::reference {
namespace {

using model::Tree;

Outputs forward_kinematics(const Tree& tree, const State& x) {
  Solver<double> solver(tree);
  OutputArray R{"R", {}}, p{"p", {}};
  for (int link = 0; link < static_cast<int>(tree.links.size()); ++link) {
    const Pose<double> pose = solver.link_pose(x.q, link);
    append(R.values, pose.R);
    append(p.values, pose.p);
  }
  return {R, p};
}

Outputs frame_jacobian(const Tree& tree, const State& x) {
  Solver<double> solver(tree);
  OutputArray J{"J", {}};
  for (const Frame frame : {Frame::local_world_aligned, Frame::local, Frame::world}) {
    for (int link = 0; link < static_cast<int>(tree.links.size()); ++link) {
      append(J.values, solver.frame_jacobian(x.q, link, frame));
    }
  }
  return {J};
}

}  // namespace

std::vector<OutputFunction> expected_frames() {
  return {{.name = "forward_kinematics", .compute = forward_kinematics},
          {.name = "frame_jacobian", .compute = frame_jacobian}};
}

}  // namespace featherline::reference
