#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"

#include <algorithm>

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

Outputs link_poses(const Tree& tree, const State& x) {
  Outputs poses = forward_kinematics(tree, x);
  std::reverse(poses.begin(), poses.end());  // p comes first
  return poses;
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

// Chosen frames. The judge makes a link of each. Velocities are J v, accelerations d/dt (J v) along q(t). Derivatives
// are those of these two.

using Vector = VectorX<Number>;

/// The robot with the chosen frames as its links.
Tree with_frame_links(Tree tree) {
  std::vector<model::Link> links;
  for (const model::ChosenFrame& frame : tree.frames.chosen) {
    model::Link link;
    link.body = tree.links[static_cast<std::size_t>(frame.link)].body;
    link.placement = model::frame_in_body(tree, frame);
    links.push_back(link);
  }
  tree.links = links;
  return tree;
}

/// Points are measured at themselves, in whichever axes.
Frame frame_of(const Tree& tree, std::size_t k) {
  switch (tree.frames.axes) {
    case model::FrameAxes::local:
      return Frame::local;
    case model::FrameAxes::world:
      return tree.frames.chosen[k].point ? Frame::local_world_aligned : Frame::world;
    case model::FrameAxes::local_world_aligned:
      break;
  }
  return Frame::local_world_aligned;
}

/// Rows of all frames times a vector.
template <class T>
class FrameRows {
 public:
  explicit FrameRows(const Tree& tree) : tree_(with_frame_links(tree)) {}

  const Tree& tree() const { return tree_; }
  MatrixX<T> jacobian(const VectorX<T>& q) const {
    Solver<T> solver(tree_);
    MatrixX<T> J(tree_.frames.num_rows(), tree_.nv);
    for (std::size_t k = 0; k < tree_.links.size(); ++k) {
      const model::ChosenFrame& frame = tree_.frames.chosen[k];
      J.middleRows(frame.first_row, frame.num_rows()) =
          solver.frame_jacobian(q, static_cast<int>(k), frame_of(tree_, k)).topRows(frame.num_rows());
    }
    return J;
  }

 private:
  Tree tree_;
};

/// The derivative along e1, which may change along e2.
Vector along_e1(const Vector& x) {
  return x.unaryExpr([](const Number& e) { return Number(e.d1, 0.0, e.d12, 0.0); });
}

/// A(q, v, a). Time runs along e1; the state may change along e2.
Vector acceleration(const FrameRows<Number>& rows, const Vector& q, const Vector& v, const Vector& a) {
  const Tree& tree = rows.tree();
  const Vector now = integrate<Number>(tree, q, v * Number::e1());
  Vector A = along_e1(rows.jacobian(now) * (v + a * Number::e1()));

  // That is the acceleration of the frame's origin where axes are the world's. Elsewhere the derivative of components
  // lacks w x the linear velocity.
  Solver<Number> solver(tree);
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const Frame frame = frame_of(tree, k);
    if (frame == Frame::local_world_aligned) continue;
    const Vector twist = solver.frame_jacobian(q, static_cast<int>(k), frame) * v;
    const Vector3<Number> u = twist.head(3), w = twist.tail(3);
    A.segment<3>(tree.frames.chosen[k].first_row) += skew(w) * u;
  }
  return A;
}

Outputs frame_poses(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  Solver<double> solver(tree);
  OutputArray p{"p", {}}, R{"R", {}};
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const Pose<double> pose = solver.link_pose(x.q, static_cast<int>(k));
    append(p.values, pose.p);
    append(R.values, tree.frames.chosen[k].point ? Matrix3<double>(Matrix3<double>::Zero()) : pose.R);
  }
  return {p, R};
}

Outputs frame_jacobians(const Tree& tree, const State& x) {
  return {array("J", FrameRows<double>(tree).jacobian(x.q))};
}

