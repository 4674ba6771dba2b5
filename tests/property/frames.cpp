// The functions of chosen frames: against the values of an independent library, and their identities on random robots.
#include "catalog/functions.hpp"
#include "follow.hpp"
#include "formats/reader.hpp"
#include "ir/interpreter.hpp"
#include "passes/simplify.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/complex_step.hpp"
#include "support/graph_values.hpp"
#include "support/random_frames.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "support/shared_folder.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <complex>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numbers>
#include <random>
#include <set>

namespace property::frames {

using namespace featherline;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using nlohmann::json;

namespace {

/// Values by name, flat, matrices column by column.
using Values = std::map<std::string, VectorXd>;

VectorXd vector(const json& values) {
  const auto entries = values.get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(entries.data(), static_cast<Index>(entries.size()));
}

VectorXd flat(const MatrixXd& A) { return Eigen::Map<const VectorXd>(A.data(), A.size()); }

/// `count` matrices written row by row, one after the other: each flat column by column, or all of them one below the
/// other, flat column by column.
VectorXd each_by_columns(const VectorXd& rows, Index count, Index height, Index width) {
  VectorXd all(rows.size());
  for (Index k = 0; k < count; ++k) {
    const Eigen::Map<const MatrixXd> transposed(rows.data() + k * height * width, width, height);
    all.segment(k * height * width, height * width) = flat(transposed.transpose());
  }
  return all;
}
VectorXd stacked_by_columns(const VectorXd& rows, Index height) {
  const Eigen::Map<const MatrixXd> transposed(rows.data(), rows.size() / height, height);
  return flat(transposed.transpose());
}

Values values_of(const json& sample, Index frames) {
  const auto stack = [&](const char* name) {
    return stacked_by_columns(vector(sample.at(name)), 6 * frames);
  };
  return {{"p", vector(sample.at("frame_p"))},
          {"R", each_by_columns(vector(sample.at("frame_R")), frames, 3, 3)},
          {"V", vector(sample.at("frame_v"))},
          {"A", vector(sample.at("frame_a"))},
          {"b", vector(sample.at("frame_bias"))},
          {"J", stack("frame_J")},
          {"dV_dq", stack("frame_dv_dq")},
          {"dA_dq", stack("frame_da_dq")},
          {"dA_dv", stack("frame_da_dv")}};
}

/// Those in tests/reference, or ../shared/reference/more (see FeatherlineTest.cmake).
std::filesystem::path value_folder() {
  const char* wanted = std::getenv("FEATHERLINE_REFERENCE_VALUES");
  const bool shared = wanted != nullptr && std::string(wanted) == "shared";
  return shared ? test::shared_or_skip("reference") / "more" : std::filesystem::path("tests/reference");
}

model::UserTree robot_of(const json& file, const std::filesystem::path& root) {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = file.at("base") == "floating";
  options.mimic_independent = true;
  options.snap_tolerance = 0.0;
  const auto urdf = (root / file.at("source").get<std::string>()).string();
  model::UserTree tree = model::build_tree(formats::read_file(urdf, findings), options, findings);
  REQUIRE_FALSE(findings.has_errors());
  std::vector<model::FrameRequest> frames;
  for (const json& link : file.at("frames"))
    frames.push_back({"", link.get<std::string>(), {}, "", {}, false});
  tree.frames = model::choose_frames(tree, frames, model::FrameAxes::local_world_aligned);
  return tree;
}

reference::State state_of(const model::UserTree& tree, const json& sample) {
  std::mt19937 random(1);
  reference::State x = reference::random_state(tree, random);
  x.q = vector(sample.at("q"));
  x.v = vector(sample.at("v"));
  x.a = vector(sample.at("a"));
  return x;
}

/// But for products with weights and errors of poses, which the library's files do not have; traced_functions holds
/// these against the judge.
std::vector<const catalog::FunctionSpec*> frame_functions() {
  std::vector<const catalog::FunctionSpec*> list;
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    const bool has_more = function.name == "frame_poses_vjp" ||
                          function.name.starts_with("frame_pose_error") ||
                          catalog::has_parameter_derivatives(function);
    if (catalog::uses_chosen_frames(function) && !has_more) list.push_back(&function);
  }
  return list;
}

/// What the code of a formulation gives.
Values computed(const catalog::FunctionSpec& function, const model::CanonicalTree& tree,
                const reference::State& x) {
  const ir::Kernel kernel = catalog::trace(function, function.formulations.front(), tree);
  const auto arrays = ir::evaluate(kernel, verify::inputs_of(kernel, x));
  Values values;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    values[function.outputs[k].name] =
        Eigen::Map<const VectorXd>(arrays[k].data(), static_cast<Index>(arrays[k].size()));
  return values;
}

VectorXd computed(const char* function, const char* output, const model::CanonicalTree& tree,
                  const reference::State& x) {
  return computed(*catalog::find(function), tree, x).at(output);
}

/// Wanted poses that the frames reach by turns of `angle` about `axis` and shifts by `shift`, both in their axes.
void want_before(const Values& poses, double angle, const Eigen::Vector3d& axis, const Eigen::Vector3d& shift,
                 reference::State& x) {
  const VectorXd &p = poses.at("p"), &R = poses.at("R");
  for (Index k = 0; k < p.size() / 3; ++k) {
    Eigen::Matrix3d wanted = R.segment<9>(9 * k).reshaped(3, 3);
    wanted = wanted * Eigen::AngleAxisd(-angle, axis).toRotationMatrix();
    x.R_wanted.segment<9>(9 * k) = wanted.reshaped();
    x.p_wanted.segment<3>(3 * k) = p.segment<3>(3 * k) - wanted * shift;
  }
}

/// How an output changes along the motion of the state, by complex step.
VectorXd rate_of(const char* function, const char* output, const model::UserTree& tree,
                 const model::CanonicalTree& traced, const reference::State& x) {
  using Complex = std::complex<double>;
  constexpr double step = 1e-100;
  const catalog::FunctionSpec& spec = *catalog::find(function);
  const ir::Kernel kernel = catalog::trace(spec, spec.formulations.front(), traced);
  const Complex moved(0.0, step);
  const Eigen::VectorXcd q = test::complex_step(tree, x.q, x.v, step),
                         v = x.v.cast<Complex>() + moved * x.a.cast<Complex>();
  std::vector<std::vector<Complex>> inputs;
  for (const ir::Buffer& input : kernel.inputs) {
    Eigen::VectorXcd values = input.name == "q" ? q : v;
    if (input.name == "p_wanted") values = x.p_wanted.cast<Complex>();
    if (input.name == "R_wanted") values = x.R_wanted.cast<Complex>();
    inputs.emplace_back(values.begin(), values.end());
  }
  const auto arrays = test::graph_values<Complex, Complex>(kernel, inputs);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (kernel.outputs[k].name == output)
      return Eigen::Map<const Eigen::VectorXcd>(arrays[k].data(), static_cast<Index>(arrays[k].size()))
                 .imag() /
             step;
  }
  return {};
}

