#include "reference/solver.hpp"
#include "support/dense.hpp"
#include "support/random.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

// The reference solver against itself and against energy, on random trees of all joint types.

using namespace featherline;
using reference::integrate;
using reference::Solver;
using test::relative_error;
using Number = reference::HyperDual<double>;
using Vector = reference::VectorX<Number>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::uint64_t seeds = 15;

/// Calls `check` on random trees, fixed and floating, with and without coupled mimics.
template <class Check>
void on_random_trees(Check check) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    model::BuildOptions build;
    build.floating_base = seed % 3 == 0;
    build.gravity = {1.0, -2.0, -9.0};
    const model::UserTree tree =
        test::random_tree(seed, {.joints = 12, .mimic = seed % 2 == 0 ? 0.4 : 0.0}, build);
    check(tree, test::random_state(tree, seed));
  }
}

}  // namespace

TEST_CASE("the mass matrix is symmetric and positive definite, and minv inverts it") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    Solver<double> solver(tree);
    const MatrixXd M = solver.crba(s.q), Minv = solver.minv(s.q);
    CHECK(relative_error(M, M.transpose()) <= 1e-15);
    CHECK(test::eigenvalues(M).minCoeff() > 0.0);
    CHECK(relative_error(M * Minv, MatrixXd::Identity(tree.nv, tree.nv)) <= 1e-9);
    CHECK(relative_error(Minv, Minv.transpose()) <= 1e-11);
  });
}

TEST_CASE("M a + bias = rnea, and aba inverts rnea") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    Solver<double> solver(tree);
    const VectorXd tau = solver.rnea(s.q, s.v, s.a);
    CHECK(relative_error(solver.crba(s.q) * s.a + solver.bias(s.q, s.v), tau) <= 1e-12);
    CHECK(relative_error(solver.aba(s.q, s.v, tau), s.a) <= 1e-10);
  });
}

TEST_CASE("kinetic energy is v^T M v / 2, gravity the gradient of the potential") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    Solver<double> solver(tree);
    Solver<Number> moving(tree);
    CHECK(solver.kinetic_energy(s.q, s.v) ==
          doctest::Approx(0.5 * s.v.dot(solver.crba(s.q) * s.v)).epsilon(1e-12));
    VectorXd gradient(tree.nv);
    for (int j = 0; j < tree.nv; ++j) {
      const Vector dv = Vector::Unit(tree.nv, j) * Number::e1();
      gradient[j] = moving.potential_energy(integrate<Number>(tree, s.q.cast<Number>(), dv)).d1;
    }
    CHECK(relative_error(solver.gravity(s.q), gradient) <= 1e-13);
  });
}

TEST_CASE("power: tau v is the rate of the energy along the motion (v, a)") {
  on_random_trees([](const model::Tree& tree, const test::State& s) {
    Solver<double> solver(tree);
    Solver<Number> moving(tree);
    const Vector v = s.v.cast<Number>() + s.a.cast<Number>() * Number::e1();
    const Vector q = integrate<Number>(tree, s.q.cast<Number>(), s.v.cast<Number>() * Number::e1());
    const double rate = (moving.kinetic_energy(q, v) + moving.potential_energy(q)).d1;
    const double scale = s.v.cwiseProduct(solver.rnea(s.q, s.v, s.a)).cwiseAbs().sum();
    CHECK(std::abs(s.v.dot(solver.rnea(s.q, s.v, s.a)) - rate) <= 1e-12 * scale);
  });
}

TEST_CASE("coupled mimics are the independent robot under q = G q_driver + offset") {
  int coupled = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const description::Description robot = test::random_robot(seed, {.joints = 12, .mimic = 0.6});
    const model::UserTree tree = test::tree_of(robot);
    const model::UserTree independent = test::tree_of(robot, {.mimic_independent = true});
    const test::State s = test::random_state(tree, seed);
    VectorXd q(independent.nq);
    MatrixXd G = MatrixXd::Zero(independent.nv, tree.nv);
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const model::Joint &shared = tree.bodies[i].joint, &own = independent.bodies[i].joint;
      const double offset = shared.offset, multiplier = shared.multiplier;
      coupled += shared.mimics >= 0 ? 1 : 0;
      q.segment(own.idx_q, own.nq) = (multiplier * s.q.segment(shared.idx_q, own.nq)).array() + offset;
      G.block(own.idx_v, shared.idx_v, own.nv, own.nv) = multiplier * MatrixXd::Identity(own.nv, own.nv);
    }
    Solver<double> solver(tree), free(independent);
    CHECK(relative_error(solver.rnea(s.q, s.v, s.a), G.transpose() * free.rnea(q, G * s.v, G * s.a)) <=
          1e-12);
    CHECK(relative_error(solver.crba(s.q), G.transpose() * free.crba(q) * G) <= 1e-12);
  }
  CHECK(coupled >= 20);
}