Outputs frame_velocities(const Tree& tree, const State& x) {
  return {array("V", FrameRows<double>(tree).jacobian(x.q) * x.v)};
}

Eigen::VectorXd acceleration(const Tree& tree, const State& x, const Eigen::VectorXd& a) {
  return part(acceleration(FrameRows<Number>(tree), x.q.cast<Number>(), x.v.cast<Number>(), a.cast<Number>()),
              &Number::re);
}

Outputs frame_accelerations(const Tree& tree, const State& x) {
  return {array("A", acceleration(tree, x, x.a))};
}

Outputs frame_bias(const Tree& tree, const State& x) {
  return {array("b", acceleration(tree, x, Eigen::VectorXd::Zero(tree.nv)))};
}

/// Entry k along e2.
Vector unit_step(int size, int k) { return Vector::Unit(size, k) * Number::e2(); }

Outputs frame_velocity_derivatives(const Tree& tree, const State& x) {
  const FrameRows<Number> rows(tree);
  Eigen::MatrixXd dV_dq(tree.frames.num_rows(), tree.nv);
  for (int k = 0; k < tree.nv; ++k) {
    const Vector q = integrate<Number>(tree, x.q.cast<Number>(), unit_step(tree.nv, k));
    dV_dq.col(k) = part(rows.jacobian(q) * x.v.cast<Number>(), &Number::d2);
  }
  return {array("dV_dq", dV_dq)};
}

Outputs frame_acceleration_derivatives(const Tree& tree, const State& x) {
  const FrameRows<Number> rows(tree);
  const Vector q = x.q.cast<Number>(), v = x.v.cast<Number>(), a = x.a.cast<Number>();
  Eigen::MatrixXd dA_dq(tree.frames.num_rows(), tree.nv), dA_dv = dA_dq;
  for (int k = 0; k < tree.nv; ++k) {
    const Vector e = unit_step(tree.nv, k), moved = integrate<Number>(tree, q, e);
    dA_dq.col(k) = part(acceleration(rows, moved, v, a), &Number::d2);
    dA_dv.col(k) = part(acceleration(rows, q, v + e, a), &Number::d2);
  }
  return {array("dA_dq", dA_dq), array("dA_dv", dA_dv)};
}

Outputs frame_kinematics(const Tree& tree, const State& x) {
  Outputs all = frame_poses(tree, x);
  for (const Outputs& more : {frame_velocities(tree, x), frame_jacobians(tree, x), frame_bias(tree, x)})
    all.insert(all.end(), more.begin(), more.end());
  const std::vector<std::string>& parts = tree.frames.parts;
  if (parts.empty()) return all;
  Outputs wanted;
  for (const OutputArray& array : all) {
    for (const model::FramePart& part : model::frame_parts()) {
      const bool has = std::find(part.outputs.begin(), part.outputs.end(), array.name) != part.outputs.end();
      if (!has || std::find(parts.begin(), parts.end(), part.name) == parts.end()) continue;
      wanted.push_back(array);
      break;  // "poses" and "positions" both have p
    }
  }
  return wanted;
}

}  // namespace

std::vector<OutputFunction> expected_frames() {
  return {{.name = "forward_kinematics", .compute = forward_kinematics},
          {.name = "frame_jacobian", .compute = frame_jacobian},
          {.name = "link_poses", .compute = link_poses},
          {.name = "frame_poses", .compute = frame_poses},
          {.name = "frame_velocities", .compute = frame_velocities},
          {.name = "frame_accelerations", .compute = frame_accelerations},
          {.name = "frame_jacobians", .compute = frame_jacobians},
          {.name = "frame_bias", .compute = frame_bias},
          {.name = "frame_velocity_derivatives", .compute = frame_velocity_derivatives},
          {.name = "frame_acceleration_derivatives", .compute = frame_acceleration_derivatives},
          {.name = "frame_kinematics", .compute = frame_kinematics}};
}

}  // namespace featherline::reference