MatrixXd jacobian(const model::CanonicalTree& tree, const reference::State& x) {
  const VectorXd J = computed("frame_jacobians", "J", tree, x);
  return Eigen::Map<const MatrixXd>(J.data(), tree.frames.num_rows(), tree.nv);
}

model::UserTree random_robot(std::uint64_t seed) {
  test::RobotOptions robot;
  robot.joints = 3 + static_cast<int>(seed % 7);
  robot.mimic = seed % 3 == 2 ? 0.4 : 0.0;
  model::BuildOptions build;
  build.floating_base = seed % 2 == 1;
  model::UserTree tree = test::random_tree(seed, robot, build);
  tree.frames = test::random_frames(tree, seed);
  return tree;
}

}  // namespace

TEST_CASE("frames agree with the independent library") {
  const std::filesystem::path folder = value_folder();
  const std::filesystem::path root = folder == "tests/reference" ? "." : folder.parent_path().parent_path();
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    const json file = json::parse(std::ifstream(entry.path()));
    const model::UserTree tree = robot_of(file, root);
    const model::CanonicalTree traced = in_chosen_frames(tree, true);
    for (const json& sample : file.at("samples")) {
      const reference::State x = state_of(tree, sample);
      const Values expected = values_of(sample, static_cast<Index>(tree.frames.chosen.size()));
      for (const catalog::FunctionSpec* function : frame_functions()) {
        CAPTURE(function->name);
        for (const auto& [output, values] : computed(*function, traced, x)) {
          const auto& in_output = output;
          CAPTURE(in_output);
          if (output == "J_rate") {  // of which the library has the product with v
            const MatrixXd rate = MatrixXd::Map(values.data(), expected.at("b").size(), tree.nv);
            CHECK(test::relative_error(rate * x.v, expected.at("b")) <= 1e-10);
            continue;
          }
          // Derivatives with respect to q are differences there.
          const double allowed = output == "dV_dq" || output == "dA_dq" ? 1e-9 : 1e-10;
          CHECK(test::relative_error(values, expected.at(output)) <= allowed);
          ++compared;
        }
      }
    }
  }
  CHECK(compared >= 100);
}

