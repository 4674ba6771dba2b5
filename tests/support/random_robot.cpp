#include "support/random_robot.hpp"

#include "support/random.hpp"

#include <Eigen/Geometry>

#include <numbers>
#include <stdexcept>

namespace featherline::test {
namespace {

using model::JointType;

bool has_one_coordinate(JointType type) { return model::row_of(type).nq() == 1; }

std::vector<JointType> moving_types() {
  std::vector<JointType> types;
  for (const model::JointRow& row : model::joint_table()) {
    if (row.nv() > 0) types.push_back(row.type);
  }
  return types;
}

class RobotMaker {
 public:
  RobotMaker(std::uint64_t seed, const RobotOptions& options) : random_(seed), options_(options) {
    if (options_.types.empty()) options_.types = moving_types();
    shuffle(options_.types);
    robot_.file = robot_.name = "random_" + std::to_string(seed);
  }

  /// A robot with limbs like `limb`, whose root link a joint carries, on a link of `trunk`.
  description::Description run_limbs(description::Description trunk, description::Description limb,
                                     const LimbOptions& limbs) {
    const std::string on = pick(trunk.links).name;
    limb.joints.insert(limb.joints.begin(), description::Joint{});
    description::Joint& root = limb.joints.front();
    root.name = "root";
    root.type = pick(options_.types);
    root.child = limb.links.front().name;
    if (model::row_of(root.type).position_limits == model::PositionLimits::required)
      root.limits = {-4.0, 4.0, 100.0, 1000.0, 0};
    for (int k = 0; k < limbs.limbs; ++k) {
      if (limbs.mirrored && k % 2 == 1)
        mirror(limb);
      else
        draw_anew(limb);
      append(trunk, limb, "limb_" + std::to_string(k) + "_", on);
    }
    return trunk;
  }

  description::Description run() {
    add_link();
    for (int i = 0; i < options_.joints; ++i) {
      if (random_.chance(options_.fixed)) add_joint(JointType::fixed);
      const auto kind = static_cast<std::size_t>(i);
      add_joint(kind < options_.types.size() ? options_.types[kind] : pick(options_.types));
    }
    return std::move(robot_);
  }

 private:
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from.begin()[random_.below(static_cast<int>(from.size()))];
  }

  void shuffle(std::vector<JointType>& types) {
    for (int i = static_cast<int>(types.size()) - 1; i > 0; --i)
      std::swap(types.begin()[i], types.begin()[random_.below(i + 1)]);
  }

  void add_link() {
    description::Link link;
    link.name = "link_" + std::to_string(robot_.links.size());
    link.inertial = inertial();
    robot_.links.push_back(std::move(link));
  }

  description::Inertial inertial() {
    description::Inertial inertial;
    inertial.mass = random_.uniform(0.3, 3.0);
    inertial.origin.xyz = random_.vector(3, 0.2);
    inertial.origin.rpy = angles();
    // Second moments of the mass are any positive definite matrix; the inertia is their trace minus them.
    Eigen::Matrix3d A;
    for (int k = 0; k < 3; ++k) A.col(k) = random_.vector(3, 0.15);
    const Eigen::Matrix3d moments = inertial.mass * (A * A.transpose() + 0.002 * Eigen::Matrix3d::Identity());
    inertial.inertia = moments.trace() * Eigen::Matrix3d::Identity() - moments;
    return inertial;
  }

  /// Other numbers for the same structure.
  void draw_anew(description::Description& limb) {
    for (description::Link& link : limb.links) link.inertial = inertial();
    for (description::Joint& joint : limb.joints) {
      place(joint);
      if (joint.mimic) joint.mimic->multiplier = random_.uniform(-1.5, 1.5);
      const bool turns_freely = joint.type == JointType::continuous;
      if (!turns_freely && joint.type != JointType::revolute) continue;
      joint.type = random_.chance(0.3) ? JointType::continuous : JointType::revolute;
      joint.limits.reset();
      if (joint.type == JointType::revolute) joint.limits = {-4.0, 4.0, 100.0, 1000.0, 0};
    }
  }

  /// Seen in the plane y = 0. A turn about an axis in the plane goes the other way.
  static void mirror(description::Description& limb) {
    const Eigen::Vector3d along(1.0, -1.0, 1.0), about = -along;
    const auto reflect = [&](description::Origin& origin) {
      origin.xyz = along.cwiseProduct(origin.xyz);
      origin.rpy = about.cwiseProduct(origin.rpy);
    };
    for (description::Link& link : limb.links) {
      reflect(link.inertial->origin);
      link.inertial->inertia = along.asDiagonal() * link.inertial->inertia * along.asDiagonal();
    }
    for (description::Joint& joint : limb.joints) {
      reflect(joint.origin);
      joint.axis = about.cwiseProduct(joint.axis);
      joint.axis2 = about.cwiseProduct(joint.axis2);
    }
  }

