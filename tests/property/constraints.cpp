// Constrained dynamics: the judge and every formulation against an independent library; every formulation against the
// judge on random robots with random constraints; constraints that are not active, and those that depend on others.
#include "constrained_robots.hpp"
#include "follow.hpp"
#include "formats/reader.hpp"
#include "reference/expected_groups.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/dense.hpp"
#include "support/graph_values.hpp"
#include "support/random.hpp"
#include "support/random_robot.hpp"
#include "support/reference_values.hpp"
#include "support/relative_error.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace property::constraints {

using namespace featherline;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using model::Constraint;
using model::ConstraintType;
using test::all_ways;
using test::flat;
using test::judged;
using test::matrix;
using test::relative_error;
using test::Values;

namespace {

using Sample = std::map<std::string, VectorXd>;

/// A matrix of the library.
MatrixXd by_rows(const VectorXd& values, Index rows) {
  return matrix(values, values.size() / rows).transpose();
}

model::UserTree robot_of(const test::NamedReferenceFile& file) {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = file.floating_base;
  options.mimic_independent = true;
  options.snap_tolerance = 0.0;
  model::UserTree tree =
      model::build_tree(formats::read_file(file.urdf.string(), findings), options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

/// The contact points of the file, then the weld: frames of the file in this order.
std::vector<Constraint> contacts_of(const test::NamedReferenceFile& file, const model::Tree& tree) {
  std::vector<Constraint> contacts;
  const Sample& sample = file.samples.front();
  if (sample.count("lambda_contact") == 0) return contacts;
  for (Index k = 0; k < sample.at("lambda_contact").size() / 3; ++k)
    contacts.push_back(
        test::contact_at(tree, file.frames.at(static_cast<std::size_t>(k)), ConstraintType::contact_point));
  if (sample.count("lambda_weld_classical") > 0)
    contacts.push_back(test::contact_at(tree, file.frames.front(), ConstraintType::contact_weld));
  return contacts;
}

/// J M^-1 J^T of the points and the weld.
MatrixXd delassus_of(const Sample& sample, Index rows, Index nv) {
  const Index points = sample.at("lambda_contact").size() / 3;
  const VectorXd& of_frames = sample.at("frame_J");
  const MatrixXd all = by_rows(of_frames, of_frames.size() / nv);
  MatrixXd J(rows, nv);
  for (Index k = 0; 3 * k < rows; ++k) {
    const Index first = k < points ? 6 * k : 3 * (k - points);  // of a point, or half of the weld
    J.middleRows(3 * k, 3) = all.middleRows(first, 3);
  }
  return J * test::solve_definite(by_rows(sample.at("M"), nv), J.transpose());
}

/// What the functions give, the points active or the weld.
std::map<std::string, Values> library_values(const Sample& sample, Index rows, Index nv, bool weld) {
  if (weld) {
    VectorXd lambda = VectorXd::Zero(rows);
    lambda.tail(6) = sample.at("lambda_weld_classical");
    return {{"constrained_dynamics", {{"a", sample.at("ddq_weld_classical")}, {"lambda", lambda}}}};
  }
  const auto with_zeros = [&](const char* name) {  // in the rows of the weld
    const Index points = sample.at("lambda_contact").size();
    const MatrixXd of_points = by_rows(sample.at(name), points);
    MatrixXd all = MatrixXd::Zero(rows, of_points.cols());
    all.topRows(points) = of_points;
    return flat(all);
  };
  const auto square = [&](const char* name) { return flat(by_rows(sample.at(name), nv)); };
  return {
      {"constrained_dynamics", {{"a", sample.at("ddq_contact")}, {"lambda", with_zeros("lambda_contact")}}},
      {"constrained_dynamics_derivatives",
       {{"da_dq", square("dddq_dq")},
        {"da_dv", square("dddq_dv")},
        {"da_dtau", square("dddq_dtau")},
        {"dlambda_dq", with_zeros("dlambda_dq")},
        {"dlambda_dv", with_zeros("dlambda_dv")},
        {"dlambda_dtau", with_zeros("dlambda_dtau")}}},
      {"impulse_dynamics", {{"v_after", sample.at("v_after")}, {"impulse", with_zeros("impulse")}}},
      {"delassus", {{"D", flat(delassus_of(sample, rows, nv))}}}};
}

/// Compares all functions, and returns how many outputs there were.
int compare(const model::UserTree& tree, test::AllWays& ways, const reference::State& x,
            const std::map<std::string, Values>& expected) {
  int compared = 0;
  const double allowed = test::allowed_at(test::condition_of(tree, x));
  for (const auto& [function, outputs] : expected) {
    const auto& in_function = function;
    CAPTURE(in_function);
    for (const Values& found : ways(function, x)) {
      for (const auto& [output, values] : outputs) {
        const auto& in_output = output;
        CAPTURE(in_output);
        CHECK(relative_error(found.at(output), values) <= allowed);
        ++compared;
      }
    }
  }
  return compared;
}

/// A contact somewhere in the last link.
Constraint contact(const model::Tree& tree, ConstraintType type, const Vector3d& p) {
  Constraint contact = test::contact_at(tree, tree.links.back().name, type);
  contact.anchors.front().placement.p = p;
  return contact;
}

/// Robots whose last link moves freely enough for a weld.
model::UserTree free_robot(std::uint64_t seed) {
  test::RobotOptions robot;
  robot.joints = 7;
  robot.chain = 1.0;
  robot.types = {model::JointType::revolute, model::JointType::continuous};
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  return test::random_tree(seed, robot, build);
}

/// The robot under these constraints, all active.
struct Constrained {
  model::UserTree tree;
  reference::State x;
};
Constrained under(model::UserTree tree, reference::State x, std::vector<Constraint> constraints) {
  tree.constraints = test::numbered(std::move(constraints));
  x.active = VectorXd::Ones(tree.constraints.count());
  return {std::move(tree), std::move(x)};
}

}  // namespace

TEST_CASE("the judge and every formulation agree with the independent library") {
  int compared = 0;
  for (const test::NamedReferenceFile& file : test::load_named_references()) {
    CAPTURE(file.name);
    model::UserTree tree = robot_of(file);
    tree.constraints = test::numbered(contacts_of(file, tree));
    if (tree.constraints.all.empty()) continue;
    test::AllWays ways(tree);
    reference::State x = test::state_of(tree, 1);
    for (const Sample& sample : file.samples) {
      x.q = sample.at("q");
      x.v = sample.at("v");
      x.tau = sample.at("tau_in");
      for (const bool weld : {false, true}) {
        if (weld && sample.count("lambda_weld_classical") == 0) continue;
        for (int k = 0; k < tree.constraints.count(); ++k) {
          const ConstraintType type = tree.constraints.all[static_cast<std::size_t>(k)].type;
          x.active[k] = (type == ConstraintType::contact_weld) == weld ? 1.0 : 0.0;
        }
        compared +=
            compare(tree, ways, x, library_values(sample, tree.constraints.num_rows(), tree.nv, weld));
      }
    }
  }
  CHECK(compared >= 200);
}

TEST_CASE("every formulation agrees with the judge on random robots after every stage") {
  constexpr int robots = 36;
  int nearly_singular = 0;
  for (std::uint64_t seed = 0; seed < robots; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::constrained_robot(seed);
    const model::CanonicalTree traced = in_chosen_frames(tree, true);
    const reference::State x = test::state_of(tree, seed);
    const double condition = test::condition_of(tree, x);
    if (condition > 1e8) {
      ++nearly_singular;
      continue;
    }
    for (const catalog::FunctionSpec* function : test::constraint_functions()) {
      CAPTURE(function->name);
      const reference::OutputFunction& judge = *reference::find_outputs(function->name);
      const reference::Outputs expected = judge.compared(x, judge.compute(tree, x));
      const double allowed =
          function->knows_motors ? 1e-10 * judge.allowance(tree, x) : test::allowed_at(condition);
      if (allowed > 1e-8) continue;
      for (const catalog::Formulation* formulation : test::formulations(*function, traced)) {
        CAPTURE(formulation->name);
        test::follow(catalog::trace(*function, *formulation, traced), judge, x, expected, allowed);
      }
    }
  }
  CHECK(nearly_singular <= robots / 30);
}

TEST_CASE("a constraint that is not active is as if it were not there") {
  for (std::uint64_t seed = 400; seed < 424; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = test::constrained_robot(seed);
    const reference::State x = test::state_of(tree, seed);
    if (test::condition_of(tree, x) > 1e6) continue;
    model::UserTree fewer = tree;
    reference::State y = x;
    fewer.constraints.all.clear();
    const bool has_anchors = !tree.chosen.anchors.empty();
    Index places = 0;  // of the anchors that are left
    for (int k = 0; k < tree.constraints.count(); ++k) {
      const Constraint& constraint = tree.constraints.all[static_cast<std::size_t>(k)];
      if (x.active[k] != 1.0) continue;
      fewer.constraints.all.push_back(constraint);
      if (!has_anchors || !constraint.is_contact()) continue;
      y.p.segment(places, 3) = x.p.segment(tree.chosen.first_of_anchor(static_cast<std::size_t>(k)), 3);
      places += 3;
    }
    fewer.constraints.number_rows();
    if (has_anchors) {
      const bool any_left = test::has_contacts(fewer);
      fewer.chosen = any_left ? model::choose_inputs(fewer, {}, {"anchors"}) : model::ChosenInputs{};
      y.p.conservativeResize(places);
    }
    y.active = VectorXd::Ones(fewer.constraints.count());
    // Fewer constraints may have fewer formulations. The first one is for every robot.
    const Values expected = all_ways("constrained_dynamics", fewer, y).front();
    for (const Values& found : all_ways("constrained_dynamics", tree, x)) {
      CHECK(relative_error(found.at("a"), expected.at("a")) <= 1e-10);
      if (fewer.constraints.all.empty())
        CHECK(relative_error(found.at("a"), judged("aba", tree, x).at("a")) <= 1e-10);
      VectorXd lambda = VectorXd::Zero(tree.constraints.num_rows());
      Index row = 0;
      for (int k = 0; k < tree.constraints.count(); ++k) {
        const Constraint& constraint = tree.constraints.all[static_cast<std::size_t>(k)];
        if (x.active[k] != 1.0) continue;
        lambda.segment(constraint.first_row, constraint.num_rows()) =
            expected.at("lambda").segment(row, constraint.num_rows());
        row += constraint.num_rows();
      }
      CHECK(relative_error(found.at("lambda"), lambda) <= 1e-10);
    }
  }
}

TEST_CASE("constraints that depend on others change nothing") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = free_robot(seed);
    const reference::State x = test::state_of(tree, seed);
    const Constraint weld = contact(tree, ConstraintType::contact_weld, {0.1, -0.2, 0.3}),
                     other = contact(tree, ConstraintType::contact_weld, {-0.3, 0.1, 0.2}),
                     point = contact(tree, ConstraintType::contact_point, {0.2, 0.2, 0.1});
    const Constrained once = under(tree, x, {weld});
    const double allowed = test::allowed_at(test::condition_of(once.tree, once.x));
    for (const Constraint& more : {weld, other, point}) {
      const Constrained twice = under(tree, x, {weld, more});
      test::AllWays ways(twice.tree);
      for (const char* function :
           {"constrained_dynamics", "impulse_dynamics", "constrained_dynamics_derivatives"}) {
        CAPTURE(function);
        const Values expected = judged(function, once.tree, once.x);
        for (const Values& found : ways(function, twice.x)) {
          for (const auto& [output, values] : expected) {
            const auto& in_output = output;
            CAPTURE(in_output);
            const bool by_row = values.size() != found.at(output).size();
            const Index rows = by_row ? 6 + more.num_rows() : values.size();
            const MatrixXd all = matrix(found.at(output), rows);
            CHECK(relative_error(flat(all.topRows(by_row ? 6 : rows)), values) <= allowed);
            if (by_row) CHECK(all.bottomRows(rows - 6).isZero(0.0));
          }
        }
      }
    }
  }
}

