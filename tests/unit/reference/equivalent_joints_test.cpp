// Joints with several degrees of freedom against chains of simpler ones with massless bodies between them.
#include "reference/solver.hpp"
#include "support/dense.hpp"
#include "support/random.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>

namespace equivalent_joints_test {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using model::JointType;
using reference::Solver;
using test::relative_error;

namespace {

/// A chain of random bodies: revolute, then `type` in the middle, then revolute. The joint under test is body 1.
model::UserTree chain_with(model::JointType type, std::uint64_t seed) {
  description::Description robot;
  test::RobotOptions options{.joints = 3, .types = {model::JointType::revolute}, .chain = 1.0, .fixed = 0.0};
  robot = test::random_robot(seed, options);
  test::Random random(seed);
  robot.joints[1].type = type;
  robot.joints[1].limits.reset();
  robot.joints[1].axis = type == model::JointType::planar ? Vector3d(Vector3d::UnitZ()) : random.unit3();
  robot.joints[1].axis2 = random.unit3();
  robot.joints[1].pitch = 0.2;
  return test::tree_of(robot);
}

struct Step {
  JointType type;
  Vector3d axis;
};

/// The same tree with body 1's joint replaced by a chain of joints; the bodies before the last are massless.
model::UserTree with_chain(const model::UserTree& tree, const std::vector<Step>& steps) {
  model::UserTree chained = tree;
  chained.bodies.clear();
  chained.nq = chained.nv = 0;
  const auto append = [&](model::Body body) {
    body.parent = static_cast<int>(chained.bodies.size()) - 1;
    body.joint.idx_q = chained.nq;
    body.joint.idx_v = chained.nv;
    chained.nq += body.joint.nq;
    chained.nv += body.joint.nv;
    chained.bodies.push_back(body);
  };
  append(tree.bodies[0]);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    model::Body body;
    body.joint.type = steps[k].type;
    body.joint.axis = steps[k].axis;
    body.joint.nq = steps[k].type == JointType::spherical ? 4 : 1;
    body.joint.nv = steps[k].type == JointType::spherical ? 3 : 1;
    if (k == 0) body.joint.placement = tree.bodies[1].joint.placement;
    if (k + 1 == steps.size()) body.inertia = tree.bodies[1].inertia;
    append(body);
  }
  append(tree.bodies[2]);
  return chained;
}

/// Equal rnea, mass matrix and forward dynamics where both trees have the same coordinates.
void check_same(const model::Tree& a, const model::Tree& b, std::uint64_t seed) {
  REQUIRE(a.nq == b.nq);
  const test::State s = test::random_state(a, seed);
  Solver<double> one(a), other(b);
  CHECK(relative_error(one.rnea(s.q, s.v, s.a), other.rnea(s.q, s.v, s.a)) <= 1e-13);
  CHECK(relative_error(one.crba(s.q), other.crba(s.q)) <= 1e-13);
  CHECK(relative_error(one.aba(s.q, s.v, s.tau), other.aba(s.q, s.v, s.tau)) <= 1e-11);
}

constexpr std::uint64_t seeds = 10;

/// v_chain = T v_joint on the middle joint: checks the equations of motion under that change of coordinates.
/// `T` at the state and `bias`, the part of the chain's acceleration that v alone causes.
void check_transformed(const model::Tree& joint, const model::Tree& chain, const test::State& s,
                       const MatrixXd& T, const VectorXd& bias) {
  Solver<double> one(joint), other(chain);
  const VectorXd tau = one.rnea(s.q, s.v, s.a);
  CHECK(relative_error(tau, T.transpose() * other.rnea(s.q, T * s.v, T * s.a + bias)) <= 1e-13);
  CHECK(relative_error(one.crba(s.q), T.transpose() * other.crba(s.q) * T) <= 1e-13);
  const VectorXd force = test::inverse(T.transpose()) * s.tau;
  CHECK(relative_error(T * one.aba(s.q, s.v, s.tau) + bias, other.aba(s.q, T * s.v, force)) <= 1e-11);
}

}  // namespace

TEST_CASE("universal = revolute about the first axis, then about the second") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const model::UserTree tree = chain_with(model::JointType::universal, seed);
    const model::Joint& joint = tree.bodies[1].joint;
    check_same(tree,
               with_chain(tree, {{JointType::revolute, joint.axis}, {JointType::revolute, joint.axis2}}),
               seed);
  }
}

TEST_CASE("cylindrical = revolute, then prismatic along the same axis") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const model::UserTree tree = chain_with(model::JointType::cylindrical, seed);
    const Vector3d axis = tree.bodies[1].joint.axis;
    check_same(tree, with_chain(tree, {{JointType::revolute, axis}, {JointType::prismatic, axis}}), seed);
  }
}