TEST_CASE("every formulation agrees with the judge, in all axes, with placed and position-only frames") {
  for (std::uint64_t seed = 0; seed < 18; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = random_robot(seed);
    const model::CanonicalTree traced = in_chosen_frames(tree, true);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(tree, random);
    for (const catalog::FunctionSpec* function : frame_functions()) {
      CAPTURE(function->name);
      const reference::OutputFunction& judge = *reference::find_outputs(function->name);
      const reference::Outputs expected = judge.compute(tree, x);
      for (const catalog::Formulation& formulation : function->formulations) {
        if (formulation.in_lanes()) continue;  // property_limb_lanes
        test::follow(catalog::trace(*function, formulation, traced), judge, x, expected);
      }
    }
  }
}

TEST_CASE("frame_kinematics gives the chosen parts and nothing else, in any formulation") {
  for (const std::vector<std::string>& parts : {std::vector<std::string>{"velocities", "poses"},
                                                {"positions"},
                                                {"jacobians", "poses"},
                                                {"bias"},
                                                {"poses", "positions", "velocities", "jacobians", "bias"}}) {
    CAPTURE(parts.front());
    model::UserTree tree = random_robot(40 + parts.size());
    tree.frames.parts = parts;
    const catalog::FunctionSpec& entry = *catalog::find("frame_kinematics");
    const catalog::FunctionSpec& function = catalog::with_chosen_parts(entry, tree);
    CHECK(&catalog::with_chosen_parts(entry, tree) == &function);
    std::mt19937 random(1);
    const reference::State x = reference::random_state(tree, random);
    const reference::OutputFunction& judge = *reference::find_outputs(function.name);
    const reference::Outputs expected = judge.compute(tree, x);
    CHECK(expected.size() == function.outputs.size());
    for (const catalog::Formulation& formulation : function.formulations) {
      if (formulation.in_lanes()) continue;
      const ir::Kernel kernel = catalog::trace(function, formulation, in_chosen_frames(tree, true));
      CHECK(kernel.inputs.size() == (parts.front() == "positions" || parts.front() == "jacobians" ? 1 : 2));
      test::follow(kernel, judge, x, expected);
    }
  }
}

TEST_CASE("the parts of frame_kinematics are all of its outputs") {
  std::set<std::string> of_parts, of_function;
  for (const model::FramePart& part : model::frame_parts())
    of_parts.insert(part.outputs.begin(), part.outputs.end());
  for (const catalog::Argument& output : catalog::find("frame_kinematics")->outputs)
    of_function.insert(output.name);
  CHECK(of_parts == of_function);
}

