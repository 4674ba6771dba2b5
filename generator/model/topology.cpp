#include "model/build_tree.hpp"

#include "description/checks.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace featherline::model {
namespace {

bool is_fixed(const description::Joint& joint) { return joint.type == JointType::fixed; }

/// Joints below each link, in byte order of their names, or as the file has them.
std::vector<Indices> joints_below(const description::Description& robot, const Topology& topology) {
  Indices order(robot.joints.size());
  std::iota(order.begin(), order.end(), 0);
  const auto is_before = [&](std::size_t a, std::size_t b) {
    return !robot.siblings_as_written && robot.joints[a].name < robot.joints[b].name;
  };
  std::ranges::stable_sort(order, is_before);
  std::vector<Indices> below(robot.links.size());
  for (const std::size_t j : order) below[topology.parent[j]].push_back(j);
  return below;
}

/// The nearest moving joint above each joint, -1 for none.
std::vector<int> moving_joints_above(const description::Description& robot, const Topology& topology) {
  std::vector<int> above(robot.joints.size()), above_link(robot.links.size(), -1);
  for (const std::size_t j : topology.order) {
    above[j] = above_link[topology.parent[j]];
    above_link[topology.child[j]] = is_fixed(robot.joints[j]) ? above[j] : static_cast<int>(j);
  }
  return above;
}

/// The joints as the user names them.
Indices order_by_names(const description::Description& robot, const Topology& topology,
                       const std::vector<std::string>& names, const std::string& base_joint,
                       Diagnostics& findings) {
  const NameIndex joints(robot.joints);
  const std::vector<int> above = moving_joints_above(robot, topology);
  const auto refuse = [&](const std::string& what) {
    findings.error({"--joint-order", 0, ""}, what,
                   "name every moving joint exactly once, parents before children");
  };
  Indices order;
  std::vector<int> entry_of(robot.joints.size(), 0);  // by joint: its entry from 1, 0 before it is named
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k == 0 && !base_joint.empty() && names[k] == base_joint) continue;
    const int found = joints.find(names[k]), entry = static_cast<int>(k) + 1;
    const auto refuse_entry = [&](const std::string& fault) {
      refuse(fmt::format("entry {} \"{}\": {}", entry, names[k], fault));
    };
    if (found < 0) {
      refuse_entry("there is no such joint");
      continue;
    }
    const std::size_t j = index(found);
    if (robot.joints[j].locked) continue;  // the order of the whole robot stays valid
    if (is_fixed(robot.joints[j]))
      refuse_entry("the joint is fixed and has no coordinate");
    else if (entry_of[j] > 0)
      refuse_entry(fmt::format("already named by entry {}", entry_of[j]));
    else if (above[j] >= 0 && entry_of[index(above[j])] == 0)
      refuse_entry(
          fmt::format("its parent joint \"{}\" must come before it", robot.joints[index(above[j])].name));
    order.push_back(j);
    if (entry_of[j] == 0) entry_of[j] = entry;
  }
  for (const std::size_t j : topology.order) {
    if (!is_fixed(robot.joints[j]) && entry_of[j] == 0)
      refuse(fmt::format("moving joint \"{}\" is missing", robot.joints[j].name));
  }
  return order;
}

bool has_one_coordinate(const description::Joint& joint) { return row_of(joint.type).nq() == 1; }

Location at_mimic(const description::Description& robot, const description::Joint& joint) {
  return description::at(robot, joint, joint.mimic->line, "/mimic");
}

/// Other tools ignore <mimic>, so that what cannot be coupled should be of use here, too.
int reject(const description::Description& robot, const description::Joint& joint, const std::string& what,
           const std::string& remedy, Diagnostics& findings) {
  findings.error(at_mimic(robot, joint), what,
                 remedy + ", or pass --mimic independent, which ignores <mimic>");
  return -1;
}

