#include "model/massless.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace featherline::model {
namespace {

bool is_massless(const Inertia& inertia) { return inertia.mass == 0.0 && inertia.J.isZero(0.0); }

bool singular(const Matrix3& J) {
  const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(J, Eigen::EigenvaluesOnly).eigenvalues();
  return moments.cwiseAbs().minCoeff() <= 1e-14 * moments.cwiseAbs().maxCoeff();
}

Matrix3 about_centre_of_mass(const Inertia& inertia) {
  const Vector3& h = inertia.h;
  return inertia.J - (h.squaredNorm() * Matrix3::Identity() - h * h.transpose()) / inertia.mass;
}

/// J about the axis through the body origin, free of the round-off of merging. Negative ones, let pass by --allow, resist.
bool no_moment_about(const Vector3& axis, const Inertia& inertia) {
  return std::abs(axis.dot(inertia.J * axis)) <= 1e-14 * inertia.J.cwiseAbs().maxCoeff();
}

/// The body alone offers no resistance to some motion its joint allows.
bool gives_way(const Joint& joint, const Inertia& inertia) {
  switch (joint.type) {
    case JointType::revolute:
    case JointType::continuous:
      return no_moment_about(joint.axis, inertia);
    case JointType::prismatic:
      return inertia.mass == 0.0;
    case JointType::helical:
      return inertia.mass == 0.0 && no_moment_about(joint.axis, inertia);
    case JointType::cylindrical:
      return inertia.mass == 0.0 || no_moment_about(joint.axis, inertia);
    case JointType::planar:
      return inertia.mass == 0.0 ||
             no_moment_about(Vector3::UnitZ(), {0.0, Vector3::Zero(), about_centre_of_mass(inertia)});
    case JointType::floating:
      return inertia.mass == 0.0 || singular(about_centre_of_mass(inertia));
    case JointType::spherical:
      return singular(inertia.J);
    case JointType::universal:
      return no_moment_about(joint.axis2, inertia);
  }
  return false;
}

}  // namespace

std::vector<MasslessJoint> find_massless_joints(const UserTree& tree) {
  const std::size_t count = tree.bodies.size();
  std::vector<bool> has_inertia(count), is_leaf(count, true);
  for (std::size_t i = count; i-- > 0;) {
    const Body& body = tree.bodies[i];
    has_inertia[i] = has_inertia[i] || !is_massless(body.inertia);
    if (body.parent < 0) continue;
    is_leaf[body.parent] = false;
    if (has_inertia[i]) has_inertia[body.parent] = true;
  }
  // The massless joint that carries each body, so that a massless subtree is reported once with all its links.
  std::vector<int> group(count, -1);
  std::vector<MasslessJoint> found;
  for (std::size_t i = 0; i < count; ++i) {
    const Body& body = tree.bodies[i];
    if (body.parent >= 0 && group[body.parent] >= 0) {
      group[i] = group[body.parent];
      continue;
    }
    const bool weak = !has_inertia[i] || (is_leaf[i] && gives_way(body.joint, body.inertia));
    if (!weak || body.joint.mimics >= 0 || body.joint.armature > 0.0) continue;
    group[i] = static_cast<int>(found.size());
    found.push_back({static_cast<int>(i), {}});
  }
  for (std::size_t l = 0; l < tree.links.size(); ++l) {
    const int body = tree.links[l].body;
    if (body >= 0 && group[body] >= 0) found[group[body]].links.push_back(static_cast<int>(l));
  }
  return found;
}

void warn_massless(const UserTree& tree, const std::string& file, Diagnostics& findings) {
  for (const MasslessJoint& massless : find_massless_joints(tree)) {
    const Joint& joint = tree.bodies[massless.body].joint;
    std::vector<std::string> names;
    for (const int link : massless.links) names.push_back(tree.links[link].name);
    findings.warning(
        {file, joint.line, "robot/joint " + quoted(joint.name)},
        "joint " + quoted(joint.name) + " moves without inertia (links " + quoted_list(names) +
            "): the mass matrix is singular, forward dynamics does not exist",
        "give one of the links a mass and an inertia, give the joint an armature (--joint-dynamics), or "
        "make it fixed");
  }
}

}  // namespace featherline::model