TEST_CASE(
    "drives: damping and friction brake, springs pull, armature adds to the diagonal of M, aba inverts "
    "rnea") {
  int driven = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    const model::UserTree bare = test::random_tree(seed, {.joints = 12, .mimic = seed % 2 == 0 ? 0.4 : 0.0});
    model::UserTree tree = bare;
    VectorXd expected = VectorXd::Zero(tree.nv), rotors = VectorXd::Zero(tree.nv);
    const test::State s = test::random_state(tree, seed);
    for (model::Body& body : tree.bodies) {
      using enum model::JointType;
      model::Joint& joint = body.joint;
      joint.damping = 0.3;
      joint.friction = 2.0;
      joint.armature = 0.7;
      if (joint.type == planar) continue;
      if (joint.type == floating) {  // its armature is that of velocities in the axes of the world
        joint.friction = 0.0;
        const Eigen::Vector3d u = s.v.segment<3>(joint.idx_v), w = s.v.segment<3>(joint.idx_v + 3);
        rotors.segment<6>(joint.idx_v).setConstant(0.7);
        expected.segment<6>(joint.idx_v) += 0.3 * s.v.segment<6>(joint.idx_v);
        expected.segment<3>(joint.idx_v) += 0.7 * w.cross(u);
        continue;
      }
      joint.stiffness = joint.type == spherical ? 0.0 : 9.0;
      joint.rest = -0.4;
      for (int k = joint.idx_v; k < joint.idx_v + joint.nv; ++k) {
        const double rate = joint.multiplier * s.v[k];
        rotors[k] += 0.7 * joint.multiplier * joint.multiplier;
        expected[k] += joint.multiplier * (0.3 * rate + 2.0 * rate / std::sqrt(rate * rate + 1e-4));
        if (joint.type != spherical) {
          const double q = joint.multiplier * s.q[joint.idx_q + k - joint.idx_v];
          expected[k] += joint.multiplier * 9.0 * (q + 0.4);
        }
        ++driven;
      }
    }
    expected += rotors.cwiseProduct(s.a);
    Solver<double> with(tree), without(bare);
    const VectorXd tau = with.rnea(s.q, s.v, s.a);
    const MatrixXd M = with.crba(s.q);
    CHECK(relative_error(tau, without.rnea(s.q, s.v, s.a) + expected) <= 1e-14);
    CHECK(relative_error(M, without.crba(s.q) + MatrixXd(rotors.asDiagonal())) <= 1e-14);
    CHECK(relative_error(with.aba(s.q, s.v, tau), s.a) <= 1e-10);
    CHECK(relative_error(with.gravity(s.q), without.gravity(s.q)) <= 1e-15);
  }
  CHECK(driven >= 100);
}

TEST_CASE("links welded to the world stand still") {
  const model::UserTree tree = test::random_tree(1);
  Solver<double> solver(tree);
  const VectorXd q = test::random_state(tree, 1).q;
  REQUIRE(tree.links[0].body == -1);
  CHECK(solver.frame_jacobian(q, 0) == MatrixXd::Zero(6, tree.nv));
  CHECK(solver.link_pose(q, 0).R == Eigen::Matrix3d::Identity());
}

// Steps in the tangent space, for every joint type.

TEST_CASE("steps along one velocity add up, back and forth cancels, quaternions stay unit") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::random_tree(seed, {.joints = 10});
    const VectorXd q = test::random_state(tree, seed).q;
    const VectorXd dv = test::Random(seed).vector(tree.nv, 1.5);
    const VectorXd whole = integrate(tree, q, dv);
    const VectorXd half = integrate(tree, q, VectorXd(0.5 * dv));
    CHECK(relative_error(integrate(tree, half, VectorXd(0.5 * dv)), whole) <= 1e-14);
    CHECK(relative_error(integrate(tree, whole, VectorXd(-dv)), q) <= 1e-14);
    for (const model::Body& body : tree.bodies) {
      const int first = body.joint.idx_q + (body.joint.type == model::JointType::floating ? 3 : 0);
      if (body.joint.nq == body.joint.nv) continue;
      CHECK(whole.segment<4>(first).norm() == doctest::Approx(1.0).epsilon(1e-14));
    }
  }
}

TEST_CASE("the derivative of every link's pose along a step is what the Jacobian says") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::random_tree(seed, {.joints = 10, .mimic = 0.3});
    const test::State state = test::random_state(tree, seed);
    const VectorXd &q = state.q, &v = state.v;
    reference::Solver<Number> moving(tree);
    reference::Solver<double> solver(tree);
    const auto moved = integrate<Number>(tree, q.cast<Number>(), v.cast<Number>() * Number::e1());
    for (int link = 0; link < static_cast<int>(tree.links.size()); ++link) {
      CAPTURE(tree.links[link].name);
      const auto pose = solver.link_pose(q, link);
      const auto ahead = moving.link_pose(moved, link);
      const Eigen::Vector3d p_rate = part(ahead.p, &Number::d1);
      const Eigen::Matrix3d R_rate = part(ahead.R, &Number::d1);
      const VectorXd world_aligned = solver.frame_jacobian(q, link) * v;
      const VectorXd local = solver.frame_jacobian(q, link, reference::Frame::local) * v;
      const VectorXd world = solver.frame_jacobian(q, link, reference::Frame::world) * v;
      const Eigen::Vector3d u = world_aligned.head<3>(), w = world_aligned.tail<3>();
      CHECK(relative_error(u, p_rate) <= 1e-13);
      CHECK(relative_error(reference::skew(w) * pose.R, R_rate) <= 1e-13);
      CHECK(relative_error(pose.R * local.head<3>(), u) <= 1e-13);
      CHECK(relative_error(pose.R * local.tail<3>(), w) <= 1e-13);
      CHECK(relative_error(world.tail<3>(), w) <= 1e-13);
      CHECK(relative_error(world.head<3>() + reference::skew(w) * pose.p, u) <= 1e-13);
    }
  }
}
