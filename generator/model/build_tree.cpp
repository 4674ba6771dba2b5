#include "model/build_tree.hpp"

#include "description/checks.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace featherline::model {
namespace {

Joint joint_of_type(JointType type, const std::string& name) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.nq = joint.row().nq();
  joint.nv = joint.row().nv();
  return joint;
}

Limits limits_of(const description::Limits& given, const JointRow& row) {
  Limits limits;
  if (row.position_limits != PositionLimits::without_effect) {
    limits.lower = given.lower.value_or(limits.lower);
    limits.upper = given.upper.value_or(limits.upper);
  }
  limits.velocity = given.velocity;
  limits.effort = given.effort;
  limits.acceleration = given.acceleration.value_or(limits.acceleration);
  limits.deceleration = given.deceleration.value_or(limits.deceleration);
  limits.jerk = given.jerk.value_or(limits.jerk);
  return limits;
}

/// What a joint or tendon has: rotor inertia, and all else where the whole counts.
template <class Part>
void take_dynamics(const description::Dynamics& given, bool whole, Part& part) {
  part.armature = given.armature;
  if (!whole) return;
  part.damping = given.damping;
  part.friction = given.friction;
  part.stiffness = given.stiffness;
  part.rest = given.rest;
}

/// A moving joint's type, axes, sizes nq and nv, limits and friction; placement and indices are still open. The axis of
/// a joint that moves in a plane is +z, the turn of the plane belongs to the placement.
Joint joint_from_file(const description::Joint& source, JointDynamics dynamics) {
  Joint joint = joint_of_type(source.type, source.name);
  // What a file says without effect must not leak into the tree.
  if (joint.row().moves_on_axes()) joint.axis = source.axis;
  if (joint.row().needs(Direction::axis2)) joint.axis2 = source.axis2;
  if (joint.row().needs_pitch()) joint.pitch = source.pitch;
  if (source.limits) joint.limits = limits_of(*source.limits, joint.row());
  if (source.dynamics && dynamics != JointDynamics::off) {
    const bool is_whole = dynamics == JointDynamics::model;
    take_dynamics(*source.dynamics, is_whole, joint);
    if (is_whole) joint.rest_pose = source.dynamics->rest_pose;
  }
  joint.line = source.line;
  joint.file = source.file;
  return joint;
}

/// Builds one tree; the stages run in the order of `run`.
class Builder {
 public:
  Builder(const description::Description& robot, const BuildOptions& options, Diagnostics& findings)
      : robot_(robot), options_(options), dynamics_(dynamics_of(robot, options)), findings_(findings) {}

  UserTree run() {
    const Topology topology = find_topology(robot_);
    tree_.name = robot_.name;
    tree_.floating_base = options_.floating_base;
    tree_.gravity = options_.gravity.value_or(robot_.gravity.value_or(tree_.gravity));
    if (!create_bodies(topology)) return {};
    place_links(topology);
    weld_inertias();
    assign_indices();
    if (dynamics_ != JointDynamics::off) add_tendons();
    name_files();
    add_rotors(robot_, tree_, findings_);
    order_positions();
    check_inertias(robot_, tree_, options_.allow_unphysical_inertia, findings_);
    if (findings_.has_errors()) return {};
    return std::move(tree_);
  }

 private:
  static JointDynamics dynamics_of(const description::Description& robot, const BuildOptions& options) {
    return options.joint_dynamics.value_or(robot.armature_by_default ? JointDynamics::armature
                                                                     : JointDynamics::off);
  }

  /// What the joint cannot have, or the reader left out, must not vanish.
  void refuse_dynamics(const description::Joint& source, const Joint& joint) {
    std::string what;
    if (joint.armature != 0.0 || joint.damping != 0.0 || joint.friction != 0.0) {
      if (!joint.row().can_be_damped())
        what = "armature, damping or friction, which only axes and balls can have";
      else if (joint.friction != 0.0 && joint.row().is_free())
        what = "friction, which only axes and balls can have";
    }
    if (joint.stiffness != 0.0 && joint.nq > 1 && joint.row().quaternion() < 0)
      what = "a spring, which only joints with one coordinate, balls and free joints can have";
    if (dynamics_ == JointDynamics::model && source.dynamics && !source.dynamics->left_out.empty())
      what = source.dynamics->left_out + ", which is not read";
    if (what.empty()) return;
    findings_.error(description::at(robot_, source, source.dynamics->line, "/dynamics"),
                    fmt::format("{} joint {} has {}", name(joint.type), in_quotes(joint.name), what),
                    "remove it, or choose another --joint-dynamics");
  }