TEST_CASE("helical = revolute, and a prismatic joint that mimics it with the pitch") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const model::UserTree tree = chain_with(model::JointType::helical, seed);
    const Vector3d axis = tree.bodies[1].joint.axis;
    model::UserTree coupled = with_chain(tree, {{JointType::revolute, axis}, {JointType::prismatic, axis}});
    model::Joint& slide = coupled.bodies[2].joint;
    slide.mimics = 1;
    slide.multiplier = tree.bodies[1].joint.pitch;
    slide.idx_q = slide.idx_v = coupled.bodies[1].joint.idx_q;
    coupled.bodies[3].joint.idx_q = coupled.bodies[3].joint.idx_v = 2;
    coupled.nq = coupled.nv = 3;
    check_same(tree, coupled, seed);
  }
}

// v_chain = [R v_linear; omega]; its rate adds R (omega x v_linear).
TEST_CASE("floating = three prismatic joints and a spherical one") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const model::UserTree tree = chain_with(model::JointType::floating, seed);
    const model::UserTree chain = with_chain(tree, {{JointType::prismatic, Vector3d::UnitX()},
                                                    {JointType::prismatic, Vector3d::UnitY()},
                                                    {JointType::prismatic, Vector3d::UnitZ()},
                                                    {JointType::spherical, Vector3d::UnitZ()}});
    const test::State s = test::random_state(tree, seed);
    const Eigen::Quaterniond rotation(s.q[7], s.q[4], s.q[5], s.q[6]);
    const Eigen::Matrix3d R = rotation.toRotationMatrix();
    MatrixXd T = MatrixXd::Identity(8, 8);
    T.block<3, 3>(1, 1) = R;
    VectorXd bias = VectorXd::Zero(8);
    bias.segment<3>(1) = R * s.v.segment<3>(4).cross(s.v.segment<3>(1));
    check_transformed(tree, chain, s, T, bias);
  }
}

TEST_CASE("planar = two prismatic joints and a revolute one") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const model::UserTree tree = chain_with(model::JointType::planar, seed);
    const model::UserTree chain = with_chain(tree, {{JointType::prismatic, Vector3d::UnitX()},
                                                    {JointType::prismatic, Vector3d::UnitY()},
                                                    {JointType::revolute, Vector3d::UnitZ()}});
    const test::State s = test::random_state(tree, seed);
    const double c = std::cos(s.q[3]), sn = std::sin(s.q[3]);
    Eigen::Matrix2d R;
    R << c, -sn, sn, c;
    MatrixXd T = MatrixXd::Identity(5, 5);
    T.block<2, 2>(1, 1) = R;
    VectorXd bias = VectorXd::Zero(5);
    bias.segment<2>(1) = s.v[3] * (R * Eigen::Vector2d(-s.v[2], s.v[1]));
    check_transformed(tree, chain, s, T, bias);
  }
}

// q_chain = [a b c] about x, y, z; omega = T_3 rates, with the axes seen from the child.
TEST_CASE("spherical = revolute about x, y and z") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const model::UserTree tree = chain_with(model::JointType::spherical, seed);
    const model::UserTree chain = with_chain(tree, {{JointType::revolute, Vector3d::UnitX()},
                                                    {JointType::revolute, Vector3d::UnitY()},
                                                    {JointType::revolute, Vector3d::UnitZ()}});
    const test::State s = test::random_state(chain, seed);
    const Eigen::AngleAxisd Rx(s.q[1], Vector3d::UnitX()), Ry(s.q[2], Vector3d::UnitY()),
        Rz(s.q[3], Vector3d::UnitZ());
    const Eigen::Matrix3d Ryz = (Ry * Rz).toRotationMatrix(), Rzz = Rz.toRotationMatrix();
    MatrixXd T = MatrixXd::Identity(5, 5);
    T.block<3, 1>(1, 1) = Ryz.transpose() * Vector3d::UnitX();
    T.block<3, 1>(1, 2) = Rzz.transpose() * Vector3d::UnitY();
    const Eigen::Quaterniond rotation(Rx * Ry * Rz);
    VectorXd q(6), bias = VectorXd::Zero(5);
    q << s.q[0], rotation.x(), rotation.y(), rotation.z(), rotation.w(), s.q[4];
    const Vector3d w_y = T.block<3, 1>(1, 2) * s.v[2], w_z = Vector3d::UnitZ() * s.v[3];
    bias.segment<3>(1) = Vector3d(T.block<3, 1>(1, 1) * s.v[1]).cross(w_y + w_z) + w_y.cross(w_z);
    Solver<double> ball(tree), three(chain);
    CHECK(relative_error(three.rnea(s.q, s.v, s.a), T.transpose() * ball.rnea(q, T * s.v, T * s.a + bias)) <=
          1e-13);
    CHECK(relative_error(three.crba(s.q), T.transpose() * ball.crba(q) * T) <= 1e-13);
  }
}

}  // namespace equivalent_joints_test
