// A robot written differently is the same robot: the text goes through the reader, the tree and the reference solver.
#include "formats/reader.hpp"
#include "property/rewrite_urdf.hpp"
#include "property/robot_in_mjcf.hpp"
#include "reference/solver.hpp"
#include "support/diagnostic.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <map>

namespace property::urdf_rewrites {

using namespace featherline;

namespace {

constexpr int robots = 60;

model::UserTree read_tree(const std::string& text, bool floating_base) {
  Diagnostics findings;
  const description::Description robot = formats::read_string(text, "rewritten.urdf", findings);
  INFO(format_text(findings));
  REQUIRE_FALSE(findings.has_errors());
  model::BuildOptions options;
  options.floating_base = floating_base;
  model::UserTree tree = model::build_tree(robot, options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

/// Which entries of q and v of one tree are which of another with the same joints in another order.
struct Match {
  std::vector<int> q, v;
};

Match match(const model::Tree& from, const model::Tree& to) {
  Match result{std::vector<int>(static_cast<std::size_t>(from.nq)),
               std::vector<int>(static_cast<std::size_t>(from.nv))};
  std::map<std::string, const model::Joint*> by_name;
  for (const model::Body& body : to.bodies) by_name[body.joint.name] = &body.joint;
  for (const model::Body& body : from.bodies) {
    const model::Joint& a = body.joint;
    const model::Joint& b = *by_name.at(a.name);
    REQUIRE(a.type == b.type);
    for (int k = 0; k < a.nq; ++k) result.q[static_cast<std::size_t>(a.idx_q + k)] = b.idx_q + k;
    for (int k = 0; k < a.nv; ++k) result.v[static_cast<std::size_t>(a.idx_v + k)] = b.idx_v + k;
  }
  return result;
}

void check_same_dynamics(const std::string& original, const std::string& rewritten, std::uint64_t seed,
                         double tolerance) {
  for (const bool floating_base : {false, true}) {
    const model::UserTree tree = read_tree(original, floating_base),
                          other = read_tree(rewritten, floating_base);
    REQUIRE(tree.nq == other.nq);
    REQUIRE(tree.nv == other.nv);
    const Match map = match(tree, other);
    const test::State state = test::random_state(tree, seed);
    Eigen::VectorXd q(tree.nq), v(tree.nv), a(tree.nv);
    for (int i = 0; i < tree.nq; ++i) q[map.q[static_cast<std::size_t>(i)]] = state.q[i];
    for (int i = 0; i < tree.nv; ++i) {
      v[map.v[static_cast<std::size_t>(i)]] = state.v[i];
      a[map.v[static_cast<std::size_t>(i)]] = state.a[i];
    }
    const Eigen::VectorXd expected = reference::Solver<double>(tree).rnea(state.q, state.v, state.a);
    const Eigen::VectorXd torques = reference::Solver<double>(other).rnea(q, v, a);
    const Eigen::VectorXd in_order = torques(map.v);
    CHECK(test::relative_error(in_order, expected) <= tolerance);
    const Eigen::MatrixXd mass = reference::Solver<double>(other).crba(q);
    const Eigen::MatrixXd mass_in_order = mass(map.v, map.v);
    CHECK(test::relative_error(mass_in_order, reference::Solver<double>(tree).crba(state.q)) <= tolerance);
  }
}

template <class Rewrite>
void check_rewrite(Rewrite rewrite, double tolerance = 1e-10) {
  for (int seed = 1; seed <= robots; ++seed) {
    CAPTURE(seed);
    const auto number = static_cast<std::uint64_t>(seed);
    test::RobotOptions options;
    options.mimic = 0.2;
    options.joints = 10;
    const description::Description robot = test::random_robot(number, options);
    test::Random random(1000 + number);
    check_same_dynamics(test::to_urdf(robot), rewrite(robot, random), number, tolerance);
  }
}

}  // namespace

TEST_CASE("links and joints in another order") {
  check_rewrite([](description::Description robot, test::Random& random) {
    test::shuffle_parts(robot, random);
    return test::to_urdf(robot);
  });
}

TEST_CASE("fixed joints inserted in mid-chain, mass spread over the new links") {
  check_rewrite([](description::Description robot, test::Random& random) {
    test::insert_fixed_joints(robot, random);
    return test::to_urdf(robot);
  });
}

TEST_CASE("inertias about turned axes") {
  check_rewrite([](description::Description robot, test::Random& random) {
    test::turn_inertia_axes(robot, random);
    return test::to_urdf(robot);
  });
}

TEST_CASE("joint frames turned") {
  check_rewrite([](description::Description robot, test::Random& random) {
    test::turn_joint_frames(robot, random);
    return test::to_urdf(robot);
  });
}

TEST_CASE("quaternions in place of angles") {
  const auto rewrite = [](description::Description robot, test::Random& random) {
    test::use_quaternions(robot, random);
    return test::to_urdf(robot);
  };
  check_rewrite(rewrite, 1e-12);
}

TEST_CASE("axes of other lengths, numbers, quotes and white space in other styles") {
  check_rewrite([](const description::Description& robot, test::Random& random) {
    return test::restyle(test::to_urdf(robot), random);
  });
}

TEST_CASE("everything at once") {
  check_rewrite([](description::Description robot, test::Random& random) {
    test::turn_inertia_axes(robot, random);
    test::turn_joint_frames(robot, random);
    test::insert_fixed_joints(robot, random);
    test::shuffle_parts(robot, random);
    return test::restyle(test::to_urdf(robot), random);
  });
}

TEST_CASE("the robot in MJCF, in every function") { test::compare_with_mjcf("robots/arm6.urdf"); }

}  // namespace property::urdf_rewrites