TEST_CASE(
    "velocities are J v, accelerations J a + b, rates of J those along the motion, and derivatives with "
    "respect to v and a are J") {
  for (std::uint64_t seed = 20; seed < 40; ++seed) {
    CAPTURE(seed);
    const model::UserTree tree = random_robot(seed);
    const model::CanonicalTree traced = in_chosen_frames(tree, true);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(tree, random);
    const MatrixXd J = jacobian(traced, x);
    const VectorXd V = computed("frame_velocities", "V", traced, x),
                   A = computed("frame_accelerations", "A", traced, x),
                   b = computed("frame_bias", "b", traced, x);
    CHECK(test::relative_error(V, J * x.v) <= 1e-10);
    CHECK(test::relative_error(A, J * x.a + b) <= 1e-10);
    CHECK(test::relative_error(computed("frame_jacobian_rates", "J_rate", traced, x),
                               rate_of("frame_jacobians", "J", tree, traced, x)) <= 1e-10);
    for (const auto& [output, values] : computed(*catalog::find("frame_kinematics"), traced, x)) {
      const auto& in_output = output;
      CAPTURE(in_output);
      if (output == "V") CHECK(values == V);
      if (output == "b") CHECK(values == b);
      if (output == "J") CHECK(values == flat(J));
    }
  }
}

TEST_CASE("velocities are the rates of poses, and accelerations those of velocities") {
  for (std::uint64_t seed = 40; seed < 52; ++seed) {
    CAPTURE(seed);
    model::UserTree tree = random_robot(seed);
    tree.frames.axes = model::FrameAxes::local_world_aligned;
    const model::CanonicalTree traced = in_chosen_frames(tree, true);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const reference::State x = reference::random_state(tree, random);
    const VectorXd V = computed("frame_velocities", "V", traced, x),
                   pd = rate_of("frame_poses", "p", tree, traced, x);
    for (std::size_t k = 0; k < tree.frames.chosen.size(); ++k)
      CHECK(test::relative_error(pd.segment<3>(3 * static_cast<Index>(k)),
                                 V.segment<3>(tree.frames.chosen[k].first_row)) <= 1e-10);
    CHECK(test::relative_error(rate_of("frame_velocities", "V", tree, traced, x),
                               computed("frame_accelerations", "A", traced, x)) <= 1e-10);
  }
}

TEST_CASE("errors of poses are logarithms of every angle, and their derivatives those along the motion") {
  const Eigen::Vector3d axis = Eigen::Vector3d(0.6, -0.48, 0.64), shift(0.3, -0.2, 0.5);
  const model::UserTree tree = random_robot(1);
  const model::CanonicalTree traced = in_chosen_frames(tree, true);
  std::mt19937 random(1);
  reference::State x = reference::random_state(tree, random);
  const Values poses = computed(*catalog::find("frame_poses"), traced, x);
  for (const double angle : {0.0, 1e-12, 1e-8, 1e-5, 3e-4, 1e-3, 3e-3, 0.03, 1.0, 3.0,
                             std::numbers::pi - 1e-7, std::numbers::pi}) {
    CAPTURE(angle);
    want_before(poses, angle, axis, shift, x);
    const VectorXd e = computed("frame_pose_errors", "e", traced, x);
    int turned = 0;
    for (const model::ChosenFrame& frame : tree.frames.chosen) {
      if (frame.point) continue;
      const Eigen::Vector3d phi = e.segment<3>(frame.first_row + 3);
      const double sign = angle == std::numbers::pi && phi.dot(axis) < 0.0 ? -1.0 : 1.0;
      CHECK((phi - sign * angle * axis).norm() <= 1e-13 + 1e-15 / (1e-8 + std::numbers::pi - angle));
      ++turned;
    }
    CHECK(turned > 0);
    const VectorXd de_dq = computed("frame_pose_error_derivatives", "de_dq", traced, x);
    CHECK(e.allFinite());
    CHECK(de_dq.allFinite());
    if (angle == std::numbers::pi) continue;  // the judge may have the other logarithm
    const reference::Outputs judged =
        reference::find_outputs("frame_pose_error_derivatives")->compute(tree, x);
    const std::vector<double>& values = judged.front().values;
    CHECK(test::relative_error(de_dq, VectorXd::Map(values.data(), de_dq.size())) <= 1e-10);
    if (angle < 1e-3) continue;  // complex steps divide rounding by the angle
    const VectorXd rate = MatrixXd::Map(de_dq.data(), tree.frames.num_rows(), tree.nv) * x.v;
    CHECK(test::relative_error(rate, rate_of("frame_pose_errors", "e", tree, traced, x)) <= 1e-10);
  }
}

