#include "model/massless.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <functional>

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

/// The moment about an axis through the origin, free of the round-off of merging. Negative ones, let pass by --allow, resist.
bool no_moment_about(const Vector3& axis, const Matrix3& J) {
  return std::abs(axis.dot(J * axis)) <= 1e-14 * J.cwiseAbs().maxCoeff();
}

/// The body alone offers no resistance to some motion its joint allows.
bool gives_way(const Joint& joint, const Inertia& inertia) {
  const JointRow& row = joint.row();
  const bool no_mass = inertia.mass == 0.0;
  if (row.num_slides() > 0 && no_mass) return true;
  if (row.num_turns() == 0) return false;
  // What may also slide across its axis turns about its centre of mass.
  const Matrix3 J = row.num_slides() > 1 ? about_centre_of_mass(inertia) : inertia.J;
  if (row.num_turns() == 3) return singular(J);
  // Of several axes only the last stays where it is in the body.
  const auto last = std::find_if(row.motions.rbegin(), row.motions.rend(), std::mem_fn(&Motion::turns));
  return no_moment_about(joint.direction(last->along), J) && (no_mass || !row.needs_pitch());
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
