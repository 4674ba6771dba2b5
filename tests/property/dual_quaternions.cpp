// The systems of paper 004 on its own robots, on every joint type of its Table 1, at |v| <= 10 and |a| <= 50: against the
// judge, the skew property, and Udwadia-Kalaba's equation as the paper writes it.
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "pipeline.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/complex_step.hpp"
#include "support/dense.hpp"
#include "support/graph_values.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <complex>

namespace property::dual_quaternions {

using namespace featherline;
using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::JointType;
using test::agreement;
using test::relative_error;

namespace {

/// A robot as the user has it and as the algorithms see it.
struct Robots {
  model::UserTree user;
  model::CanonicalTree traced;

  explicit Robots(model::UserTree tree) : user(std::move(tree)), traced(in_chosen_frames(user, true)) {}
};

Robots read(const std::string& name) {
  Diagnostics findings;
  return Robots(read_robot("robots/" + name + ".urdf", Options(), findings).tree);
}

reference::State state_of(const model::Tree& tree, std::uint64_t seed) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  reference::State x = reference::random_state(tree, random);
  const test::State drawn = test::random_state(tree, seed, 10.0, 50.0);
  x.q = drawn.q;
  x.v = drawn.v;
  x.a = drawn.a;
  return x;
}

const catalog::Formulation* find(const catalog::FunctionSpec& function, const std::string& name) {
  for (const catalog::Formulation& formulation : function.formulations) {
    if (formulation.name == name) return &formulation;
  }
  return nullptr;
}

ir::Kernel traced(const std::string& function, const std::string& formulation, const Robots& robots) {
  const catalog::FunctionSpec& spec = *catalog::find(function);
  return catalog::trace(spec, *find(spec, formulation), robots.traced);
}

/// Calls visit(function, formulation) for all of paper 004 but constrained dynamics.
template <class Visit>
void for_each_formulation(const Visit& visit) {
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    for (const char* name : {"dual quaternions", "Gauss"}) {
      if (const catalog::Formulation* formulation = find(function, name)) visit(function, *formulation);
    }
  }
}

void follow_all(const Robots& robots, std::uint64_t seed) {
  const reference::State x = state_of(robots.user, seed);
  int followed = 0;
  for_each_formulation([&](const catalog::FunctionSpec& function, const catalog::Formulation& formulation) {
    CAPTURE(function.name);
    CAPTURE(formulation.name);
    const reference::OutputFunction& judge = *reference::find_outputs(function.name);
    test::follow(catalog::trace(function, formulation, robots.traced), judge, x,
                 judge.compared(x, judge.compute(robots.user, x)));
    ++followed;
  });
  CHECK(followed == 6);
}

/// The first output as a matrix with nv rows.
template <class T>
Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> values(const ir::Kernel& kernel, const reference::State& x,
                                                        const reference::VectorX<T>& q) {
  std::vector<std::vector<T>> inputs;
  for (const std::vector<double>& input : verify::inputs_of(kernel, x))
    inputs.emplace_back(input.begin(), input.end());
  inputs.front().assign(q.begin(), q.end());
  const std::vector<T> flat = test::graph_values<T, T>(kernel, inputs).front();
  const auto size = static_cast<Index>(flat.size());
  return Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>(flat.data(), x.v.size(),
                                                                            size / x.v.size());
}
MatrixXd values(const ir::Kernel& kernel, const reference::State& x) {
  return values<double>(kernel, x, x.q);
}

/// dM/dt along v, by complex step through the code of M.
MatrixXd rate_of_inertia(const Robots& robots, const reference::State& x) {
  constexpr double step = 1e-100;
  const Eigen::VectorXcd q = test::complex_step(robots.user, x.q, x.v, step);
  return values<Complex>(traced("mass_matrix", "Gauss", robots), x, q).imag() / step;
}

model::UserTree chain_of(JointType type, std::uint64_t seed) {
  test::RobotOptions options;
  options.joints = 3;
  options.types = {type};
  return test::random_tree(seed, options);
}

/// A tree with the type and others.
model::UserTree tree_with(JointType type, std::uint64_t seed) {
  test::RobotOptions options;
  options.joints = 5;
  options.types = {JointType::revolute, type, JointType::spherical};
  options.chain = 0.4;
  options.mimic = 0.3;
  return test::random_tree(seed, options);
}

