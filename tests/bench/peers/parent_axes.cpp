#include "peers/parent_axes.hpp"

#include <Eigen/Geometry>

namespace featherline::bench {

namespace {

using model::JointType;
using model::Matrix3;
using model::Vector3;

bool has_body_axes(const model::Joint& joint) {
  return joint.type == JointType::floating || joint.type == JointType::planar;
}

Matrix3 rotation(const model::Joint& joint, const State& state) {
  const double* q = state.q.data() + joint.idx_q;
  if (joint.type == JointType::planar) return Eigen::AngleAxisd{q[2], Vector3::UnitZ()}.toRotationMatrix();
  return Eigen::Quaterniond{q[6], q[3], q[4], q[5]}.toRotationMatrix();
}

/// The linear part of x at this joint; the z component of a planar joint is zero.
Vector3 linear_part(const model::Joint& joint, const std::vector<double>& x) {
  const double* at = x.data() + joint.idx_v;
  return {at[0], at[1], joint.type == JointType::planar ? 0.0 : at[2]};
}

void set_linear_part(const model::Joint& joint, std::vector<double>& x, const Vector3& value) {
  const int n = joint.type == JointType::planar ? 2 : 3;
  for (int k = 0; k < n; ++k) x[static_cast<std::size_t>(joint.idx_v + k)] = value[k];
}

Vector3 angular_part(const model::Joint& joint, const std::vector<double>& x) {
  const double* at = x.data() + joint.idx_v;
  return joint.type == JointType::planar ? Vector3{0.0, 0.0, at[2]} : Vector3{at[3], at[4], at[5]};
}

}  // namespace

void to_parent_axes(const model::Tree& tree, State& state) {
  for (const model::Body& body : tree.bodies) {
    if (!has_body_axes(body.joint)) continue;
    const Matrix3 R = rotation(body.joint, state);
    const Vector3 v = linear_part(body.joint, state.v);
    const Vector3 a = linear_part(body.joint, state.a) + angular_part(body.joint, state.v).cross(v);
    set_linear_part(body.joint, state.v, R * v);
    set_linear_part(body.joint, state.a, R * a);
  }
}

void forces_to_body_axes(const model::Tree& tree, const State& state, std::vector<double>& tau) {
  for (const model::Body& body : tree.bodies) {
    if (!has_body_axes(body.joint)) continue;
    const Vector3 f = linear_part(body.joint, tau);
    set_linear_part(body.joint, tau, rotation(body.joint, state).transpose() * f);
  }
}

}  // namespace featherline::bench
