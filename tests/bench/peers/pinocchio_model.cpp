#include "peers/pinocchio_model.hpp"

#include <cmath>

namespace featherline::bench {

namespace {

using model::JointType;

/// The joint whose axis is aligned with x, y or z where it is, as Pinocchio's reader of URDF chooses.
template <class X, class Y, class Z, class Unaligned>
pinocchio::JointModel along(const model::Vector3& axis) {
  if (axis == model::Vector3::UnitX()) return X();
  if (axis == model::Vector3::UnitY()) return Y();
  if (axis == model::Vector3::UnitZ()) return Z();
  return Unaligned(axis);
}

pinocchio::JointModel joint_model(const model::Joint& joint) {
  using namespace pinocchio;
  switch (joint.type) {
    case JointType::floating:
      return JointModelFreeFlyer();
    case JointType::planar:
      return JointModelPlanar();
    case JointType::spherical:
      return JointModelSpherical();
    case JointType::prismatic:
      return along<JointModelPX, JointModelPY, JointModelPZ, JointModelPrismaticUnaligned>(joint.axis);
    case JointType::continuous:
      return along<JointModelRUBX, JointModelRUBY, JointModelRUBZ, JointModelRevoluteUnboundedUnaligned>(
          joint.axis);
    default:
      return along<JointModelRX, JointModelRY, JointModelRZ, JointModelRevoluteUnaligned>(joint.axis);
  }
}

pinocchio::Inertia to_pinocchio(const model::Inertia& inertia) {
  if (inertia.mass == 0.0) return {0.0, model::Vector3::Zero(), inertia.J};
  const model::Vector3 c = inertia.h / inertia.mass;
  const model::Matrix3 shift = c.squaredNorm() * model::Matrix3::Identity() - c * c.transpose();
  return {inertia.mass, c, model::Matrix3(inertia.J - inertia.mass * shift)};
}

}  // namespace

std::string unsupported_by_pinocchio(const model::Tree& tree) {
  for (const model::Body& body : tree.bodies) {
    const JointType type = body.joint.type;
    if (type == JointType::cylindrical || type == JointType::helical || type == JointType::universal)
      return "joint \"" + body.joint.name + "\" is of a type that is not compared";
    if (body.joint.mimics >= 0) return "mimic joints that are coupled are not compared";
  }
  return {};
}

pinocchio::Model build_pinocchio_model(const model::Tree& tree) {
  pinocchio::Model model;
  model.gravity.linear(tree.gravity);
  std::vector<pinocchio::JointIndex> joint_of_body;
  for (const model::Body& body : tree.bodies) {
    const pinocchio::JointIndex parent =
        body.parent < 0 ? 0 : joint_of_body[static_cast<std::size_t>(body.parent)];
    const model::Placement& X = body.joint.placement;
    joint_of_body.push_back(
        model.addJoint(parent, joint_model(body.joint), pinocchio::SE3(X.R, X.p), body.joint.name));
    model.appendBodyToJoint(joint_of_body.back(), to_pinocchio(body.inertia));
  }
  return model;
}

Eigen::VectorXd pinocchio_positions(const model::Tree& tree, const std::vector<double>& q) {
  std::vector<double> list;
  for (const model::Body& body : tree.bodies) {
    const auto first = q.begin() + body.joint.idx_q;
    const bool has_unit_circle =
        body.joint.type == JointType::continuous || body.joint.type == JointType::planar;
    const int plain = body.joint.nq - (has_unit_circle ? 1 : 0);
    list.insert(list.end(), first, first + plain);
    if (has_unit_circle) list.insert(list.end(), {std::cos(first[plain]), std::sin(first[plain])});
  }
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

}  // namespace featherline::bench
