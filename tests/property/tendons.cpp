// Tendons on random robots, between branches and over mimic joints: every function that feels them, in every
// formulation, loops included, against the reference solver; and the reference solver against the same robot with its
// joints by themselves.
#include "algorithms/whole_body/whole_body.hpp"
#include "model/build_tree.hpp"
#include "pipeline.hpp"
#include "reference/expected.hpp"
#include "reference/solver.hpp"
#include "support/random.hpp"
#include "support/random_constraints.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <set>

namespace property::tendons {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

description::Description random_robot(std::uint64_t seed, int joints, double mimic) {
  description::Description robot = test::random_robot(seed, {.joints = joints, .chain = 0.4, .mimic = mimic});
  test::Random random(seed);
  for (int k = 0; k < 2; ++k) {
    description::Tendon tendon{"tendon " + std::to_string(k), 1, {}, {}};
    tendon.dynamics = {.damping = random.uniform(0.1, 2.0),
                       .friction = random.uniform(0.1, 2.0),
                       .armature = random.uniform(0.1, 2.0),
                       .stiffness = random.uniform(0.1, 9.0),
                       .rest = random.uniform(-1.0, 1.0)};
    for (description::Joint& joint : robot.joints) {
      joint.line = 1;
      if (model::row_of(joint.type).has_one_axis() && random.chance(0.7))
        tendon.joints.emplace_back(joint.name, random.uniform(-2.0, 2.0));
    }
    robot.tendons.push_back(tendon);
  }
  return robot;
}

model::UserTree tree_of(const description::Description& robot, bool floating,
                        bool mimic_independent = false) {
  model::BuildOptions options;
  options.floating_base = floating;
  options.mimic_independent = mimic_independent;
  options.joint_dynamics = model::JointDynamics::model;
  Diagnostics findings;
  model::UserTree tree = model::build_tree(robot, options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

bool feels_tendons(const catalog::FunctionSpec& function) {
  return !function.takes_link && (function.inverts_inertia || function.group.name == catalog::dynamics.name ||
                                  function.group.order > 0 || function.name == "regressor");
}

/// The coordinates of the coupled robot, of those of the robot whose joints are all by themselves: v = G v_coupled.
MatrixXd coupling(const model::UserTree& coupled, const model::UserTree& alone) {
  MatrixXd G = MatrixXd::Zero(alone.nv, coupled.nv);
  for (std::size_t i = 0; i < coupled.bodies.size(); ++i) {
    const model::Joint &joint = coupled.bodies[i].joint, &own = alone.bodies[i].joint;
    for (int k = 0; k < joint.nv; ++k) G(own.idx_v + k, joint.idx_v + k) = joint.multiplier;
  }
  return G;
}

VectorXd position(const model::UserTree& coupled, const model::UserTree& alone, const VectorXd& q) {
  VectorXd own(alone.nq);
  for (std::size_t i = 0; i < coupled.bodies.size(); ++i) {
    const model::Joint& joint = coupled.bodies[i].joint;
    own.segment(alone.bodies[i].joint.idx_q, joint.nq) =
        (joint.multiplier * q.segment(joint.idx_q, joint.nq)).array() + joint.offset;
  }
  return own;
}

}  // namespace

TEST_CASE("functions of robots with tendons agree with the reference solver in every formulation") {
  std::set<std::string> names, loops;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    CAPTURE(seed);
    model::UserTree user = tree_of(random_robot(seed, 5, seed == 3 ? 0.5 : 0.0), seed % 2 == 1);
    REQUIRE(user.tendons.size() == 2);
    if (seed == 2) user.integrator = model::Integrator::rk4;
    user.base_parameters = algorithms::find_base_parameters(user);
    user.constraints = test::numbered(
        {test::contact_at(user, user.bodies.back().name, model::ConstraintType::contact_point)});
    const ChosenTrees trees = trees_in_plain_frames(user, false);
    for (const catalog::FunctionSpec& spec : catalog::functions()) {
      if (!feels_tendons(spec) || (catalog::takes_ground(spec) && seed == 2)) continue;
      for (const catalog::Formulation& formulation : spec.formulations) {
        if (!formulation.applies(user)) continue;
        CAPTURE(spec.name);
        CAPTURE(formulation.name);
        REQUIRE_FALSE(formulation.in_lanes());
        Options options;
        options.formulations[spec.name] = formulation.name;
        LoweredForms forms = lower(plan_function(spec, true, false, user, options), trees, options);
        CHECK(judge(forms, user).relative <= reference::promised_error);
        names.insert(spec.name);
        if (formulation.in_loops()) loops.insert(spec.name);
      }
    }
  }
  CHECK(names.size() > 20);
  CHECK(loops.size() > 5);
}

TEST_CASE("tendons over mimic joints pull as they do over joints that are held in step") {
  int tendons = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const description::Description robot = random_robot(seed, 8, 0.6);
    const model::UserTree coupled = tree_of(robot, seed % 2 == 1),
                          alone = tree_of(robot, seed % 2 == 1, true);
    tendons += static_cast<int>(coupled.tendons.size());
    const MatrixXd G = coupling(coupled, alone);
    const test::State x = test::random_state(coupled, seed);
    const VectorXd q = position(coupled, alone, x.q), v = G * x.v, a = G * x.a;
    reference::Solver<double> of_coupled(coupled), of_alone(alone);
    const auto error = [](const MatrixXd& found, const MatrixXd& expected) {
      return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
    };
    CHECK(error(of_coupled.rnea(x.q, x.v, x.a), G.transpose() * of_alone.rnea(q, v, a)) < 1e-12);
    CHECK(error(of_coupled.crba(x.q), G.transpose() * of_alone.crba(q) * G) < 1e-12);
    CHECK(error(of_coupled.gravity(x.q), G.transpose() * of_alone.gravity(q)) < 1e-12);
  }
  CHECK(tendons > 30);
}