TEST_CASE("four points of one body at rest hold it as a weld does") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = free_robot(seed);
    reference::State x = test::state_of(tree, seed);
    x.v.setZero();
    std::vector<Constraint> points;
    for (const Vector3d& p : {Vector3d(0.1, 0.1, 0.0), Vector3d(0.1, -0.1, 0.0), Vector3d(-0.1, 0.1, 0.0),
                              Vector3d(-0.1, -0.1, 0.0)})
      points.push_back(contact(tree, ConstraintType::contact_point, p));
    const Constrained welded =
                          under(tree, x, {contact(tree, ConstraintType::contact_weld, Vector3d::Zero())}),
                      standing = under(tree, x, points);
    const Values expected = judged("constrained_dynamics", welded.tree, welded.x);
    const double allowed = test::allowed_at(test::condition_of(standing.tree, standing.x));
    for (const Values& found : all_ways("constrained_dynamics", standing.tree, standing.x)) {
      CHECK(relative_error(found.at("a"), expected.at("a")) <= allowed);
      const VectorXd sum = matrix(found.at("lambda"), 3).rowwise().sum();
      CHECK(relative_error(sum, expected.at("lambda").head(3)) <= allowed);
    }
  }
}

TEST_CASE(
    "normal and friction together hold what a point holds, and the normal alone pulls along its axis only") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = free_robot(seed);
    reference::State x = test::state_of(tree, seed);
    // Axes that turn with the frame hold R^T v, whose derivative is that of v only where the point rests.
    if (seed % 3 == 2) x.v.setZero();
    const Constraint point = contact(tree, ConstraintType::contact_point, {0.1, -0.2, 0.3});
    Constraint normal = contact(tree, ConstraintType::contact_normal, {0.1, -0.2, 0.3});
    const model::Matrix3 given = model::plane_axes(test::Random(seed).unit3());
    if (seed % 3 == 0) normal.world_axes = given;
    if (seed % 3 == 1) normal.world_axes = model::Matrix3::Identity();
    if (seed % 3 == 2) normal.anchors.front().placement.R = given;
    Constraint friction = normal;
    friction.type = ConstraintType::contact_friction;
    const Constrained whole = under(tree, x, {point}), parts = under(tree, x, {friction, normal}),
                      sliding = under(tree, x, {normal});
    const model::Anchor& anchor = normal.anchors.front();
    const model::Matrix3 axes =
        normal.world_axes
            ? *normal.world_axes
            : model::Matrix3(reference::Solver<double>(tree)
                                 .body_poses(x.q)[static_cast<std::size_t>(body_of(tree, anchor))]
                                 .R *
                             model::frame_in_body(tree, anchor).R);
    const double allowed = test::allowed_at(test::condition_of(whole.tree, whole.x));
    const Values expected = judged("constrained_dynamics", whole.tree, whole.x);
    const VectorXd free = judged("aba", tree, x).at("a");
    const MatrixXd M = matrix(judged("mass_matrix", tree, x).at("M"), tree.nv),
                   J = reference::constraint_jacobian(whole.tree, x.q);
    for (const Values& found : all_ways("constrained_dynamics", parts.tree, parts.x)) {
      CHECK(relative_error(found.at("a"), expected.at("a")) <= 10.0 * allowed);
      CHECK(relative_error(axes * found.at("lambda"), expected.at("lambda")) <= 10.0 * allowed);
    }
    for (const Values& found : all_ways("constrained_dynamics", sliding.tree, sliding.x)) {
      const VectorXd pushed = J.transpose() * axes.col(2) * found.at("lambda");
      CHECK(relative_error(M * (found.at("a") - free), pushed) <= 10.0 * allowed);
    }
  }
}

