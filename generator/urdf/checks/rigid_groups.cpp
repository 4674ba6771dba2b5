#include "urdf/checks/rigid_groups.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <string_view>
#include <unordered_map>

namespace featherline::urdf {
namespace {

using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).
Isometry3d pose_of(const Origin& origin) {
  using Eigen::AngleAxisd;
  return Eigen::Translation3d(origin.xyz) * AngleAxisd(origin.rpy.z(), Vector3d::UnitZ()) *
         AngleAxisd(origin.rpy.y(), Vector3d::UnitY()) * AngleAxisd(origin.rpy.x(), Vector3d::UnitX());
}

struct Child {
  int link;
  const Joint* joint;
};

std::vector<std::vector<Child>> children_of(const Description& description, std::vector<bool>& is_child) {
  std::unordered_map<std::string_view, int> link_of_name;
  for (const Link& link : description.links)
    link_of_name.emplace(link.name, static_cast<int>(link_of_name.size()));
  std::vector<std::vector<Child>> children(description.links.size());
  for (const Joint& joint : description.joints) {
    const int child = link_of_name.at(joint.child);
    is_child[static_cast<std::size_t>(child)] = true;
    children[static_cast<std::size_t>(link_of_name.at(joint.parent))].push_back({child, &joint});
  }
  return children;
}

/// Point masses' share of a rotational inertia: m (d.d 1 - d d^T).
Matrix3d parallel_axis(double mass, const Vector3d& d) {
  return mass * (d.squaredNorm() * Matrix3d::Identity() - d * d.transpose());
}

/// Adds a link at the given pose in the group's first link. Sums stay about that link's origin: `inertia`
/// there.
void add(const Link& link, const Isometry3d& X_GL, RigidGroup& group, Vector3d& first_moment) {
  if (!link.inertial) return;
  const Isometry3d X_GC = X_GL * pose_of(link.inertial->origin);
  const Matrix3d R = X_GC.linear();
  group.mass += link.inertial->mass;
  first_moment += link.inertial->mass * X_GC.translation();
  group.inertia +=
      R * link.inertial->inertia * R.transpose() + parallel_axis(link.inertial->mass, X_GC.translation());
}

}  // namespace

Vector3d principal_moments(const Matrix3d& inertia) {
  const double size = inertia.cwiseAbs().maxCoeff();
  if (size == 0.0) return Vector3d::Zero();
  // Scaled to 1, so that neither tiny nor huge entries leave the range of a double.
  const Matrix3d scaled = inertia / size;
  Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  for (double& moment : moments) {
    if (std::abs(moment) < 1e-12) moment = 0.0;
  }
  return moments * size;
}

std::vector<RigidGroup> rigid_groups(const Description& description) {
  std::vector<bool> is_child(description.links.size());
  const auto children = children_of(description, is_child);
  struct Pending {
    int link, group;
    Isometry3d pose;
  };
  std::vector<RigidGroup> groups;
  std::vector<Vector3d> first_moments;
  std::vector<Pending> pending;
  const auto start_group = [&](int link) {
    groups.emplace_back();
    first_moments.push_back(Vector3d::Zero());
    pending.push_back({link, static_cast<int>(groups.size()) - 1, Isometry3d::Identity()});
  };
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) start_group(static_cast<int>(i));
  }
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    const auto group = static_cast<std::size_t>(next.group), link = static_cast<std::size_t>(next.link);
    groups[group].links.push_back(next.link);
    add(description.links[link], next.pose, groups[group], first_moments[group]);
    for (const Child& child : children[link]) {
      if (child.joint->type == JointType::fixed) {
        pending.push_back({child.link, next.group, next.pose * pose_of(child.joint->origin)});
      } else {
        start_group(child.link);
      }
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].rounding = 1e-12 * groups[i].inertia.cwiseAbs().maxCoeff();
    if (groups[i].mass > 0.0) {
      groups[i].inertia -= parallel_axis(groups[i].mass, Vector3d(first_moments[i] / groups[i].mass));
    }
  }
  return groups;
}

}  // namespace featherline::urdf
