#include "model/topology.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

namespace featherline::model {
namespace {

Location at(const urdf::Description& robot, const urdf::Joint& joint) {
  return {robot.file, joint.line, "robot/joint \"" + joint.name + "\""};
}

using LinkIndex = std::unordered_map<std::string, int>;  // looked up only, never walked

LinkIndex index_links(const urdf::Description& robot) {
  LinkIndex index;
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    index.emplace(robot.links[i].name, static_cast<int>(i));
  return index;
}

int find_link(const LinkIndex& links, const std::string& name, const Location& where, Diagnostics& findings) {
  const auto found = links.find(name);
  if (found != links.end()) return found->second;
  findings.error(where, "link \"" + name + "\" does not exist", "name a <link> of this robot");
  return -1;
}

/// Fills parent and child per joint; returns the joint above each link, -1 where there is none.
std::vector<int> connect(const urdf::Description& robot, Topology& topology, Diagnostics& findings) {
  const LinkIndex links = index_links(robot);
  std::vector<int> joint_above(robot.links.size(), -1);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const urdf::Joint& joint = robot.joints[j];
    topology.parent.push_back(find_link(links, joint.parent, at(robot, joint), findings));
    const int child = find_link(links, joint.child, at(robot, joint), findings);
    topology.child.push_back(child);
    if (child < 0) continue;
    int& above = joint_above[child];
    if (above >= 0) {
      findings.error(
          at(robot, joint),
          "link \"" + joint.child + "\" already hangs on joint \"" + robot.joints[above].name + "\"",
          "give every link one parent joint; closed loops are not supported");
    }
    above = static_cast<int>(j);
  }
  return joint_above;
}

int find_root(const urdf::Description& robot, const std::vector<int>& joint_above, Diagnostics& findings) {
  int root = -1;
  for (std::size_t i = 0; i < joint_above.size(); ++i) {
    if (joint_above[i] >= 0) continue;
    const urdf::Link& link = robot.links[i];
    if (root >= 0) {
      findings.error({robot.file, link.line, "robot/link \"" + link.name + "\""},
                     "a second root: \"" + robot.links[root].name + "\" has no parent joint either",
                     "connect it with a joint, or remove it");
      continue;
    }
    root = static_cast<int>(i);
  }
  if (root < 0) {
    findings.error({robot.file, robot.line, "robot"},
                   "no root link: every link has a parent joint, or there is none",
                   "leave exactly one link without a parent joint");
  }
  return root;
}

/// Joints below each link, in byte order of their names.
std::vector<std::vector<int>> joints_below(const urdf::Description& robot, const Topology& topology) {
  std::vector<int> by_name(robot.joints.size());
  std::iota(by_name.begin(), by_name.end(), 0);
  std::stable_sort(by_name.begin(), by_name.end(),
                   [&](int a, int b) { return robot.joints[a].name < robot.joints[b].name; });
  std::vector<std::vector<int>> below(robot.links.size());
  for (const int j : by_name) { below[static_cast<std::size_t>(topology.parent[j])].push_back(j); }
  return below;
}

/// Depth first without recursion: chains of 100,000 links must not exhaust the stack.
std::vector<int> depth_first(const urdf::Description& robot, const Topology& topology) {
  const std::vector<std::vector<int>> below = joints_below(robot, topology);
  std::vector<int> order;
  std::vector<int> pending;
  const auto push_below = [&](int link) {
    const std::vector<int>& joints = below[link];
    pending.insert(pending.end(), joints.rbegin(), joints.rend());
  };
  push_below(topology.root);
  while (!pending.empty()) {
    const int joint = pending.back();
    pending.pop_back();
    order.push_back(joint);
    push_below(topology.child[joint]);
  }
  return order;
}

void report_loop(const urdf::Description& robot, const Topology& topology, Diagnostics& findings) {
  std::vector<bool> reached(robot.joints.size(), false);
  for (const int j : topology.order) reached[j] = true;
  const std::size_t first =
      static_cast<std::size_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
  findings.error(at(robot, robot.joints[first]), "the joint is part of, or hangs on, a closed loop",
                 "open the loop: the joints must form a tree");
}

}  // namespace

std::optional<Topology> find_topology(const urdf::Description& robot, Diagnostics& findings) {
  Topology topology;
  const std::vector<int> joint_above = connect(robot, topology, findings);
  topology.root = find_root(robot, joint_above, findings);
  if (findings.has_errors()) return std::nullopt;
  topology.order = depth_first(robot, topology);
  if (topology.order.size() == robot.joints.size()) return topology;
  report_loop(robot, topology, findings);
  return std::nullopt;
}

}  // namespace featherline::model