constexpr JointType table_1[] = {JointType::floating,    JointType::revolute, JointType::spherical,
                                 JointType::cylindrical, JointType::planar,   JointType::prismatic,
                                 JointType::helical};

}  // namespace

TEST_CASE("on the robots of the papers") {
  for (const char* name : {"planar3", "stanford_arm", "holonomic_mobile_manipulator"}) {
    CAPTURE(name);
    const Robots robots = read(name);
    for (std::uint64_t seed = 0; seed < 3; ++seed) follow_all(robots, seed);
  }
}

TEST_CASE("on every joint type of Table 1, at the root and away from it, alone and in trees") {
  for (const JointType type : table_1) {
    CAPTURE(model::name(type));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      CAPTURE(seed);
      follow_all(Robots(chain_of(type, seed)), seed);
      follow_all(Robots(tree_with(type, seed)), seed);
    }
  }
}

TEST_CASE("on a chain of 50 degrees of freedom") {
  test::RobotOptions options;
  options.joints = 50;
  options.types = {JointType::revolute};
  options.chain = 1.0;
  options.fixed = 0.0;
  const Robots robots(test::random_tree(50, options));
  REQUIRE(robots.user.nv == 50);
  follow_all(robots, 1);
}

TEST_CASE("dM/dt - 2 C of Gauss's principle is skew, eq. (49)") {
  for (const JointType type : table_1) {
    CAPTURE(model::name(type));
    const Robots robots(tree_with(type, 7));
    const reference::State x = state_of(robots.user, 7);
    const MatrixXd C = values(traced("coriolis_matrix", "Gauss", robots), x);
    CHECK(relative_error(C + C.transpose(), rate_of_inertia(robots, x)) <= 1e-12);
  }
}

TEST_CASE("Udwadia-Kalaba's equation as in eqs. (60) and (61)") {
  // There, the base has the rates of x, y and phi in the axes of the world; here v is in those of the base:
  // v = T dq/dt. In dq/dt, M becomes T^T M T, and C becomes T^T (C T + M dT/dt).
  const Robots robots = read("nonholonomic_mobile_manipulator");
  REQUIRE(robots.user.constraints.num_rows() == 1);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    reference::State x = state_of(robots.user, seed);
    x.active.setOnes();
    const int base = robots.user.bodies.front().joint.idx_v, n = robots.user.nv;
    const double phi = x.q[robots.user.bodies.front().joint.idx_q + 2], turning = x.v[base + 2];
    const double c = std::cos(phi), s = std::sin(phi);
    MatrixXd T = MatrixXd::Identity(n, n), Td = MatrixXd::Zero(n, n);
    T.block<2, 2>(base, base) << c, s, -s, c;
    Td.block<2, 2>(base, base) << -s, c, -c, -s;
    Td *= turning;
    const MatrixXd M = values(traced("mass_matrix", "Gauss", robots), x),
                   C = values(traced("coriolis_matrix", "Gauss", robots), x),
                   g = values(traced("gravity", "Gauss", robots), x);
    const VectorXd qd = T.transpose() * x.v, tau = T.transpose() * (x.tau - g);
    const MatrixXd M_GP = T.transpose() * M * T, C_GP = T.transpose() * (C * T + M * Td);

    MatrixXd A = MatrixXd::Zero(1, n), Ad = MatrixXd::Zero(1, n);
    A.block<1, 2>(0, base) << -s, c;
    Ad.block<1, 2>(0, base) << -c * turning, -s * turning;
    const VectorXd b = -Ad * qd;
    const MatrixXd root = test::square_root(M_GP), D = A * test::inverse(root);
    const MatrixXd to_forces = root * test::least_squares(D, MatrixXd::Identity(1, 1));
    const MatrixXd Omega = MatrixXd::Identity(n, n) - to_forces * A * test::inverse(M_GP);
    const VectorXd qdd = test::solve_definite(M_GP, Omega * (tau - C_GP * qd) + to_forces * b);

    const VectorXd a = values(traced("constrained_dynamics", "Udwadia-Kalaba", robots), x);
    CHECK(relative_error(a, T * qdd + Td * qd) <= agreement);
  }
}

}  // namespace property::dual_quaternions