  std::string base_joint_name() const {
    std::string name = "root_joint";
    while (find_named(robot_.joints, name) >= 0) name += '_';
    return name;
  }

  bool create_bodies(const Topology& topology) {
    const std::string base_name = options_.floating_base ? base_joint_name() : "";
    const auto order = order_joints(robot_, topology, options_.joint_order, base_name, findings_);
    if (!order) return false;
    if (options_.floating_base)
      tree_.bodies.push_back(
          {robot_.links[topology.root].name, -1, joint_of_type(JointType::floating, base_name), {}});
    body_of_joint_.assign(robot_.joints.size(), -1);
    for (const std::size_t j : *order) {
      const description::Joint& source = robot_.joints[j];
      body_of_joint_[j] = static_cast<int>(tree_.bodies.size());
      tree_.bodies.push_back({source.child, -1, joint_from_file(source, dynamics_), {}});
      refuse_dynamics(source, tree_.bodies.back().joint);
    }
    return true;
  }

  /// Walks outward: each link rides on the body of its parent link, or starts a body of its own.
  void place_links(const Topology& topology) {
    tree_.links.resize(robot_.links.size());
    tree_.links[topology.root].body = options_.floating_base ? 0 : -1;
    for (const std::size_t j : topology.order) {
      const Link& parent = tree_.links[topology.parent[j]];
      Link& child = tree_.links[topology.child[j]];
      const Placement placement = compose(parent.placement, pose(robot_.joints[j]));
      if (const auto& locked = robot_.joints[j].locked) {
        child.lock = static_cast<int>(tree_.locked.size());
        tree_.locked.push_back(
            {robot_.joints[j].name, locked->type, locked->position, robot_.joints[j].child});
      }
      child.body = body_of_joint_[j];
      if (child.body < 0) {
        child.body = parent.body;
        child.placement = placement;
        continue;
      }
      Body& body = tree_.bodies[index(child.body)];
      body.parent = parent.body;
      body.joint.placement = placement;
      if (!body.joint.row().axis_is_normal()) continue;
      const Placement plane{plane_axes(robot_.joints[j].axis), Vector3::Zero()};
      body.joint.placement = compose(placement, plane);
      child.placement = plane.inverse();
    }
  }

