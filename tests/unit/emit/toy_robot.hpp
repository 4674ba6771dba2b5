#pragma once

#include "catalog/functions.hpp"
#include "emit/emit.hpp"
#include "passes/schedule.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// A small robot with names nobody should be allowed to choose, and functions made up for it.
namespace toy {

using namespace featherline;

inline const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names{
      "class",        "a\"; system(\"x\");//", "",      std::string(10000, 'x'), "*/ #error \\",
      "?\?/\n#error", "\xE6\x9C\xBA",          "class",
  };
  return names;
}

inline model::Placement placement(double angle, double x, double y, double z) {
  model::Placement X;  // about x
  X.R << 1.0, 0.0, 0.0, 0.0, std::cos(angle), -std::sin(angle), 0.0, std::sin(angle), std::cos(angle);
  X.p << x, y, z;
  return X;
}

inline model::Body body(int parent, model::JointType type, const model::Placement& X, int coordinate) {
  model::Body b;
  b.name = hostile_names()[static_cast<std::size_t>(parent + 2)];
  b.parent = parent;
  b.joint.name = hostile_names()[static_cast<std::size_t>(parent + 5)];
  b.joint.type = type;
  b.joint.placement = X;
  b.joint.idx_q = b.joint.idx_v = coordinate;
  const double infinity = std::numeric_limits<double>::infinity();
  b.joint.limits = {-infinity, 1.5, infinity, 20.0};
  return b;
}

/// Revolute, prismatic, and a revolute joint that mimics the first; seven links, one of them in the world.
inline model::Tree tree() {
  model::Tree t;
  t.name = "toy */\n#error \"robot\"";
  t.nq = t.nv = 2;
  t.bodies.push_back(body(-1, model::JointType::revolute, placement(0.3, 0.0, 0.1, 0.5), 0));
  t.bodies.push_back(body(0, model::JointType::prismatic, placement(-1.2, 0.4, 0.0, 0.2), 1));
  t.bodies.push_back(body(1, model::JointType::revolute, placement(0.7, 0.0, -0.3, 0.1), 0));
  t.bodies[2].joint.mimics = 0;
  t.bodies[2].joint.multiplier = -2.0;
  t.bodies[2].joint.offset = 0.3;
  for (std::size_t i = 0; i < hostile_names().size(); ++i) {
    model::Link link;
    link.name = hostile_names()[i];
    link.body = static_cast<int>(i % 4) - 1;
    if (i >= 4) link.placement = placement(0.1 * static_cast<double>(i), 0.2, -0.1, 0.3);
    link.mass = 0.5 * static_cast<double>(i);
    t.links.push_back(link);
  }
  return t;
}

inline const catalog::FunctionSpec& dynamics() {
  using catalog::nq, catalog::nv;
  static const catalog::FunctionSpec function{{},
                                              "toy_dynamics",
                                              catalog::dynamics,
                                              "Nothing a robot does */ ever.",
                                              "made up",
                                              {{"q", {nq}}, {"v", {nv}}},
                                              {{"tau", {nv}}, {"M", {nv, nv}}},
                                              {},
                                              {{{"only"}}}};
  return function;
}

inline const catalog::FunctionSpec& constants() {
  static const catalog::FunctionSpec function{
      {},          "toy_constants",        catalog::dynamics,        "Needs no input.",
      "",          {{"q", {catalog::nq}}}, {{"tau", {catalog::nv}}}, {},
      {{{"only"}}}};
  return function;
}

inline const catalog::FunctionSpec& kinematics(bool jacobian) {
  return *catalog::find(jacobian ? "frame_jacobian" : "forward_kinematics");
}

inline ir::Kernel dynamics_function() {
  ir::Kernel f;
  f.name = "toy_dynamics";
  f.formulation = "only";
  f.inputs = {{"q", 2}, {"v", 2}};
  f.outputs = {{"tau", 2}, {"M", 4}};
  f.graph.begin_section("link 1 \"*/ #error \\");
  const ir::Scalar q0 = f.input(0, 0), q1 = f.input(0, 1), v0 = f.input(1, 0), v1 = f.input(1, 1);
  const ir::Scalar angle = q0 * -2.0 + 0.3;
  const ir::Scalar m = sin(q0) * cos(angle) + sqrt(q1 * q1 + 2.0);
  f.name_value(m, "class");
  f.graph.begin_section("link 2 \"\xE6\x9C\xBA\"");
  const ir::Scalar tau = (m * v0 - v1 * (v0 - (m - v1))) / (m + 3.0);
  f.name_value(tau, "tau");
  f.store(0, 0, tau);
  f.store(0, 1, -tau * m);
  f.store(1, 0, m);
  f.store(1, 1, 0.0);
  f.store(1, 2, 0.0);
  f.store(1, 3, m * m - 1e-3);
  return f;
}

inline ir::Kernel constant_function() {
  ir::Kernel f;
  f.name = "toy_constants";
  f.formulation = "only";
  f.inputs = {{"q", 2}};
  f.outputs = {{"tau", 2}};
  f.store(0, 0, 0.0);
  f.store(0, 1, -9.81);
  return f;
}

/// Its frames are canonical as they are.
struct Trees {
  model::UserTree user;
  model::CanonicalTree traced;
};

inline Trees trees() { return {{tree()}, {tree(), {}}}; }

/// A function that takes a link, its pose steps scheduled.
inline ir::Kernel walk(const catalog::FunctionSpec& function, const model::CanonicalTree& tree) {
  ir::Kernel kernel = catalog::trace(function, function.formulations.front(), tree);
  ir::Call& call = std::get<ir::Call>(kernel.steps.front());
  ir::LinkWalk scheduled = *call.walk;
  for (ir::Kernel& step : scheduled.steps) step = passes::schedule(std::move(step));
  call.walk = std::make_shared<ir::LinkWalk>(std::move(scheduled));
  return passes::schedule(std::move(kernel));
}

/// A request; `trees` outlive it.
inline emit::Request request(const Trees& trees, const std::string& name) {
  emit::Request r;
  r.name = name;
  r.options.scalars = {"double", "float"};
  r.flags = "--base fixed */ --name \\";
  r.model_file = "toy\n#error.urdf";
  r.model_sha256 = "0123";
  r.tree = &trees.user;
  r.tracing_tree = &trees.traced;
  passes::ScheduleOptions short_parts;
  short_parts.max_operations = 3;
  passes::ScheduleOptions zeros_apart = short_parts;
  zeros_apart.zeros_apart = true;
  r.functions.push_back({&dynamics(), passes::schedule(dynamics_function(), zeros_apart)});
  const passes::PackedKernel packed = passes::pack(dynamics_function());
  r.functions.push_back({&dynamics(), passes::schedule(packed.kernel, short_parts), packed.maps});
  r.functions.push_back({&constants(), passes::schedule(constant_function())});
  for (const bool jacobian : {false, true})
    r.functions.push_back({&kinematics(jacobian), walk(kinematics(jacobian), trees.traced)});
  return r;
}

}  // namespace toy
