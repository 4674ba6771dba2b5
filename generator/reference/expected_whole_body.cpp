#include "reference/expected_groups.hpp"

#include <array>
#include <numeric>
#include <utility>

namespace featherline::reference {
namespace {

using Eigen::Vector3d;

/// The column of a drive or spring: inverse dynamics of the robot without matter, if one joint or rotor has one unit.
VectorXd unit_torques(Tree tree, const State& x, const model::JointColumn& column) {
  using model::ColumnKind;
  if (column.is_rotor()) {
    tree.rotors = {column.rotor};
    tree.rotors.front().inertia = 1.0;
  }
  for (model::Body& body : tree.bodies) {
    if (body.joint.name != column.joint) continue;
    body.joint.armature = column.kind == ColumnKind::armature ? 1.0 : 0.0;
    body.joint.damping = column.kind == ColumnKind::damping ? 1.0 : 0.0;
    body.joint.friction = column.kind == ColumnKind::friction ? 1.0 : 0.0;
    body.joint.stiffness = column.kind == ColumnKind::stiffness ? 1.0 : 0.0;
  }
  const VectorXd tau = Solver<double>(tree).rnea(x.q, x.v, x.a);
  if (column.kind != ColumnKind::offset) return tau;
  // A spring that is stretched by one unit more pulls by one unit more.
  const auto sprung = [&](double more) {
    for (model::Body& body : tree.bodies) {
      if (body.joint.name != column.joint) continue;
      body.joint.stiffness = 1.0;
      body.joint.rest -= more;
    }
    return Solver<double>(tree).rnea(x.q, x.v, x.a);
  };
  const VectorXd before = sprung(0.0);
  return sprung(1.0) - before;
}

/// Columns of the regressor: inverse dynamics of the robot if all its matter were the one unit of a parameter.
Outputs unit_torques(const Tree& robot, const State& x, const std::vector<int>& parameters) {
  Tree tree = robot;
  tree.applied_forces.clear();
  tree.tendons.clear();
  tree.rotors.clear();
  tree.lift = 0.0;
  for (model::Body& body : tree.bodies) {
    body.inertia = body.lifted = {};
    body.joint.damping = body.joint.friction = body.joint.armature = body.joint.stiffness = 0.0;
  }
  OutputArray Y{"Y", {}};
  const int of_bodies = 10 * static_cast<int>(tree.bodies.size());
  for (const int k : parameters) {
    if (k >= of_bodies) {
      append(Y.values, unit_torques(tree, x, robot.joint_columns[static_cast<std::size_t>(k - of_bodies)]));
      continue;
    }
    model::Inertia& inertia = tree.bodies[static_cast<std::size_t>(k / 10)].inertia;
    const VectorXd one = VectorXd::Unit(10, k % 10);
    inertia.mass = one[0];
    inertia.h = one.segment<3>(1);
    inertia.J << one[4], one[5], one[7], one[5], one[6], one[8], one[7], one[8], one[9];
    append(Y.values, Solver<double>(tree).rnea(x.q, x.v, x.a));
    inertia = {};
  }
  return {Y};
}

Outputs regressor(const Tree& tree, const State& x) {
  std::vector<int> all(10 * tree.bodies.size() + tree.joint_columns.size());
  std::iota(all.begin(), all.end(), 0);
  return unit_torques(tree, x, all);
}

Outputs base_regressor(const Tree& tree, const State& x) {
  return unit_torques(tree, x, tree.base_parameters->columns);
}

// ---- centre of mass, momentum, energy: sums over the bodies, in world axes ----

/// Poses of all bodies, or a time derivative of them.
using Poses = std::vector<Pose<double>>;

/// While the robot moves with constant v: its poses, their derivatives by time, and the derivatives of these two along
/// the step e of q. If e is v, the last are of second order in time.
std::array<Poses, 4> motion(const Tree& tree, const VectorXd& q, const VectorXd& v, const VectorXd& e) {
  using T = Number;
  const VectorX<T> stepped = integrate<T>(tree, lifted<double>(q, 1.0), lifted(e, T::e2())),
                   moved = integrate<T>(tree, stepped, lifted(v, T::e1()));
  std::array<Poses, 4> orders;
  for (const Pose<T>& pose : Solver<T>(tree).body_poses(moved)) {
    for (const auto& [poses, of] :
         {std::pair{&orders[0], &T::re}, {&orders[1], &T::d1}, {&orders[2], &T::d2}, {&orders[3], &T::d12}})
      poses->push_back({part(pose.R, of), part(pose.p, of)});
  }
  return orders;
}

double total_mass(const Tree& tree) {
  double mass = 0.0;
  for (const model::Body& body : tree.bodies) mass += body.inertia.mass;
  return mass;
}

/// Sum of m x, or of its derivative.
Vector3d first_moment(const Tree& tree, const Poses& poses) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < poses.size(); ++i)
    sum += poses[i].R * tree.bodies[i].inertia.h + poses[i].p * tree.bodies[i].inertia.mass;
  return sum;
}