TEST_CASE("joints that are locked lengthen a tendon by where they are") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    description::Description robot = random_robot(seed, 7, 0.0);
    const model::UserTree whole = tree_of(robot, false);
    const test::State x = test::random_state(whole, seed);
    std::vector<model::Lock> locks;
    VectorXd v = x.v, a = x.a;
    std::vector<int> rows;
    for (std::size_t i = 0; i < whole.bodies.size(); ++i) {
      const model::Joint& joint = whole.bodies[i].joint;
      if (joint.nq == 1 && i % 2 == 0) {
        locks.push_back({joint.name, {x.q[joint.idx_q]}});
        v[joint.idx_v] = a[joint.idx_v] = 0.0;
      } else {
        for (int k = 0; k < joint.nv; ++k) rows.push_back(joint.idx_v + k);
      }
    }
    Diagnostics findings;
    model::lock_joints(robot, {locks, {}}, true, false, findings);
    const model::UserTree locked = tree_of(robot, false);
    REQUIRE(locked.nv == static_cast<int>(rows.size()));
    if (locked.nv == 0) continue;
    VectorXd q(locked.nq);
    for (const model::Body& body : locked.bodies) {
      for (const model::Body& same : whole.bodies) {
        if (same.joint.name == body.joint.name)
          q.segment(body.joint.idx_q, body.joint.nq) = x.q.segment(same.joint.idx_q, body.joint.nq);
      }
    }
    reference::Solver<double> of_whole(whole), of_locked(locked);
    const VectorXd expected = of_whole.rnea(x.q, v, a)(rows), found = of_locked.rnea(q, v(rows), a(rows));
    CHECK((found - expected).cwiseAbs().maxCoeff() <= 1e-11 * expected.cwiseAbs().maxCoeff());
    const MatrixXd M = of_whole.crba(x.q)(rows, rows), M_locked = of_locked.crba(q);
    CHECK((M_locked - M).cwiseAbs().maxCoeff() <= 1e-11 * M.cwiseAbs().maxCoeff());
  }
}

}  // namespace property::tendons
