#include "report/report.hpp"

#include "joints/page/joint_kind.hpp"
#include "model/clusters.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace featherline::report {
namespace {

using model::Coordinate;
using model::Matrix3;
using model::Motion;
using model::Placement;
using model::Vector3;

/// What no body has, by the principal moments, smallest first.
std::string flaw_of(double mass, const Vector3& moments) {
  // Decimals of a thin rod or a flat plate, whose moments are just possible, may be off by so much.
  constexpr double rounding = 1e-9;
  if (mass < 0.0) return "its mass is negative";
  if (moments[0] < 0.0) return "a principal moment is negative";
  if (mass == 0.0) return "it has no mass";
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + rounding))
    return "one principal moment is larger than the sum of the other two";
  return {};
}

Json to_json(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

/// What is only drawn needs seven digits.
double short_number(double x) { return std::stod(fmt::format("{:.7g}", x)); }

/// Rows of R, and p.
void put(const Placement& placement, Json& json) {
  const Matrix3 columns = placement.R.transpose();
  json["R"] = std::vector<double>(columns.data(), columns.data() + columns.size());
  json["p"] = to_json(placement.p);
}

constexpr const char* kind_names[] = {"turn", "slide", "screw"};  // by Motion::Kind

/// The motions of a joint one after the other, each with the position that it reads. The table lists motions and
/// positions in the same order; a quaternion stands for three turns.
Json motions_json(const model::Joint& joint, int first) {
  const model::JointRow& row = joint.row();
  const int quaternion = row.quaternion();
  Json motions = Json::array();
  for (int k = 0; k < row.nq(); ++k) {
    if (k == quaternion) {
      motions.push_back({{"kind", "quaternion"}, {"q", first + k}});
      break;
    }
    const Motion& motion = row.motions[static_cast<std::size_t>(k)];
    Json json{{"kind", kind_names[static_cast<std::size_t>(motion.kind)]},
              {"along", to_json(joint.direction(motion.along))},
              {"q", first + k}};
    if (row.needs_pitch()) json["pitch"] = joint.pitch;
    if (joint.multiplier != 1.0) json["multiplier"] = joint.multiplier;
    if (joint.offset != 0.0) json["offset"] = joint.offset;
    motions.push_back(std::move(json));
  }
  return motions;
}

Json body_json(const model::Body& body, bool has_loops) {
  const model::Joint& joint = body.joint;
  Json json{{"name", shown_name(body.name)},
            {"joint", shown_name(joint.name)},
            {"parent", body.parent},
            {"type", model::name(joint.type)},
            {"kind", kind_of(joint).name},
            {"motions", motions_json(joint, has_loops ? joint.all.q : joint.idx_q)}};
  put(joint.placement, json);
  if (joint.mimics >= 0) json["mimics"] = joint.mimics;
  return json;
}

Json to_json(const model::PlanarVector<double>& v) { return {v.x, v.y}; }

Json to_json(const model::LinearStep& step) {
  Json terms = Json::array();
  for (const auto& term : step.terms) terms.push_back({{"of", term.of.q}, {"factor", term.factor}});
  return {{"of", step.of.q}, {"offset", step.offset}, {"terms", terms}};
}

Json to_json(const model::PlanarLoop& loop) {
  Json chain = Json::array();
  for (const auto& [of, turns, sign, at] : loop.chain)
    chain.push_back({{"of", of.q}, {"turns", turns}, {"sign", sign}, {"at", to_json(at)}});
  return {{"chain", chain},           {"first", loop.first},
          {"second", loop.second},    {"start", to_json(loop.start)},
          {"end", to_json(loop.end)}, {"branch", loop.branch}};
}

Json loops_json(const model::Clusters& clusters) {
  Json steps = Json::array();
  for (const model::ClusterStep& step : clusters.steps)
    steps.push_back(std::visit([](const auto& each) { return to_json(each); }, step));
  return {{"positions", clusters.positions}, {"steps", steps}};
}

Json link_json(const model::Link& link, const description::Link& written) {
  Json json{{"name", shown_name(link.name)}, {"body", link.body}};
  put(link.placement, json);
  if (link.mass != 0.0) {
    json["mass"] = link.mass;
    json["com"] = to_json(link.com);
  }
  if (const std::optional<Ellipsoid> ellipsoid = equivalent_ellipsoid(written)) {
    const model::Matrix3& shape = ellipsoid->shape;
    json["shape"] = Json::array();
    for (const auto& [i, k] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}})
      json["shape"].push_back(short_number(shape(i, k)));
    if (!ellipsoid->flaw.empty()) json["flaw"] = ellipsoid->flaw;
    if (link.mass == 0.0) json["com"] = to_json(link.com.unaryExpr(&short_number));
  }
  return json;
}