/// The joint that this one mimics, -1 for none or after an error.
int leader_of(const description::Description& robot, const description::Joint& joint, const NameIndex& joints,
              Diagnostics& findings) {
  if (!joint.mimic) return -1;
  if (is_fixed(joint)) {
    findings.warning("mimic-of-fixed-joint", at_mimic(robot, joint),
                     "<mimic> of fixed joint " + in_quotes(joint.name) + " is ignored",
                     "remove it, or give the joint a type that moves");
    return -1;
  }
  const std::string subject = "joint " + in_quotes(joint.name), mimics = subject + " mimics ";
  if (!has_one_coordinate(joint))
    return reject(robot, joint, std::string(name(joint.type)) + ' ' + subject + " cannot mimic",
                  "only joints with one coordinate can; remove <mimic>", findings);
  const int leader = joints.find(joint.mimic->joint);
  if (leader < 0)
    return reject(robot, joint, mimics + "joint " + in_quotes(joint.mimic->joint) + ", which does not exist",
                  "correct the name", findings);
  const description::Joint& driver = robot.joints[index(leader)];
  if (&driver == &joint)
    return reject(robot, joint, mimics + "itself", "name the joint that drives it", findings);
  if (!has_one_coordinate(driver))
    return reject(robot, joint, mimics + name(driver.type) + " joint " + in_quotes(driver.name),
                  "name a joint with one coordinate", findings);
  if (joint.mimic->multiplier == 0.0)
    findings.warning("mimic-of-zero", at_mimic(robot, joint),
                     mimics + "joint " + in_quotes(driver.name) + " with multiplier 0: it never moves",
                     "correct the multiplier, or make the joint fixed");
  return leader;
}

/// "a" -> "b" -> "a": the joints that lead from one to itself. The middle of a long circle is left out.
std::string names_in_circle(const description::Description& robot, const std::vector<int>& leaders,
                            int joint) {
  const std::string first = in_quotes(robot.joints[index(joint)].name);
  std::string names = first;
  for (int next = leaders[index(joint)]; next != joint; next = leaders[index(next)]) {
    if (names.size() > 200) {
      names += " -> ...";
      break;
    }
    names += " -> " + in_quotes(robot.joints[index(next)].name);
  }
  return names + " -> " + first;
}

}  // namespace

Topology find_topology(const description::Description& robot) {
  Topology topology;
  const NameIndex links(robot.links);
  std::vector<bool> is_child(robot.links.size(), false);
  for (const description::Joint& joint : robot.joints) {
    topology.parent.push_back(index(links.find(joint.parent)));
    topology.child.push_back(index(links.find(joint.child)));
    is_child[topology.child.back()] = true;
  }
  topology.root = static_cast<std::size_t>(std::ranges::find(is_child, false) - is_child.begin());
  // Depth first without recursion: chains of 100,000 links must not exhaust the stack.
  const auto below = joints_below(robot, topology);
  Indices pending(below[topology.root].rbegin(), below[topology.root].rend());
  while (!pending.empty()) {
    topology.order.push_back(pending.back());
    pending.pop_back();
    const Indices& next = below[topology.child[topology.order.back()]];
    pending.insert(pending.end(), next.rbegin(), next.rend());
  }
  return topology;
}

std::optional<Indices> order_joints(const description::Description& robot, const Topology& topology,
                                    const std::optional<std::vector<std::string>>& joint_order,
                                    const std::string& base_joint, Diagnostics& findings) {
  Indices order = topology.order;
  if (joint_order)
    order = order_by_names(robot, topology, *joint_order, base_joint, findings);
  else
    std::erase_if(order, [&](std::size_t j) { return is_fixed(robot.joints[j]); });
  if (findings.has_errors()) return std::nullopt;
  return order;
}

std::vector<Coupling> resolve_mimics(const description::Description& robot, Diagnostics& findings) {
  const NameIndex joints(robot.joints);
  std::vector<int> leaders = each(robot.joints, [&](const description::Joint& joint) {
    return leader_of(robot, joint, joints, findings);
  });
  enum class State { open, on_path, done };
  std::vector<State> states(robot.joints.size(), State::open);
  std::vector<Coupling> couplings(robot.joints.size());
  for (int start = 0; start < static_cast<int>(leaders.size()); ++start) {
    // To the end of the chain, then back. Each joint is walked once.
    std::vector<int> path;
    int joint = start;
    for (; joint >= 0 && states[index(joint)] == State::open; joint = leaders[index(joint)]) {
      states[index(joint)] = State::on_path;
      path.push_back(joint);
    }
    if (joint >= 0 && states[index(joint)] == State::on_path) {
      leaders[index(joint)] = reject(robot, robot.joints[index(joint)],
                                     "mimic joints in a circle: " + names_in_circle(robot, leaders, joint),
                                     "remove <mimic> from the joint that drives the others", findings);
    }
    for (auto j = path.rbegin(); j != path.rend(); ++j) {
      states[index(*j)] = State::done;
      const int leader = leaders[index(*j)];
      if (leader < 0) continue;
      const description::Mimic& mimic = *robot.joints[index(*j)].mimic;
      const Coupling& next = couplings[index(leader)];
      couplings[index(*j)] = {next.driver < 0 ? leader : next.driver, mimic.multiplier * next.multiplier,
                              mimic.multiplier * next.offset + mimic.offset};
    }
  }
  return couplings;
}

}  // namespace featherline::model
