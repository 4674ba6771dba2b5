#include "joints/judge/joint.hpp"
#include "reference/expected_groups.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>

namespace featherline::reference {
namespace {

/// Of all links: p, then R.
Outputs link_poses(const Tree& tree, const State& x) {
  const std::vector<Pose<double>> bodies = Solver<double>(tree).body_poses(x.q);
  OutputArray p{"p", {}}, R{"R", {}};
  for (const model::Link& link : tree.links) {
    const Pose<double> pose = pose_of(link, bodies);
    append(p.values, pose.p);
    append(R.values, pose.R);
  }
  return {p, R};
}

Outputs forward_kinematics(const Tree& tree, const State& x) {
  const Outputs poses = link_poses(tree, x);
  return {poses[1], poses[0]};
}

Outputs frame_jacobian(const Tree& tree, const State& x) {
  Solver<double> solver(tree);
  const std::vector<Pose<double>> bodies = solver.body_poses(x.q);
  OutputArray J{"J", {}};
  for (const Frame frame : {Frame::local_world_aligned, Frame::local, Frame::world}) {
    for (const model::Link& link : tree.links) append(J.values, solver.frame_jacobian(bodies, link, frame));
  }
  return {J};
}

// Chosen frames. The judge makes a link of each. Velocities are J v, accelerations d/dt (J v) along q(t). Derivatives
// are those of these two.

/// The robot with the chosen frames as its links.
Tree with_frame_links(Tree tree) {
  std::vector<model::Link> links =
      each(tree.frames.chosen, [&](const model::ChosenFrame& frame) { return link_at(tree, frame); });
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

/// Of all frames, of a robot that has them as links.
template <class T>
MatrixX<T> jacobian(const Tree& tree, const VectorX<T>& q) {
  Solver<T> solver(tree);
  const std::vector<Pose<T>> bodies = solver.body_poses(q);
  MatrixX<T> J(tree.frames.num_rows(), tree.nv);
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const model::ChosenFrame& frame = tree.frames.chosen[k];
    J.middleRows(frame.first_row, frame.num_rows()) =
        solver.frame_jacobian(bodies, tree.links[k], frame_of(tree, k)).topRows(frame.num_rows());
  }
  return J;
}

/// A(q, v, a). Time runs along e1; the state may change along e2.
Vector acceleration(const Tree& tree, const Vector& q, const Vector& v, const Vector& a) {
  const Vector now = integrate<Number>(tree, q, v * Number::e1());
  Vector A = jacobian(tree, now) * (v + a * Number::e1());
  for (Number& entry : A) entry = {entry.d1, 0.0, entry.d12, 0.0};  // its rate, which may change along e2

  // That is the acceleration of the frame's origin where axes are the world's. Elsewhere the derivative of components
  // lacks w x the linear velocity.
  Solver<Number> solver(tree);
  const std::vector<Pose<Number>> bodies = solver.body_poses(q);
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const Frame frame = frame_of(tree, k);
    if (frame == Frame::local_world_aligned) continue;
    const Vector twist = solver.frame_jacobian(bodies, tree.links[k], frame) * v;
    const Vector3<Number> u(twist[0], twist[1], twist[2]), w(twist[3], twist[4], twist[5]);
    const Vector3<Number> lacking = skew(w) * u;
    for (int i = 0; i < 3; ++i) A[tree.frames.chosen[k].first_row + i] += lacking[i];
  }
  return A;
}

Outputs frame_poses(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  Outputs poses = link_poses(tree, x);
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    if (tree.frames.chosen[k].point) std::fill_n(&poses[1].values[9 * k], 9, 0.0);
  }
  return poses;
}