TEST_CASE("a loop between the world and a link holds what a contact holds") {
  for (std::uint64_t seed = 0; seed < 16; seed += 2) {
    CAPTURE(seed);
    const model::UserTree tree = free_robot(seed);
    const reference::State x = test::state_of(tree, seed);
    const bool weld = seed % 4 == 0;
    const Constraint held =
        contact(tree, weld ? ConstraintType::contact_weld : ConstraintType::contact_point, {0.1, -0.2, 0.3});
    Constraint loop = held;
    loop.type = weld ? ConstraintType::loop_weld : ConstraintType::loop_point;
    const auto world = std::find_if(tree.links.begin(), tree.links.end(),
                                    [](const model::Link& link) { return link.body < 0; });
    REQUIRE(world != tree.links.end());
    loop.anchors.insert(loop.anchors.begin(),
                        {static_cast<int>(world - tree.links.begin()), world->placement.inverse()});
    const Constrained by_contact = under(tree, x, {held}), by_loop = under(tree, x, {loop});
    const Values expected = judged("constrained_dynamics", by_contact.tree, by_contact.x);
    const double allowed = test::allowed_at(test::condition_of(by_contact.tree, by_contact.x));
    for (const Values& found : all_ways("constrained_dynamics", by_loop.tree, by_loop.x)) {
      CHECK(relative_error(found.at("a"), expected.at("a")) <= allowed);
      CHECK(relative_error(found.at("lambda"), expected.at("lambda")) <= allowed);
    }
  }
}