  static void append(description::Description& robot, const description::Description& limb,
                     const std::string& prefix, const std::string& on) {
    for (description::Link link : limb.links) {
      link.name.insert(0, prefix);
      robot.links.push_back(std::move(link));
    }
    for (description::Joint joint : limb.joints) {
      joint.name.insert(0, prefix);
      joint.parent = joint.parent.empty() ? on : prefix + joint.parent;
      joint.child.insert(0, prefix);
      if (joint.mimic) joint.mimic->joint.insert(0, prefix);
      robot.joints.push_back(std::move(joint));
    }
  }

  void add_joint(JointType type) {
    const int parent = random_.chance(options_.chain) ? static_cast<int>(robot_.links.size()) - 1
                                                      : random_.below(static_cast<int>(robot_.links.size()));
    add_link();
    description::Joint joint;
    joint.name = joint_name();
    joint.type = type;
    joint.parent = robot_.links.begin()[parent].name;
    joint.child = robot_.links.back().name;
    place(joint);
    const model::JointRow& row = model::row_of(type);
    if (row.position_limits == model::PositionLimits::required) joint.limits = {-4.0, 4.0, 100.0, 1000.0, 0};
    maybe_mimic(joint);
    robot_.joints.push_back(std::move(joint));
  }

  void place(description::Joint& joint) {
    joint.origin.xyz = random_.vector(3, 0.5);
    joint.origin.rpy = angles();
    joint.axis = axis();
    do { joint.axis2 = axis(); } while (joint.axis.cross(joint.axis2).norm() < 0.5);
    if (model::row_of(joint.type).needs_pitch()) joint.pitch = random_.uniform(0.05, 0.3);
  }

  void maybe_mimic(description::Joint& joint) {
    if (!has_one_coordinate(joint.type) || !random_.chance(options_.mimic)) return;
    std::vector<int> drivers;
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      if (has_one_coordinate(robot_.joints[i].type)) drivers.push_back(static_cast<int>(i));
    }
    if (drivers.empty()) return;
    const description::Joint& driver = robot_.joints.begin()[pick(drivers)];
    joint.mimic = description::Mimic{driver.name, random_.uniform(-1.5, 1.5), random_.uniform(-1.0, 1.0), 0};
  }

  /// A random letter in front decides the place among siblings; the number keeps names unique.
  std::string joint_name() {
    return std::string(1, static_cast<char>('a' + random_.below(26))) + "_joint_" +
           std::to_string(robot_.joints.size());
  }

  Eigen::Vector3d angles() {
    if (!random_.chance(options_.straight)) return random_.vector(3, std::numbers::pi);
    Eigen::Vector3d rpy;
    for (double& angle : rpy) angle = (random_.below(4) - 1) * 0.5 * std::numbers::pi;
    return rpy;
  }

  Eigen::Vector3d axis() {
    if (!random_.chance(options_.straight)) return random_.unit3();
    return (random_.chance(0.5) ? 1.0 : -1.0) * Eigen::Vector3d::Unit(random_.below(3));
  }

  Random random_;
  RobotOptions options_;
  description::Description robot_;
};

}  // namespace

description::Description random_robot(std::uint64_t seed, const RobotOptions& options) {
  return RobotMaker(seed, options).run();
}

description::Description random_limbs(std::uint64_t seed, const LimbOptions& options) {
  return RobotMaker(seed + 2000, options.limb)
      .run_limbs(random_robot(seed, options.trunk), random_robot(seed + 1000, options.limb), options);
}

model::UserTree tree_of(const description::Description& robot, const model::BuildOptions& build) {
  Diagnostics findings;
  model::UserTree tree = model::build_tree(robot, build, findings);
  if (!findings.all().empty()) throw std::logic_error("faulty test robot: " + findings.all().front().message);
  return tree;
}

model::UserTree random_tree(std::uint64_t seed, const RobotOptions& options,
                            const model::BuildOptions& build) {
  return tree_of(random_robot(seed, options), build);
}

void add_pose_springs(model::Tree& tree, std::uint64_t seed) {
  Random random(seed);
  for (model::Body& body : tree.bodies) {
    if (body.joint.row().quaternion() < 0) continue;
    body.joint.stiffness = random.uniform(1.0, 9.0);
    if (!body.joint.row().is_free()) continue;
    Eigen::Map<Eigen::Vector3d>(body.joint.rest_pose.data()) = random.vector(3, 1.0);
    Eigen::Map<Eigen::Vector4d>(body.joint.rest_pose.data() + 3) = random.quaternion();
  }
}

State random_state(const model::Tree& tree, std::uint64_t seed, double velocity, double acceleration,
                   double torque) {
  Random random(seed);
  State state;
  state.q = random.vector(tree.nq, 1.0);
  state.v = random.vector(tree.nv, velocity);
  state.a = random.vector(tree.nv, acceleration);
  state.tau = random.vector(tree.nv, torque);
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    if (joint.mimics >= 0) continue;
    const model::JointRow& row = joint.row();
    for (int k = 0; k < joint.nq; ++k) {
      if (row.coordinates.begin()[k] == model::Coordinate::angle)
        state.q[joint.idx_q + k] *= std::numbers::pi;
    }
    if (row.quaternion() >= 0) state.q.segment<4>(joint.idx_q + row.quaternion()) = random.quaternion();
  }
  return state;
}

}  // namespace featherline::test
