#include "model/build_tree.hpp"

#include "description/checks.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace featherline::model {
namespace {

/// Characters that separate parts, and the one that takes their meaning away.
constexpr std::string_view separators = ",=\\";

Lock parse_lock(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(
        fmt::format("--lock: {} {}; write JOINT=VALUE, or JOINT=A:B:... for a joint with several coordinates",
                    in_quotes(text), why));
  };
  const std::vector<std::string> sides = split_at(text, '=');
  if (sides.size() != 2) refuse(sides.size() < 2 ? "has no value" : "has two =");
  Lock lock;
  lock.joint = trimmed(without_escapes(sides[0], separators));
  if (lock.joint.empty()) refuse("names no joint");
  for (const std::string& part : split_at(sides[1], ':')) {
    const std::optional<double> value = finite_number(trimmed(part));
    if (!value) refuse("has the value " + in_quotes(trimmed(part)) + ", which is not a finite number");
    lock.position.push_back(*value);
  }
  return lock;
}

/// 0, and unit rotations.
std::vector<double> neutral_of(const JointRow& row) {
  std::vector<double> q(index(row.nq()), 0.0);
  if (row.quaternion() >= 0) q[index(row.quaternion()) + 3] = 1.0;
  return q;
}

class Locker {
 public:
  Locker(description::Description& robot, const LockRequest& request, bool coupled, Diagnostics& findings)
      : robot_(robot),
        coupled_(coupled),
        findings_(findings),
        joints_(robot.joints),
        fates_(robot.joints.size(), Fate::open),
        positions_(robot.joints.size()) {
    for (const Lock& lock : request.locks) {
      const std::size_t j = moving_joint("--lock", lock.joint);
      if (fates_[j] == Fate::locked)
        throw UsageError(
            fmt::format("--lock: joint {} is given twice; leave one out", in_quotes(lock.joint)));
      fates_[j] = Fate::locked;
      positions_[j] = checked(lock, robot.joints[j]);
    }
    for (std::size_t j = 0; coupled && j < fates_.size(); ++j) {
      if (!robot.joints[j].held || fates_[j] == Fate::locked) continue;
      fates_[j] = Fate::locked;
      positions_[j] = {*robot.joints[j].held};
    }
    if (!request.all_but.empty()) lock_others(request.all_but);
  }

  void run(bool floating_base) {
    refuse_free_followers();
    for (std::size_t j = 0; j < fates_.size(); ++j) {
      if (fates_[j] == Fate::locked) lock(robot_.joints[j], positions_[j]);
    }
    take_out_of_couplings();
    const auto is_fixed = [](const description::Joint& joint) { return joint.type == JointType::fixed; };
    if (!floating_base && std::ranges::all_of(robot_.joints, is_fixed))
      throw UsageError(
          "--lock: all joints are locked, so nothing of the robot is left to move; leave one free, or let "
          "the robot float (--base floating)");
  }

 private:
  enum class Fate { open, free, locked };

  std::size_t moving_joint(const char* flag, const std::string& name) const {
    const int found = joints_.find(name);
    if (found < 0) {
      std::vector<std::string> names;
      for (const description::Joint& joint : robot_.joints) {
        if (joint.type != JointType::fixed) names.push_back(joint.name);
      }
      throw UsageError(fmt::format("{}: {}", flag, no_such("joint", name, names)));
    }
    if (robot_.joints[index(found)].type == JointType::fixed)
      throw UsageError(
          fmt::format("{}: joint {} is fixed in the robot's file; leave it out", flag, in_quotes(name)));
    return index(found);
  }

  /// The position, a quaternion of it at unit length.
  static std::vector<double> checked(const Lock& lock, const description::Joint& joint) {
    const JointRow& row = row_of(joint.type);
    std::vector<double> q = lock.position;
    if (static_cast<int>(q.size()) != row.nq())
      throw UsageError(fmt::format(
          "--lock: {} joint {} has {} in q, and {} given; {}={} is its neutral position", row.name(),
          in_quotes(lock.joint), row.nq() == 1 ? "1 number" : fmt::format("{} numbers", row.nq()),
          q.size() == 1 ? "1 is" : fmt::format("{} are", q.size()), with_escapes(lock.joint, separators),
          fmt::join(neutral_of(row), ":")));
    if (row.quaternion() < 0) return q;
    Eigen::Map<Eigen::Vector4d> quaternion(q.data() + row.quaternion());
    if (!(std::abs(quaternion.norm() - 1.0) < 1e-6))
      throw UsageError(
          fmt::format("--lock: the quaternion of joint {} has length {:.6g}; write x:y:z:w of length 1, with "
                      "seven digits",
                      in_quotes(lock.joint), quaternion.norm()));
    quaternion.normalize();
    return q;
  }