TEST_CASE("turning rows of a pin between parallel joints hold nothing, whichever way these point") {
  Diagnostics findings;
  description::Description robot = formats::read_file("robots/four_bar.urdf", findings);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    const Vector3d axis = test::Random(seed).unit3();
    for (description::Joint& joint : robot.joints) joint.axis = axis;
    robot.constraints.front().axis = axis;
    const model::UserTree tree = test::tree_of(robot);
    const reference::State x = test::state_of(tree, seed);
    const Constraint pin = model::build_constraints(robot, tree, 0.0, findings).front();
    Constraint point = pin;
    point.type = ConstraintType::loop_point;
    const Constrained pinned = under(tree, x, {pin}), tied = under(tree, x, {point});
    test::AllWays ways(pinned.tree);
    for (const char* function :
         {"constrained_dynamics", "constrained_dynamics_derivatives", "impulse_dynamics"}) {
      CAPTURE(function);
      const Values expected = judged(function, tied.tree, tied.x);
      for (const Values& found : ways(function, pinned.x)) {
        for (const auto& [output, values] : expected) {
          const auto& in_output = output;
          CAPTURE(in_output);
          const bool by_row = values.size() != found.at(output).size();
          const MatrixXd all = matrix(found.at(output), by_row ? 5 : tree.nv);
          CHECK(relative_error(flat(all.topRows(by_row ? 3 : tree.nv)), values) <= 1e-10);
          if (by_row) CHECK(all.bottomRows(2).isZero(0.0));
        }
      }
    }
  }
  CHECK_FALSE(findings.has_errors());
}