Outputs frame_poses_vjp(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  const Vector q = lifted<double>(x.q, 1.0);
  const auto weighted = [&](const Vector& e) {
    const std::vector<Pose<Number>> bodies = Solver<Number>(tree).body_poses(integrate<Number>(tree, q, e));
    Vector sum = Vector::Zero(1);
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
      const Pose<Number> pose = pose_of(tree.links[k], bodies);
      const auto frame = static_cast<Eigen::Index>(k);
      for (Eigen::Index i = 0; i < 3; ++i) sum[0] += pose.p[i] * Number(x.wp[3 * frame + i]);
      for (Eigen::Index i = 0; i < 9 && !tree.frames.chosen[k].point; ++i)
        sum[0] += pose.R(i % 3, i / 3) * Number(x.wR[9 * frame + i]);
    }
    return sum;
  };
  return {array("wq", derivative<Number>(tree.nv, weighted))};
}

// Errors of poses. exp(e) moves the wanted pose to the frame's. A step of the frame by exp(xi) then moves e by B^-1 xi,
// with B = exp(e)^-1 d exp(e). B is computed by dual numbers.

/// V(phi): where unit velocities along the axes lead.
Matrix3<double> displacements(const Vector3<double>& phi) {
  return columns(3,
                 [&](const VectorXd& rho) { return VectorXd(exponential_displacement<double>(rho, phi)); });
}

/// Of a frame that is link k, [linear; angular].
VectorXd pose_error(const Tree& tree, const State& x, std::size_t k) {
  const Pose<double> pose = pose_of(tree.links[k], Solver<double>(tree).body_poses(x.q));
  const auto frame = static_cast<Eigen::Index>(k);
  const Vector3<double> p = pose.p - x.p_wanted.segment<3>(3 * frame);
  if (tree.frames.chosen[k].point) return p;
  const Matrix3<double> wanted = x.R_wanted.segment<9>(9 * frame).reshaped(3, 3);
  const Eigen::AngleAxisd turn(Matrix3<double>(wanted.transpose() * pose.R));
  const Vector3<double> phi = turn.angle() * turn.axis();
  VectorXd e(6);
  e << displacements(phi).inverse() * (wanted.transpose() * p), phi;
  return e;
}

Outputs frame_pose_errors(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  OutputArray e{"e", {}};
  for (std::size_t k = 0; k < tree.links.size(); ++k) append(e.values, pose_error(tree, x, k));
  return {e};
}

Outputs frame_pose_error_derivatives(const Tree& robot, const State& x) {
  Tree tree = with_frame_links(robot);
  tree.frames.axes = model::FrameAxes::local;
  MatrixXd J = jacobian<double>(tree, x.q);
  Tree free;
  free.bodies.resize(1);
  free.bodies[0].joint.type = model::JointType::floating;
  free.bodies[0].joint.nq = free.nq = 7;
  free.bodies[0].joint.nv = free.nv = 6;
  const Vector still = lifted<double>(VectorXd::Unit(7, 6), 1.0);
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const model::ChosenFrame& frame = tree.frames.chosen[k];
    if (frame.point) {
      const Matrix3<double> R = pose_of(tree.links[k], Solver<double>(tree).body_poses(x.q)).R;
      J.middleRows<3>(frame.first_row) = R * J.middleRows<3>(frame.first_row).eval();
      continue;
    }
    const VectorXd e = pose_error(tree, x, k);
    const MatrixXd B = columns(6, [&](const VectorXd& unit) {
      const Vector step = lifted<double>(e, 1.0) + lifted(unit, Number::e1());
      return tangent_of_rate(free, integrate<Number>(free, still, step));
    });
    J.middleRows<6>(frame.first_row) = B.inverse() * J.middleRows<6>(frame.first_row).eval();
  }
  return {array("de_dq", J)};
}

MatrixXd jacobian(const Tree& tree, const State& x) { return jacobian<double>(with_frame_links(tree), x.q); }

VectorXd acceleration(const Tree& tree, const State& x, const VectorXd& a) {
  const Number one = 1.0;
  return part(acceleration(with_frame_links(tree), lifted(x.q, one), lifted(x.v, one), lifted(a, one)),
              &Number::re);
}

VectorXd bias(const Tree& tree, const State& x) { return acceleration(tree, x, VectorXd::Zero(tree.nv)); }