/// Integral over all matter of (x - c) cross the derivative of x.
Vector3d angular(const Tree& tree, const Poses& poses, const Poses& derivatives) {
  const Vector3d c = first_moment(tree, poses) / total_mass(tree);
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();  // of products of their entries
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const model::Inertia& I = tree.bodies[i].inertia;
    const Eigen::Matrix3d second = I.J.trace() / 2.0 * Eigen::Matrix3d::Identity() - I.J;
    const Vector3d p = poses[i].p - c, dp = derivatives[i].p;
    const Eigen::Matrix3d &R = poses[i].R, &dR = derivatives[i].R;
    sum += (I.mass * p + R * I.h) * dp.transpose() + p * (dR * I.h).transpose() + R * second * dR.transpose();
  }
  return {sum(1, 2) - sum(2, 1), sum(2, 0) - sum(0, 2), sum(0, 1) - sum(1, 0)};
}

/// What rotors add to the angular momentum by their spin: its derivative by time, if the poses of the
/// carriers and the rotation of the world are derivatives.
Vector3d spins(const Tree& tree, const Poses& carriers, const Eigen::Matrix3d& world, const VectorXd& v) {
  Vector3d sum = Vector3d::Zero();
  for (const model::Rotor& rotor : tree.rotors) {
    const model::Joint& joint = tree.bodies[static_cast<std::size_t>(rotor.joint)].joint;
    const double momentum = rotor.inertia * rotor.gear_ratio * joint.multiplier * v[joint.idx_v];
    const Eigen::Matrix3d& R =
        rotor.carrier < 0 ? world : carriers[static_cast<std::size_t>(rotor.carrier)].R;
    sum += R * rotor.axis * momentum;
  }
  return sum;
}

/// Momentum, or its derivative: [linear; angular] about the centre of mass. Without the spin of rotors.
VectorXd centroidal(const Tree& tree, const Poses& poses, const Poses& derivatives) {
  VectorXd h(6);
  h << first_moment(tree, derivatives), angular(tree, poses, derivatives);
  return h;
}

VectorXd momentum(const Tree& tree, const VectorXd& q, const VectorXd& v) {
  const std::array<Poses, 4> orders = motion(tree, q, v, v);
  VectorXd h = centroidal(tree, orders[0], orders[1]);
  h.tail<3>() += spins(tree, orders[0], Eigen::Matrix3d::Identity(), v);
  return h;
}

Outputs center_of_mass_jacobian(const Tree& tree, const State& x) {
  const auto velocity = [&](const VectorXd& v) {
    return VectorXd(first_moment(tree, motion(tree, x.q, v, v)[1]) / total_mass(tree));
  };
  return {array("J", columns(tree.nv, velocity))};
}

Outputs centroidal_momentum_matrix(const Tree& tree, const State& x) {
  return {array("A", columns(tree.nv, [&](const VectorXd& v) { return momentum(tree, x.q, v); }))};
}

Outputs centroidal_momentum_bias(const Tree& tree, const State& x) {
  const std::array<Poses, 4> orders = motion(tree, x.q, x.v, x.v);
  VectorXd b = centroidal(tree, orders[0], orders[3]);
  b.tail<3>() += spins(tree, orders[1], Eigen::Matrix3d::Zero(), x.v);
  return {array("b", b)};
}

/// The momentum is bilinear in poses and their derivatives by time.
Outputs centroidal_momentum_derivatives(const Tree& tree, const State& x) {
  const auto along = [&](const VectorXd& e) {
    const std::array<Poses, 4> orders = motion(tree, x.q, x.v, e);
    VectorXd dh(6);
    dh << first_moment(tree, orders[3]), angular(tree, orders[2], orders[1]) +
                                             angular(tree, orders[0], orders[3]) +
                                             spins(tree, orders[2], Eigen::Matrix3d::Zero(), x.v);
    return dh;
  };
  return {array("dh_dq", columns(tree.nv, along))};
}

}  // namespace

std::vector<OutputFunction> expected_whole_body() {
  return {{.name = "regressor", .compute = regressor},
          {.name = "base_regressor", .compute = base_regressor},
          {.name = "center_of_mass",
           .compute =
               [](TreeRef t, StateRef s) {
                 const Vector3d moment = first_moment(t, Double(t).body_poses(s.q));
                 return Outputs{array("c", moment / total_mass(t))};
               }},
          {.name = "center_of_mass_jacobian", .compute = center_of_mass_jacobian},
          single("centroidal_momentum", "h", [](TreeRef t, StateRef s) { return momentum(t, s.q, s.v); }),
          {.name = "centroidal_momentum_matrix", .compute = centroidal_momentum_matrix},
          {.name = "centroidal_momentum_bias", .compute = centroidal_momentum_bias},
          {.name = "centroidal_momentum_derivatives", .compute = centroidal_momentum_derivatives},
          {.name = "kinetic_energy",
           .compute =
               [](TreeRef t, StateRef s) {
                 return Outputs{{"T", {Double(t).kinetic_energy(s.q, s.v)}}};
               }},
          {.name = "potential_energy", .compute = [](TreeRef t, StateRef s) {
             return Outputs{{"U", {Double(t).potential_energy(s.q)}}};
           }}};
}

}  // namespace featherline::reference