Json frame_json(const model::Tree& tree, const model::ChosenFrame& frame) {
  Json json{{"name", shown_name(frame.name)},
            {"body", tree.links[static_cast<std::size_t>(frame.link)].body}};
  put(model::frame_in_body(tree, frame), json);
  return json;
}

/// How far lengths without limits go: one, two or five times a power of ten, at least the robot's size.
double free_range(const model::Tree& tree) {
  const double size = std::max(model::robot_size(tree), 0.1);
  const double power = std::pow(10.0, std::floor(std::log10(size)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (size <= step * power) return step * power;
  }
  return 10.0 * power;
}

/// A slider for each entry of q that is not part of a quaternion, and three for the rotation vector of a quaternion.
Json sliders_json(const model::Body& body, int index, double range) {
  const model::Joint& joint = body.joint;
  const model::JointRow& row = joint.row();
  Json sliders = Json::array();
  const auto add = [&](const std::string& label, const char* unit, int q, double lower, double upper) {
    sliders.push_back(
        {{"body", index}, {"label", label}, {"unit", unit}, {"q", q}, {"lower", lower}, {"upper", upper}});
  };
  for (int k = 0; k < row.nq(); ++k) {
    const int q = joint.idx_q + k;
    if (k == row.quaternion()) {
      for (int turn = 0; turn < 3; ++turn) {
        add(std::string("turn ") + "xyz"[turn], "rad", q, -std::numbers::pi, std::numbers::pi);
        sliders.back()["turn"] = turn;
      }
      break;
    }
    const bool is_angle = row.coordinates[static_cast<std::size_t>(k)] == Coordinate::angle;
    double lower = is_angle ? -std::numbers::pi : -range, upper = -lower;
    if (joint.nq == 1 && std::isfinite(joint.limits.lower)) lower = joint.limits.lower;
    if (joint.nq == 1 && std::isfinite(joint.limits.upper)) upper = std::max(joint.limits.upper, lower);
    const Motion& motion = row.motions[static_cast<std::size_t>(k)];
    add(joint.nq == 1 ? "" : motion_name(motion), is_angle ? "rad" : "m", q, lower, upper);
  }
  return sliders;
}

}  // namespace

std::optional<Ellipsoid> equivalent_ellipsoid(const description::Link& link) {
  if (!link.inertial) return std::nullopt;
  const description::Inertial& inertial = *link.inertial;
  if (inertial.mass == 0.0 && inertial.inertia.isZero(0.0)) return std::nullopt;
  const Vector3 moments = description::principal_moments(inertial.inertia);
  Ellipsoid ellipsoid{moments, Vector3::Zero(), Matrix3::Zero(), flaw_of(inertial.mass, moments)};
  if (inertial.mass <= 0.0) return ellipsoid;
  const double factor = 5.0 / inertial.mass;
  const Vector3 squares = factor * (moments.sum() / 2.0 - moments.array());
  ellipsoid.semi_axes = squares.cwiseMax(0.0).cwiseSqrt();
  const Matrix3 R_LI = description::rotation(inertial.origin);
  const Matrix3 second_moments = inertial.inertia.trace() / 2.0 * Matrix3::Identity() - inertial.inertia;
  ellipsoid.shape = factor * (R_LI * second_moments * R_LI.transpose());
  return ellipsoid;
}

std::string scene_json(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const double range = free_range(tree);
  Json json{{"nq", tree.nq}, {"nv", tree.nv}};
  for (const char* list : {"bodies", "links", "frames", "sliders", "velocities"}) json[list] = Json::array();
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Body& body = tree.bodies[i];
    json["bodies"].push_back(body_json(body, tree.clusters != nullptr));
    if (body.joint.mimics >= 0) continue;
    for (Json& slider : sliders_json(body, static_cast<int>(i), range))
      json["sliders"].push_back(std::move(slider));
    for (int k = 0; k < body.joint.nv; ++k) json["velocities"].push_back(velocity_name(body.joint, k));
  }
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    json["links"].push_back(link_json(tree.links[i], robot.description.links[i]));
  for (const model::ChosenFrame& frame : tree.frames.chosen)
    json["frames"].push_back(frame_json(tree, frame));
  if (tree.clusters) json["loops"] = loops_json(*tree.clusters);
  return print_script_json(json);
}

}  // namespace featherline::report