namespace {

model::UserTree floating_quadruped() {
  Diagnostics findings;
  model::BuildOptions options;
  options.floating_base = true;
  return model::build_tree(formats::read_file("robots/quadruped.urdf", findings), options, findings);
}

}  // namespace

TEST_CASE("a robot with a free trunk has every turn, half ones about the axes included") {
  model::UserTree tree = floating_quadruped();
  tree.frames = model::choose_frames(tree, model::parse_frames("imu"), model::FrameAxes::local_world_aligned);
  const model::CanonicalTree traced = in_chosen_frames(tree, false);
  std::mt19937 random(1);
  reference::State x = reference::random_state(tree, random);
  x.R_wanted = Eigen::Matrix3d::Identity().reshaped();
  for (Index k = 0; k < 3; ++k) {
    x.q.segment<4>(3).setZero();
    x.q[3 + k] = 1.0;  // half a turn
    const VectorXd e = computed("frame_pose_errors", "e", traced, x);
    CHECK(std::abs(std::abs(e[3 + k]) - std::numbers::pi) <= 1e-14);
    CHECK(std::abs(e.tail<3>().norm() - std::numbers::pi) <= 1e-14);
    CHECK(e.head<3>().allFinite());
  }
}

TEST_CASE("a frame in a link is a link that a fixed joint of the URDF places there") {
  description::Description plain = test::random_robot(3), welded = plain;
  description::Link tool;
  tool.name = "tool";
  description::Joint weld;
  weld.name = "weld";
  weld.type = model::JointType::fixed;
  weld.parent = plain.links.back().name;
  weld.child = tool.name;
  weld.origin.xyz = {0.1, -0.2, 0.3};
  weld.origin.rpy = {0.4, 0.5, -0.6};
  welded.links.push_back(tool);
  welded.joints.push_back(weld);
  model::UserTree with_frame = test::tree_of(plain), with_link = test::tree_of(welded);
  const auto frames = model::parse_frames("tool=" + weld.parent + "@0.1,-0.2,0.3,0.4,0.5,-0.6");
  std::mt19937 random(1);
  const reference::State x = reference::random_state(with_frame, random);
  for (const model::FrameAxesName& entry : model::frame_axes_names()) {
    CAPTURE(entry.name);
    with_frame.frames = model::choose_frames(with_frame, frames, entry.axes);
    with_link.frames = model::choose_frames(with_link, {{"", "tool", {}, "", {}, false}}, entry.axes);
    for (const catalog::FunctionSpec* function : frame_functions()) {
      CAPTURE(function->name);
      const Values other = computed(*function, in_chosen_frames(with_link, true), x);
      for (const auto& [output, values] : computed(*function, in_chosen_frames(with_frame, true), x))
        CHECK(test::relative_error(values, other.at(output)) <= 1e-12);
    }
  }
}

TEST_CASE("Jacobians have no entries of joints that are not on the way") {
  model::UserTree tree = floating_quadruped();
  tree.frames = model::choose_frames(
      tree,
      model::parse_frames(
          "front_left_foot:point,front_right_foot:point,rear_left_foot:point,rear_right_foot:point"),
      model::FrameAxes::local_world_aligned);
  const catalog::FunctionSpec& jacobians = *catalog::find("frame_jacobians");
  const ir::Kernel kernel =
      catalog::trace(jacobians, jacobians.formulations.front(), in_chosen_frames(tree, false));
  // Of each foot: three rows of the base's six columns and of the leg's three.
  CHECK(passes::pack(kernel).maps.front().size() == 4 * 3 * (6 + 3));
}

}  // namespace property::frames
