#pragma once

#include <featherline/joint_info.hpp>

#include <cmath>
#include <vector>

/// q of Pinocchio from ours and back. runtime/guide/coming_from_pinocchio.md shows this code, and a test compares the
/// two.
namespace coming_from_pinocchio {

// [page]
/// From our q to Pinocchio's: angles of continuous and planar joints become cosine and sine.
template <class Joints>
std::vector<double> to_pinocchio(const Joints& joints, const double* q) {
  std::vector<double> theirs;
  for (const featherline::JointInfo& joint : joints) {
    for (int k = 0; k < joint.nq; ++k) {
      const double entry = q[joint.idx_q + k];
      const bool is_angle = joint.type == featherline::JointType::continuous ||
                            (joint.type == featherline::JointType::planar && k == 2);
      if (is_angle)
        theirs.insert(theirs.end(), {std::cos(entry), std::sin(entry)});
      else
        theirs.push_back(entry);
    }
  }
  return theirs;
}

/// From Pinocchio's q to ours. Angles come out within pi.
template <class Joints>
std::vector<double> from_pinocchio(const Joints& joints, const double* theirs) {
  std::vector<double> q;
  for (const featherline::JointInfo& joint : joints) {
    for (int k = 0; k < joint.nq; ++k) {
      const bool is_angle = joint.type == featherline::JointType::continuous ||
                            (joint.type == featherline::JointType::planar && k == 2);
      q.push_back(is_angle ? std::atan2(theirs[1], theirs[0]) : *theirs);
      theirs += is_angle ? 2 : 1;
    }
  }
  return q;
}
// [page]

}  // namespace coming_from_pinocchio