TEST_CASE(
    "a wheel that lies on its side gives numbers, in float, too, and none that is not active has an effect") {
  constexpr const char* disc =
      R"(<robot name="disc"><link name="disc"><inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1"
         iyz="0" izz="0.2"/></inertial></link></robot>)";
  Diagnostics findings;
  model::BuildOptions build;
  build.floating_base = true;
  const model::UserTree tree = test::tree_of(formats::read_string(disc, "disc.urdf", findings), build);
  Constraint wheel = contact(tree, ConstraintType::rolling, Vector3d::Zero());
  wheel.radius = 0.3;
  reference::State x = test::state_of(tree, 1);
  x.q << 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 1.0;
  Constrained lying = under(tree, x, {wheel});
  const model::CanonicalTree traced = in_chosen_frames(lying.tree, true);
  const VectorXd free = judged("aba", tree, x).at("a");
  for (const double active : {0.0, 1.0}) {
    lying.x.active.setConstant(active);
    for (const catalog::FunctionSpec* function : test::constraint_functions()) {
      for (const catalog::Formulation* formulation : test::formulations(*function, traced)) {
        CAPTURE(function->name);
        CAPTURE(formulation->name);
        const ir::Kernel kernel = catalog::trace(*function, *formulation, traced);
        const auto inputs = verify::inputs_of(kernel, lying.x);
        const auto all_finite = [](const auto& arrays) {
          return std::all_of(arrays.begin(), arrays.end(), [](const auto& values) {
            return std::all_of(values.begin(), values.end(), [](auto value) { return std::isfinite(value); });
          });
        };
        CHECK(all_finite(test::graph_values<double>(kernel, inputs)));
        CHECK(all_finite(test::graph_values<float>(kernel, inputs)));
        if (function->name != "constrained_dynamics" || active != 0.0) continue;
        const std::vector<double> a = test::graph_values<double>(kernel, inputs).front();
        CHECK(relative_error(Eigen::Map<const VectorXd>(a.data(), tree.nv), free) <= 1e-12);
      }
    }
  }
}

}  // namespace property::constraints
