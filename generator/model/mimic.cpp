#include "model/mimic.hpp"

#include <string>
#include <unordered_map>

namespace featherline::model {
namespace {

bool has_one_coordinate(const urdf::Joint& joint) { return row_of(joint.type).nq() == 1; }

/// Other tools ignore <mimic>, so that what cannot be coupled should be of use here, too.
constexpr const char* or_independent = ", or pass --mimic independent, which ignores <mimic>";

Location at(const urdf::Description& robot, const urdf::Joint& joint) {
  return {robot.file, joint.mimic->line, "robot/joint \"" + joint.name + "\"/mimic"};
}

class Resolver {
 public:
  Resolver(const urdf::Description& robot, Diagnostics& findings)
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
    const urdf::Joint& joint = robot_.joints[index];
    if (!joint.mimic) return -1;
    if (joint.type == JointType::fixed) {
      findings_.warning(at(robot_, joint), "<mimic> of fixed joint " + quoted(joint.name) + " is ignored",
                        "remove it, or give the joint a type that moves");
      return -1;
    }
    const std::string subject = "joint " + quoted(joint.name);
    if (!has_one_coordinate(joint)) {
      return reject(joint, std::string(name(joint.type)) + ' ' + subject + " cannot mimic",
                    "only joints with one coordinate can; remove <mimic>");
    }
    const auto found = by_name_.find(joint.mimic->joint);
    if (found == by_name_.end()) {
      return reject(joint, subject + " mimics joint " + quoted(joint.mimic->joint) + ", which does not exist",
                    "correct the name");
    }
    if (found->second == index)
      return reject(joint, subject + " mimics itself", "name the joint that drives it");
    const urdf::Joint& driver = robot_.joints[found->second];
    if (!has_one_coordinate(driver)) {
      return reject(joint, subject + " mimics " + name(driver.type) + " joint " + quoted(driver.name),
                    "name a joint with one coordinate");
    }
    if (joint.mimic->multiplier == 0.0) {
      findings_.warning(
          at(robot_, joint),
          subject + " mimics joint " + quoted(driver.name) + " with multiplier 0: it never moves",
          "correct the multiplier, or make the joint fixed");
    }
    return targets_[index] = found->second;
  }

  int reject(const urdf::Joint& joint, const std::string& what, const std::string& remedy) {
    findings_.error(at(robot_, joint), what, remedy + or_independent);
    return -1;
  }

  void report_cycle(int joint) {
    std::string names = quoted(robot_.joints[joint].name);
    for (int next = targets_.at(joint); next != joint; next = targets_.at(next)) {
      if (names.size() > 200) {
        names += " -> ...";
        break;
      }
      names += " -> " + quoted(robot_.joints[next].name);
    }
    reject(robot_.joints[joint],
           "mimic joints in a circle: " + names + " -> " + quoted(robot_.joints[joint].name),
           "remove <mimic> from the joint that drives the others");
    targets_.erase(joint);
  }

  void compose(int index) {
    const auto found = targets_.find(index);
    if (found == targets_.end()) return;
    const urdf::Mimic& mimic = *robot_.joints[index].mimic;
    const Coupling& next = couplings_[found->second];
    couplings_[index] = {next.driver < 0 ? found->second : next.driver, mimic.multiplier * next.multiplier,
                         mimic.multiplier * next.offset + mimic.offset};
  }

  const urdf::Description& robot_;
  Diagnostics& findings_;
  std::vector<Coupling> couplings_;
  std::vector<State> state_;
  std::unordered_map<std::string, int> by_name_;
  std::unordered_map<int, int> targets_;  // joint -> joint it mimics
};

}  // namespace

std::vector<Coupling> resolve_mimics(const urdf::Description& robot, Diagnostics& findings) {
  return Resolver(robot, findings).run();
}

}  // namespace featherline::model
