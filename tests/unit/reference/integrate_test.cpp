// Steps in the tangent space, for every joint type.
#include "reference/solver.hpp"

#include "support/random.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using reference::integrate;
using test::relative_error;
using Number = reference::HyperDual<double>;
using Eigen::VectorXd;

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