Outputs frame_velocity_derivatives(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  const Vector q = lifted<double>(x.q, 1.0), v = lifted<double>(x.v, 1.0);
  const auto velocity = [&](const Vector& e) { return jacobian(tree, integrate<Number>(tree, q, e)) * v; };
  return {array("dV_dq", derivative<Number>(tree.nv, velocity))};
}

Outputs frame_jacobian_rates(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  const Vector q = integrate<Number>(tree, lifted<double>(x.q, 1.0), lifted(x.v, Number::e1()));
  return {array("J_rate", part(jacobian(tree, q), &Number::d1))};
}

Outputs frame_acceleration_derivatives(const Tree& robot, const State& x) {
  const Tree tree = with_frame_links(robot);
  const Vector q = lifted<double>(x.q, 1.0), v = lifted<double>(x.v, 1.0), a = lifted<double>(x.a, 1.0);
  const auto by_q = [&](const Vector& e) { return acceleration(tree, integrate<Number>(tree, q, e), v, a); };
  const auto by_v = [&](const Vector& e) { return acceleration(tree, q, v + e, a); };
  return {array("dA_dq", derivative<Number>(tree.nv, by_q)),
          array("dA_dv", derivative<Number>(tree.nv, by_v))};
}

Outputs frame_kinematics(const Tree& tree, const State& x) {
  Outputs all = frame_poses(tree, x);
  const MatrixXd J = jacobian(tree, x);
  all.insert(all.end(), {array("V", J * x.v), array("J", J), array("b", bias(tree, x))});
  const std::vector<std::string>& parts = tree.frames.parts;
  if (parts.empty()) return all;
  Outputs wanted;
  for (const OutputArray& array : all) {
    for (const model::FramePart& part : model::frame_parts()) {
      const bool has = std::ranges::find(part.outputs, array.name) != part.outputs.end();
      if (!has || std::ranges::find(parts, part.name) == parts.end()) continue;
      wanted.push_back(array);
      break;  // "poses" and "positions" both have p
    }
  }
  return wanted;
}

// Steps of the tangent space. integrate() is the one that derivatives of the reference solver are taken along.

/// The tangent of all joints that have coordinates of their own, each by f(joint).
template <class F>
VectorXd joint_by_joint(const Tree& tree, const F& f) {
  VectorXd dv = VectorXd::Zero(tree.nv);
  for (const model::Body& body : tree.bodies) {
    if (body.joint.mimics < 0) dv.segment(body.joint.idx_v, body.joint.nv) = f(body.joint);
  }
  return dv;
}

/// The entries of v that make a twist of the child, of joints whose columns of S are unit vectors.
VectorXd coordinates_of(const model::Joint& joint, const JointState<double>& state,
                        const Vector3<double>& phi, const Vector3<double>& rho) {
  VectorXd own(joint.nv);
  for (int k = 0; k < joint.nv; ++k) own[k] = dot(state.S[k], spatial(phi, rho));
  return own;
}

/// From the rotation matrices of both ends. An angle is the only number that these do not know.
VectorXd joint_difference(const model::Joint& joint, const double* q0, const double* q1) {
  const VectorXd rest = VectorXd::Zero(joint.nv);
  const JointState<double> from = joint_state<double>(joint, q0, rest.data()),
                           to = joint_state<double>(joint, q1, rest.data());
  const Eigen::AngleAxisd turn(Matrix3<double>(from.R.transpose() * to.R));
  Vector3<double> phi = turn.angle() * turn.axis();
  if (const int angle = joint.row().angle(); angle >= 0) phi = {0.0, 0.0, q1[angle] - q0[angle]};
  const Vector3<double> rho = displacements(phi).inverse() * (from.R.transpose() * (to.p - from.p));
  return coordinates_of(joint, from, phi, rho);
}