  void lock_others(const std::vector<std::string>& free) {
    for (const std::string& name : free) {
      Fate& fate = fates_[moving_joint("--lock-all-but", name)];
      if (fate == Fate::locked)
        throw UsageError(fmt::format("--lock-all-but: --lock has joint {}, too; take it out of one of them",
                                     in_quotes(name)));
      fate = Fate::free;
    }
    for (int j = 0; j < static_cast<int>(fates_.size()); ++j) decide(j);
  }

  /// Locks a joint and all that it mimics, unless that leads to a joint that is free. Each joint is walked once.
  void decide(int joint) {
    std::vector<int> chain;
    int next = joint;
    for (; next >= 0 && fates_[index(next)] == Fate::open; next = leader_of(next)) {
      if (robot_.joints[index(next)].type == JointType::fixed) break;
      fates_[index(next)] = Fate::locked;
      chain.push_back(next);
    }
    const bool follows = next >= 0 && fates_[index(next)] == Fate::free;
    for (auto j = chain.rbegin(); j != chain.rend(); ++j) {
      if (follows)
        fates_[index(*j)] = Fate::free;
      else
        positions_[index(*j)] = default_position(*j);
    }
  }

  /// The joint that this one mimics, -1 if it does not.
  int leader_of(int j) const {
    const description::Joint& joint = robot_.joints[index(j)];
    const bool mimics = coupled_ && joint.mimic && joint.type != JointType::fixed;
    return mimics ? joints_.find(joint.mimic->joint) : -1;
  }

  /// Where the leader's position puts it, or the neutral position.
  std::vector<double> default_position(int j) const {
    const description::Joint& joint = robot_.joints[index(j)];
    const JointRow& row = row_of(joint.type);
    const int leader = leader_of(j);
    if (leader < 0 || positions_[index(leader)].size() != 1 || row.nq() != 1) return neutral_of(row);
    return {joint.mimic->multiplier * positions_[index(leader)].front() + joint.mimic->offset};
  }

  void refuse_free_followers() const {
    int leader = -1;
    std::vector<std::string> followers;
    std::string example;
    for (int j = 0; j < static_cast<int>(fates_.size()); ++j) {
      const int led_by = leader_of(j);
      if (fates_[index(j)] == Fate::locked || led_by < 0 || fates_[index(led_by)] != Fate::locked) continue;
      if (leader >= 0 && led_by != leader) continue;
      leader = led_by;
      followers.push_back(robot_.joints[index(j)].name);
      if (followers.size() == 1) example = text_of({{followers.front(), default_position(j)}});
    }
    if (leader < 0) return;
    const std::string name = in_quotes(robot_.joints[index(leader)].name);
    throw UsageError(
        fmt::format("--lock: joint {} cannot be locked alone, because joints that move mimic it: {}; lock "
                    "them, too ({} keeps the first in step), leave {} free, or pass --mimic independent",
                    name, quoted_list(followers), example, name));
  }

  void lock(description::Joint& joint, const std::vector<double>& position) {
    if (joint.limits && position.size() == 1) warn_outside(joint, position.front());
    joint.locked = description::Joint::Locked{joint.type, position};
    joint.type = JointType::fixed;
    joint.mimic.reset();
  }

  /// Couplings go on with their other joints. Those without any are dropped.
  void take_out_of_couplings() {
    std::vector<description::Constraint> kept;
    for (description::Constraint& constraint : robot_.constraints) {
      if (!lost_all_joints(constraint)) kept.push_back(std::move(constraint));
    }
    robot_.constraints = std::move(kept);
  }