  void weld_inertias() {
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      const description::Link& source = robot_.links[i];
      Link& link = tree_.links[i];
      link.name = source.name;
      if (!source.inertial) continue;
      link.mass = source.inertial->mass;
      link.com = source.inertial->origin.xyz;
      if (link.body < 0) continue;
      const Inertia about_com{link.mass, Vector3::Zero(), source.inertial->inertia};
      const Placement X_LC{rotation(source.inertial->origin, source), link.com};
      Body& body = tree_.bodies[index(link.body)];
      link.inertia = about_com.expressed_in(X_LC);
      body.inertia += link.inertia.expressed_in(link.placement);
      if (source.gravcomp != 0.0) lift(source, link, body);
    }
  }

  /// A force at the centre of mass lifts a part of the link.
  void lift(const description::Link& source, const Link& link, Body& body) {
    if (dynamics_ != JointDynamics::model)
      return findings_.note(
          {description::file_of(robot_, source), source.line, ""},
          "gravcomp of link " + in_quotes(source.name) + " is left out; --joint-dynamics model reads it");
    const double mass = source.gravcomp * link.mass;
    const Inertia part{mass, mass * link.com, Matrix3::Zero()};
    body.lifted += part.expressed_in(link.placement);
  }

  void assign_indices() {
    std::vector<Coupling> couplings;
    if (!options_.mimic_independent) couplings = resolve_mimics(robot_, findings_);
    for (std::size_t j = 0; j < couplings.size(); ++j) {
      if (couplings[j].driver < 0) continue;
      Joint& joint = tree_.bodies[index(body_of_joint_[j])].joint;
      joint.mimics = body_of_joint_[index(couplings[j].driver)];
      joint.multiplier = couplings[j].multiplier;
      joint.offset = couplings[j].offset;
      joint.rest -= joint.offset;
    }
    for (Body& body : tree_.bodies) {
      Joint& joint = body.joint;
      if (joint.mimics >= 0) continue;
      joint.idx_q = tree_.nq;
      joint.idx_v = tree_.nv;
      tree_.nq += joint.nq;
      tree_.nv += joint.nv;
    }
    for (Body& body : tree_.bodies) {
      if (body.joint.mimics < 0) continue;
      body.joint.idx_q = tree_.bodies[index(body.joint.mimics)].joint.idx_q;
      body.joint.idx_v = tree_.bodies[index(body.joint.mimics)].joint.idx_v;
    }
  }

  void add_tendons() {
    for (const description::Tendon& source : robot_.tendons) {
      const description::Dynamics& given = source.dynamics;
      const bool is_whole = dynamics_ == JointDynamics::model;
      if (is_whole && !given.left_out.empty())
        findings_.error(description::at(robot_, source, source.line),
                        "tendon " + in_quotes(source.name) + " has " + given.left_out + ", which is not read",
                        "remove it, or choose another --joint-dynamics");
      Tendon tendon{source.name, {}};
      take_dynamics(given, is_whole, tendon);
      for (const auto& [joint, coefficient] : source.joints) add_end(joint, coefficient, tendon);
      std::erase_if(tendon.ends, [](const TendonEnd& end) { return end.coefficient == 0.0; });
      if (tendon.ends.size() == 1) move_to_joint(tendon);
      if (tendon.ends.empty()) continue;
      if (tendon.armature != 0.0 && !is_on_one_branch(tendon))
        findings_.note(description::at(robot_, source, source.line),
                       "tendon " + in_quotes(source.name) +
                           " has armature between branches; MuJoCo leaves these entries of M out");
      if (tendon.armature != 0.0 || tendon.damping != 0.0 || tendon.friction != 0.0 ||
          tendon.stiffness != 0.0)
        tree_.tendons.push_back(std::move(tendon));
    }
  }

  bool is_on_one_branch(const Tendon& tendon) const {
    std::set<int> way;
    for (int i = body_of(tree_, tendon.ends.back()); i >= 0; i = tree_.bodies[index(i)].parent) way.insert(i);
    return std::ranges::all_of(tendon.ends,
                               [&](const TendonEnd& end) { return way.contains(body_of(tree_, end)); });
  }

  /// What joints that do not move add to the length is taken off the length at rest.
  void add_end(const std::string& name, double coefficient, Tendon& tendon) const {
    const auto j = index(find_named(robot_.joints, name));
    if (const auto& locked = robot_.joints[j].locked) tendon.rest -= coefficient * locked->position.front();
    if (body_of_joint_[j] < 0) return;
    const Joint& joint = tree_.bodies[index(body_of_joint_[j])].joint;
    tendon.rest -= coefficient * joint.offset;
    auto end = tendon.ends.begin();
    while (end != tendon.ends.end() && end->idx_v < joint.idx_v) ++end;
    if (end == tendon.ends.end() || end->idx_v != joint.idx_v)
      end = tendon.ends.insert(end, {joint.idx_q, joint.idx_v, 0.0});
    end->coefficient += coefficient * joint.multiplier;
  }

  /// All but friction, whose smoothing depends on the rate.
  void move_to_joint(Tendon& tendon) {
    const TendonEnd& end = tendon.ends.front();
    Joint& joint = tree_.bodies[index(body_of(tree_, end))].joint;
    const double square = end.coefficient * end.coefficient, stiffness = square * tendon.stiffness;
    joint.armature += square * std::exchange(tendon.armature, 0.0);
    joint.damping += square * std::exchange(tendon.damping, 0.0);
    if (std::exchange(tendon.stiffness, 0.0) == 0.0) return;
    joint.rest = (joint.stiffness * joint.rest + stiffness * tendon.rest / end.coefficient) /
                 (joint.stiffness + stiffness);
    joint.stiffness += stiffness;
  }

  /// Joints of the main file, and that of the base, do not name it yet.
  void name_files() {
    for (Body& body : tree_.bodies) {
      if (body.joint.file.empty()) body.joint.file = robot_.file;
    }
  }

  /// The named positions, in the order of q.
  void order_positions() {
    for (const description::NamedPosition& given : robot_.positions) {
      NamedPosition position{given.name, std::vector<double>(index(tree_.nq), 0.0)};
      if (options_.floating_base) position.q[index(tree_.bodies.front().joint.idx_q + 6)] = 1.0;
      auto next = given.q.begin();
      for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
        const description::Joint& source = robot_.joints[j];
        const auto first = next;
        next += row_of(source.locked ? source.locked->type : source.type).nq();
        if (body_of_joint_[j] < 0 || tree_.bodies[index(body_of_joint_[j])].joint.mimics >= 0) continue;
        std::copy(first, next, position.q.begin() + tree_.bodies[index(body_of_joint_[j])].joint.idx_q);
      }
      tree_.positions.push_back(std::move(position));
    }
  }

  Placement pose(const description::Joint& joint) {
    const Placement origin{rotation(joint.origin, joint), joint.origin.xyz};
    if (!joint.locked) return origin;
    Placement held = held_at(joint);
    held.R = snapped(held.R, joint.line, joint.name, description::file_of(robot_, joint));
    // At zero the joint is a fixed joint to the last bit, the signs of zeros included.
    const bool is_neutral = held.R == Matrix3::Identity() && held.p.isZero(0.0);
    return is_neutral ? origin : compose(origin, held);
  }

  /// Products of snapped rotations can meet in round-off zeros again.
  Placement compose(const Placement& X_AB, const Placement& X_BC) const {
    Placement X_AC = X_AB * X_BC;
    X_AC.R = snap_rotation(X_AC.R, std::min(options_.snap_tolerance, BuildOptions::default_snap_tolerance));
    return X_AC;
  }

  template <class Part>
  Matrix3 rotation(const description::Origin& origin, const Part& owner) {
    return snapped(description::rotation(origin), origin.line, owner.name,
                   description::file_of(robot_, owner));
  }

  Matrix3 snapped(const Matrix3& R, int line, const std::string& owner, const std::string& file) {
    const Matrix3 snapped = snap_rotation(R, options_.snap_tolerance);
    const double change = (snapped - R).cwiseAbs().maxCoeff();
    if (change > BuildOptions::default_snap_tolerance) {
      findings_.warning("snapped-angle", {file, line, "robot/\"" + owner + "\"/origin"},
                        fmt::format("the orientation of \"{}\" was snapped to its axes, by up to {:.2g} rad",
                                    owner, change),
                        "write the angle with more digits, or lower the snapping tolerance");
    }
    return snapped;
  }

  const description::Description& robot_;
  const BuildOptions& options_;
  const JointDynamics dynamics_;
  Diagnostics& findings_;
  UserTree tree_;
  std::vector<int> body_of_joint_;  // per joint of the file, -1 where fixed
};

}  // namespace

UserTree build_tree(const description::Description& robot, const BuildOptions& options,
                    Diagnostics& findings) {
  return Builder(robot, options, findings).run();
}

void share_lift(UserTree& tree) {
  std::optional<double> lift;
  for (const auto& [name, parent, joint, inertia, lifted, frame] : tree.bodies) {
    if (inertia.mass == 0.0 && inertia.h.isZero(0.0)) continue;
    if (!lift) lift = lifted.mass / inertia.mass;
    const double rounding = 1e-14 * std::abs(*lift);
    const bool is_that = std::abs(lifted.mass - *lift * inertia.mass) <= rounding * inertia.mass &&
                         (lifted.h - *lift * inertia.h).norm() <= rounding * inertia.h.norm();
    if (!is_that) return;
  }
  tree.lift = lift.value_or(0.0);
  for (Body& body : tree.bodies) body.lifted = {};
}

}  // namespace featherline::model
