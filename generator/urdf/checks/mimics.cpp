#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/joint_types.hpp"

#include <string_view>
#include <unordered_map>

namespace featherline::urdf {
namespace {

using JointOfName = std::unordered_map<std::string_view, const Joint*>;

/// The joint that `joint` follows directly, or null.
const Joint* driver(const Joint& joint, const JointOfName& joints) {
  if (!joint.mimic) return nullptr;
  const auto found = joints.find(joint.mimic->joint);
  return found == joints.end() ? nullptr : found->second;
}

void check_target(const Description& description, const Joint& joint, const JointOfName& joints,
                  Diagnostics& diagnostics) {
  const Location where = at(description, joint, joint.mimic->line, "/mimic");
  const std::string subject = "joint " + quoted(joint.name);
  const Joint* target = driver(joint, joints);
  if (joint.mimic->joint.empty()) return;  // reported by the reader
  if (target == nullptr) {
    diagnostics.error(where,
                      subject + " mimics joint " + quoted(joint.mimic->joint) + ", which does not exist",
                      "correct the name");
  } else if (target == &joint) {
    diagnostics.error(where, subject + " mimics itself", "name the joint that drives it");
  } else if (dof_of(joint.type) != 1 && joint.type != JointType::fixed) {
    diagnostics.error(where, std::string(name_of(joint.type)) + ' ' + subject + " cannot mimic",
                      "only joints with one coordinate can; remove <mimic>");
  } else if (dof_of(target->type) != 1) {
    diagnostics.error(where, subject + " mimics " + name_of(target->type) + " joint " + quoted(target->name),
                      "name a joint with one coordinate");
  } else if (joint.mimic->multiplier == 0.0) {
    diagnostics.warning(
        where, subject + " mimics joint " + quoted(target->name) + " with multiplier 0: it never moves",
        "correct the multiplier, or make the joint fixed");
  }
}

/// Reports each cycle of two or more joints once, at its first joint in the file.
void check_cycles(const Description& description, const JointOfName& joints, Diagnostics& diagnostics) {
  std::unordered_map<const Joint*, const Joint*> visited_from;
  for (const Joint& start : description.joints) {
    const Joint* joint = &start;
    while (joint != nullptr && visited_from.emplace(joint, &start).second) joint = driver(*joint, joints);
    if (joint == nullptr || visited_from.at(joint) != &start || driver(*joint, joints) == joint) continue;
    std::string names = quoted(joint->name);
    for (const Joint* next = driver(*joint, joints); next != joint; next = driver(*next, joints)) {
      if (names.size() > 200) {
        names += " -> ...";
        break;
      }
      names += " -> " + quoted(next->name);
    }
    diagnostics.error(at(description, *joint, joint->mimic->line, "/mimic"),
                      "mimic joints in a circle: " + names + " -> " + quoted(joint->name),
                      "remove <mimic> from the joint that drives the others");
  }
}

}  // namespace

void check_mimics(const Description& description, Diagnostics& diagnostics) {
  JointOfName joints;
  for (const Joint& joint : description.joints) joints.emplace(joint.name, &joint);
  for (const Joint& joint : description.joints) {
    if (joint.mimic) check_target(description, joint, joints, diagnostics);
  }
  check_cycles(description, joints, diagnostics);
}

}  // namespace featherline::urdf