  /// Takes locked joints out of a coupling, whose offset has their positions then. Whether these were all.
  bool lost_all_joints(description::Constraint& coupling) const {
    const std::size_t erased = std::erase_if(coupling.terms, [&](const description::Constraint::Term& term) {
      const int j = joints_.find(term.joint);
      if (j < 0 || fates_[index(j)] != Fate::locked || positions_[index(j)].size() != 1) return false;
      coupling.offset -= term.coefficient * positions_[index(j)].front();
      return true;
    });
    if (erased == 0 || !coupling.terms.empty()) return false;
    if (!(std::abs(coupling.offset) < 1e-6))
      throw UsageError(
          fmt::format("--lock: all joints of coupling {} are locked, at positions whose weighted sum "
                      "is {:.6g} off; correct a position, or leave a joint free",
                      in_quotes(coupling.name), std::abs(coupling.offset)));
    return true;
  }

  void warn_outside(const description::Joint& joint, double position) {
    if (row_of(joint.type).position_limits == PositionLimits::without_effect) return;
    const double lower = joint.limits->lower.value_or(-INFINITY),
                 upper = joint.limits->upper.value_or(INFINITY);
    if (position >= lower && position <= upper) return;
    findings_.warning("lock-outside-limits", description::at(robot_, joint, joint.limits->line, "/limit"),
                      fmt::format("joint {} is locked at {:.6g}, outside its limits (from {:.6g} to {:.6g})",
                                  in_quotes(joint.name), position, lower, upper),
                      "give a position within the limits to --lock; this one is used as given");
  }

  description::Description& robot_;
  bool coupled_;
  Diagnostics& findings_;
  NameIndex joints_;
  std::vector<Fate> fates_;                     // by joint
  std::vector<std::vector<double>> positions_;  // by joint; empty unless it is locked
};

/// One motion after the other, along and about the axes of the joint.
Placement moved_on_axes(const description::Joint& joint, const JointRow& row) {
  Placement X;
  for (std::size_t k = 0; k < row.motions.size(); ++k) {
    const Motion& motion = row.motions[k];
    const double q = joint.locked->position[k];
    const Vector3& axis = motion.along == Direction::axis2 ? joint.axis2 : joint.axis;
    const Matrix3 Q = align_z(axis);
    if (motion.turns() && q != 0.0) X.R = X.R * (Q * rotation_z(q) * Q.transpose());
    if (motion.slides()) X.p += X.R * axis * (motion.turns() ? joint.pitch * q : q);
  }
  return X;
}

}  // namespace

std::vector<Lock> parse_locks(const std::string& text) {
  return each(split_at(text, ','), [&](const std::string& item) { return parse_lock(trimmed(item)); });
}

std::string text_of(const std::vector<Lock>& locks) {
  std::vector<std::string> texts = each(locks, [&](const Lock& lock) {
    return fmt::format("{}={}", with_escapes(lock.joint, separators), fmt::join(lock.position, ":"));
  });
  return join(texts, ",");
}

void lock_joints(description::Description& robot, const LockRequest& request, bool coupled,
                 bool floating_base, Diagnostics& findings) {
  const auto is_held = [&](const description::Joint& joint) { return coupled && joint.held; };
  if (request.locks.empty() && request.all_but.empty() && std::ranges::none_of(robot.joints, is_held)) return;
  Locker(robot, request, coupled, findings).run(floating_base);
}

Placement held_at(const description::Joint& joint) {
  const JointRow& row = row_of(joint.locked->type);
  if (row.moves_on_axes()) return moved_on_axes(joint, row);
  const std::vector<double>& q = joint.locked->position;
  Placement X;
  for (std::size_t k = 0; k < q.size() && row.coordinates[k] == Coordinate::length; ++k)
    X.p[static_cast<Eigen::Index>(k)] = q[k];
  if (const int first = row.quaternion(); first >= 0) {
    const double* of = q.data() + first;
    X.R = rotation_from_quaternion(of[0], of[1], of[2], of[3]);
  }
  if (row.angle() >= 0) X.R = rotation_z(q[index(row.angle())]);
  if (!row.axis_is_normal()) return X;
  const Placement plane{plane_axes(joint.axis), Vector3::Zero()};
  return plane * X * plane.inverse();
}

}  // namespace featherline::model