Outputs difference(const Tree& tree, const State& x) {
  return {array("dv", joint_by_joint(tree, [&](const model::Joint& joint) -> VectorXd {
                  if (!joint.row().moves_on_axes())
                    return joint_difference(joint, &x.q[joint.idx_q], &x.q1[joint.idx_q]);
                  return x.q1.segment(joint.idx_q, joint.nq) - x.q.segment(joint.idx_q, joint.nq);
                }))};
}

/// Along q, and along dv.
Outputs integrate_derivatives(const Tree& tree, const State& x) {
  const VectorX<Number> q = lifted<double>(x.q, 1.0), dv = lifted<double>(x.dv, 1.0);
  const auto by_q = [&](const VectorXd& e) {
    const VectorX<Number> moved = integrate<Number>(tree, q, lifted(e, Number::e1()));
    return tangent_of_rate(tree, integrate<Number>(tree, moved, dv));
  };
  const auto by_dv = [&](const VectorXd& e) {
    return tangent_of_rate(tree, integrate<Number>(tree, q, dv + lifted(e, Number::e1())));
  };
  return {array("dq", columns(tree.nv, by_q)), array("ddv", columns(tree.nv, by_dv))};
}

}  // namespace

VectorXd tangent_of_rate(const Tree& tree, const VectorX<Number>& q) {
  const VectorXd now = part(q, &Number::re), rate = part(q, &Number::d1);
  return joint_by_joint(tree, [&](const model::Joint& joint) -> VectorXd {
    if (joint.row().moves_on_axes()) return rate.segment(joint.idx_q, joint.nq);
    const VectorXd rest = VectorXd::Zero(joint.nv);
    const JointState<double> state = joint_state<double>(joint, &now[joint.idx_q], rest.data());
    const JointState<Number> moving =
        joint_state<Number>(joint, &q[joint.idx_q], lifted<double>(rest, 1.0).data());
    const Matrix3<double> to_child = transposed(state.R), W = to_child * part(moving.R, &Number::d1);
    return coordinates_of(joint, state, {W(2, 1), W(0, 2), W(1, 0)}, to_child * part(moving.p, &Number::d1));
  });
}

std::vector<OutputFunction> expected_kinematics() {
  return {
      {.name = "forward_kinematics", .compute = forward_kinematics},
      {.name = "frame_jacobian", .compute = frame_jacobian},
      {.name = "link_poses", .compute = link_poses},
      {.name = "frame_poses", .compute = frame_poses},
      {.name = "frame_poses_vjp", .compute = frame_poses_vjp},
      {.name = "frame_pose_errors", .compute = frame_pose_errors},
      {.name = "frame_pose_error_derivatives", .compute = frame_pose_error_derivatives},
      single("frame_velocities", "V", [](TreeRef t, StateRef s) { return VectorXd(jacobian(t, s) * s.v); }),
      single("frame_accelerations", "A", [](TreeRef t, StateRef s) { return acceleration(t, s, s.a); }),
      single("frame_jacobians", "J", [](TreeRef t, StateRef s) { return jacobian(t, s); }),
      single("frame_bias", "b", bias),
      {.name = "frame_velocity_derivatives", .compute = frame_velocity_derivatives},
      {.name = "frame_jacobian_rates", .compute = frame_jacobian_rates},
      {.name = "frame_acceleration_derivatives", .compute = frame_acceleration_derivatives},
      {.name = "frame_kinematics", .compute = frame_kinematics},
      single("spanning_position", "q_all",
             [](TreeRef t, StateRef s) { return Solver<double>(t).all_joints(s.q, s.v, s.v).q; }),
      single("spanning_velocity", "v_all",
             [](TreeRef t, StateRef s) { return Solver<double>(t).all_joints(s.q, s.v, s.v).v; }),
      single("integrate", "q_next", [](TreeRef t, StateRef s) { return integrate<double>(t, s.q, s.dv); }),
      {.name = "difference", .compute = difference},
      {.name = "integrate_derivatives", .compute = integrate_derivatives}};
}

}  // namespace featherline::reference
