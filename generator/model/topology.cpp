#include "model/topology.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

namespace featherline::model {
namespace {

Location at(const description::Description& robot, const description::Joint& joint) {
  return {robot.file, joint.line, "robot/joint \"" + joint.name + "\""};
}

using LinkIndex = std::unordered_map<std::string, int>;  // looked up only, never walked

LinkIndex index_links(const description::Description& robot) {
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
std::vector<int> connect(const description::Description& robot, Topology& topology, Diagnostics& findings) {
  const LinkIndex links = index_links(robot);
  std::vector<int> joint_above(robot.links.size(), -1);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const description::Joint& joint = robot.joints[j];
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

int find_root(const description::Description& robot, const std::vector<int>& joint_above,
              Diagnostics& findings) {
  int root = -1;
  for (std::size_t i = 0; i < joint_above.size(); ++i) {
    if (joint_above[i] >= 0) continue;
    const description::Link& link = robot.links[i];
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
std::vector<std::vector<int>> joints_below(const description::Description& robot, const Topology& topology) {
  std::vector<int> by_name(robot.joints.size());
  std::iota(by_name.begin(), by_name.end(), 0);
  std::stable_sort(by_name.begin(), by_name.end(),
                   [&](int a, int b) { return robot.joints[a].name < robot.joints[b].name; });
  std::vector<std::vector<int>> below(robot.links.size());
  for (const int j : by_name) { below[static_cast<std::size_t>(topology.parent[j])].push_back(j); }
  return below;
}

/// Depth first without recursion: chains of 100,000 links must not exhaust the stack.
std::vector<int> depth_first(const description::Description& robot, const Topology& topology) {
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

void report_loop(const description::Description& robot, const Topology& topology, Diagnostics& findings) {
  std::vector<bool> reached(robot.joints.size(), false);
  for (const int j : topology.order) reached[j] = true;
  const std::size_t first =
      static_cast<std::size_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
  findings.error(at(robot, robot.joints[first]), "the joint is part of, or hangs on, a closed loop",
                 "open the loop: the joints must form a tree");
}

}  // namespace

std::optional<Topology> find_topology(const description::Description& robot, Diagnostics& findings) {
  Topology topology;
  const std::vector<int> joint_above = connect(robot, topology, findings);
  topology.root = find_root(robot, joint_above, findings);
  if (findings.has_errors()) return std::nullopt;
  topology.order = depth_first(robot, topology);
  if (topology.order.size() == robot.joints.size()) return topology;
  report_loop(robot, topology, findings);
  return std::nullopt;
}

namespace {

constexpr const char* order_remedy = "name every moving joint exactly once, parents before children";

class OrderCheck {
 public:
  OrderCheck(const description::Description& robot, const Topology& topology, Diagnostics& findings)
      : robot_(robot), findings_(findings), position_(robot.joints.size(), -1) {
    std::vector<int> mover(robot.links.size(), -1);  // nearest moving joint above each link
    moving_above_.resize(robot.joints.size(), -1);
    for (const int j : topology.order) {
      moving_above_[j] = mover[topology.parent[j]];
      mover[topology.child[j]] = is_fixed(j) ? moving_above_[j] : j;
      by_name_.emplace(robot.joints[j].name, j);
    }
  }

  /// The order of the whole robot stays valid when joints are locked.
  bool is_locked(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found != by_name_.end() && robot_.joints[static_cast<std::size_t>(found->second)].locked;
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
                      order_remedy);
    }
  }

 private:
  bool is_fixed(int joint) const { return robot_.joints[joint].type == model::JointType::fixed; }

  int reject(int entry, const std::string& name, const std::string& why) {
    findings_.error({"--joint-order", 0, ""}, "entry " + std::to_string(entry) + " \"" + name + "\": " + why,
                    order_remedy);
    return -1;
  }

  const description::Description& robot_;
  Diagnostics& findings_;
  std::unordered_map<std::string, int> by_name_;
  std::vector<int> moving_above_;  // per joint, -1 for none
  std::vector<int> position_;      // per joint: its 1-based entry, -1 before it is named
};

}  // namespace

std::optional<std::vector<int>> order_joints(const description::Description& robot, const Topology& topology,
                                             const std::optional<std::vector<std::string>>& joint_order,
                                             const std::string& base_joint, Diagnostics& findings) {
  std::vector<int> order;
  if (!joint_order) {
    for (const int j : topology.order) {
      if (robot.joints[j].type != model::JointType::fixed) order.push_back(j);
    }
    return order;
  }
  OrderCheck check(robot, topology, findings);
  bool complete = true;
  for (std::size_t i = 0; i < joint_order->size(); ++i) {
    const std::string& name = (*joint_order)[i];
    if (i == 0 && !base_joint.empty() && name == base_joint) continue;
    if (check.is_locked(name)) continue;
    order.push_back(check.take(static_cast<int>(i) + 1, name));
    complete = complete && order.back() >= 0;
  }
  check.report_missing(topology);
  if (!complete || findings.has_errors()) return std::nullopt;
  return order;
}

namespace {

bool has_one_coordinate(const description::Joint& joint) { return row_of(joint.type).nq() == 1; }

/// Other tools ignore <mimic>, so that what cannot be coupled should be of use here, too.
constexpr const char* or_independent = ", or pass --mimic independent, which ignores <mimic>";

Location at_mimic(const description::Description& robot, const description::Joint& joint) {
  return {robot.file, joint.mimic->line, "robot/joint \"" + joint.name + "\"/mimic"};
}

class Resolver {
 public:
  Resolver(const description::Description& robot, Diagnostics& findings)
      : robot_(robot),
        findings_(findings),
        couplings_(robot.joints.size()),
        state_(robot.joints.size(), State::open) {
    for (std::size_t j = 0; j < robot.joints.size(); ++j)
      by_name_.emplace(robot.joints[j].name, static_cast<int>(j));
  }

  std::vector<Coupling> run() {
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) follow(static_cast<int>(j));
    return std::move(couplings_);
  }

 private:
  enum class State { open, on_path, done };

  /// Walks from `joint` to the end of its chain, then composes backwards; each joint is walked once.
  void follow(int joint) {
    std::vector<int> path;
    while (joint >= 0 && state_[joint] == State::open) {
      state_[joint] = State::on_path;
      path.push_back(joint);
      joint = target(joint);
    }
    if (joint >= 0 && state_[joint] == State::on_path) report_cycle(joint);
    for (auto j = path.rbegin(); j != path.rend(); ++j) {
      state_[*j] = State::done;
      compose(*j);
    }
  }

  /// The joint this one mimics, -1 for none or after an error.
  int target(int index) {
    const description::Joint& joint = robot_.joints[index];
    if (!joint.mimic) return -1;
    if (joint.type == JointType::fixed) {
      findings_.warning("mimic-of-fixed-joint", at_mimic(robot_, joint),
                        "<mimic> of fixed joint " + in_quotes(joint.name) + " is ignored",
                        "remove it, or give the joint a type that moves");
      return -1;
    }
    const std::string subject = "joint " + in_quotes(joint.name);
    if (!has_one_coordinate(joint)) {
      return reject(joint, std::string(name(joint.type)) + ' ' + subject + " cannot mimic",
                    "only joints with one coordinate can; remove <mimic>");
    }
    const auto found = by_name_.find(joint.mimic->joint);
    if (found == by_name_.end()) {
      return reject(joint,
                    subject + " mimics joint " + in_quotes(joint.mimic->joint) + ", which does not exist",
                    "correct the name");
    }
    if (found->second == index)
      return reject(joint, subject + " mimics itself", "name the joint that drives it");
    const description::Joint& driver = robot_.joints[found->second];
    if (!has_one_coordinate(driver)) {
      return reject(joint, subject + " mimics " + name(driver.type) + " joint " + in_quotes(driver.name),
                    "name a joint with one coordinate");
    }
    if (joint.mimic->multiplier == 0.0) {
      findings_.warning(
          "mimic-of-zero", at_mimic(robot_, joint),
          subject + " mimics joint " + in_quotes(driver.name) + " with multiplier 0: it never moves",
          "correct the multiplier, or make the joint fixed");
    }
    return targets_[index] = found->second;
  }

  int reject(const description::Joint& joint, const std::string& what, const std::string& remedy) {
    findings_.error(at_mimic(robot_, joint), what, remedy + or_independent);
    return -1;
  }

  void report_cycle(int joint) {
    std::string names = in_quotes(robot_.joints[joint].name);
    for (int next = targets_.at(joint); next != joint; next = targets_.at(next)) {
      if (names.size() > 200) {
        names += " -> ...";
        break;
      }
      names += " -> " + in_quotes(robot_.joints[next].name);
    }
    reject(robot_.joints[joint],
           "mimic joints in a circle: " + names + " -> " + in_quotes(robot_.joints[joint].name),
           "remove <mimic> from the joint that drives the others");
    targets_.erase(joint);
  }

  void compose(int index) {
    const auto found = targets_.find(index);
    if (found == targets_.end()) return;
    const description::Mimic& mimic = *robot_.joints[index].mimic;
    const Coupling& next = couplings_[found->second];
    couplings_[index] = {next.driver < 0 ? found->second : next.driver, mimic.multiplier * next.multiplier,
                         mimic.multiplier * next.offset + mimic.offset};
  }

  const description::Description& robot_;
  Diagnostics& findings_;
  std::vector<Coupling> couplings_;
  std::vector<State> state_;
  std::unordered_map<std::string, int> by_name_;
  std::unordered_map<int, int> targets_;  // joint -> joint it mimics
};

}  // namespace

std::vector<Coupling> resolve_mimics(const description::Description& robot, Diagnostics& findings) {
  return Resolver(robot, findings).run();
}

}  // namespace featherline::model
