#include "model/order.hpp"

#include <unordered_map>

namespace featherline::model {
namespace {

constexpr const char* remedy = "name every moving joint exactly once, parents before children";

class OrderCheck {
 public:
  OrderCheck(const urdf::Description& robot, const Topology& topology, Diagnostics& findings)
      : robot_(robot), findings_(findings), position_(robot.joints.size(), -1) {
    std::vector<int> mover(robot.links.size(), -1);  // nearest moving joint above each link
    moving_above_.resize(robot.joints.size(), -1);
    for (const int j : topology.order) {
      moving_above_[j] = mover[topology.parent[j]];
      mover[topology.child[j]] = is_fixed(j) ? moving_above_[j] : j;
      by_name_.emplace(robot.joints[j].name, j);
    }
  }

  /// The joint an entry names, -1 if it is at fault.
  int take(int entry, const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return reject(entry, name, "there is no such joint");
    const int joint = found->second;
    if (is_fixed(joint)) return reject(entry, name, "the joint is fixed and has no coordinate");
    if (position_[joint] >= 0) {
      return reject(entry, name, "already named by entry " + std::to_string(position_[joint]));
    }
    position_[joint] = entry;
    const int above = moving_above_[joint];
    if (above >= 0 && position_[above] < 0) {
      return reject(entry, name,
                    "its parent joint \"" + robot_.joints[above].name + "\" must come before it");
    }
    return joint;
  }

  void report_missing(const Topology& topology) {
    for (const int j : topology.order) {
      if (is_fixed(j) || position_[j] >= 0) continue;
      findings_.error({"--joint-order", 0, ""}, "moving joint \"" + robot_.joints[j].name + "\" is missing",
                      remedy);
    }
  }

 private:
  bool is_fixed(int joint) const { return robot_.joints[joint].type == urdf::JointType::fixed; }

  int reject(int entry, const std::string& name, const std::string& why) {
    findings_.error({"--joint-order", 0, ""}, "entry " + std::to_string(entry) + " \"" + name + "\": " + why,
                    remedy);
    return -1;
  }

  const urdf::Description& robot_;
  Diagnostics& findings_;
  std::unordered_map<std::string, int> by_name_;
  std::vector<int> moving_above_;  // per joint, -1 for none
  std::vector<int> position_;      // per joint: its 1-based entry, -1 before it is named
};

}  // namespace

std::optional<std::vector<int>> order_joints(const urdf::Description& robot, const Topology& topology,
                                             const std::optional<std::vector<std::string>>& joint_order,
                                             const std::string& base_joint, Diagnostics& findings) {
  std::vector<int> order;
  if (!joint_order) {
    for (const int j : topology.order) {
      if (robot.joints[j].type != urdf::JointType::fixed) order.push_back(j);
    }
    return order;
  }
  OrderCheck check(robot, topology, findings);
  bool complete = true;
  for (std::size_t i = 0; i < joint_order->size(); ++i) {
    const std::string& name = (*joint_order)[i];
    if (i == 0 && !base_joint.empty() && name == base_joint) continue;
    order.push_back(check.take(static_cast<int>(i) + 1, name));
    complete = complete && order.back() >= 0;
  }
  check.report_missing(topology);
  if (!complete || findings.has_errors()) return std::nullopt;
  return order;
}

}  // namespace featherline::model
