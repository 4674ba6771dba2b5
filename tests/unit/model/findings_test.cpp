// What the tree builder refuses or warns about beyond mimics and orders.
#include "descriptions.hpp"
#include "model/build_tree.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using test::joint;
using test::link;
using test::robot;
using Type = model::JointType;
using Messages = std::vector<std::string>;

namespace {

Messages messages(const description::Description& description, Severity severity) {
  Diagnostics findings;
  const model::UserTree tree = model::build_tree(description, {}, findings);
  if (!findings.has_errors()) model::warn_massless(tree, findings);
  Messages found;
  for (const Diagnostic& diagnostic : findings.all()) {
    CHECK(diagnostic.severity == severity);
    CHECK(diagnostic.where.file == "test.urdf");
    CHECK_FALSE(diagnostic.remedy.empty());
    found.push_back(diagnostic.message);
  }
  return found;
}

std::string massless(const std::string& name, const std::string& links) {
  return "joint \"" + name + "\" moves without inertia (links " + links +
         "): the mass matrix is singular, forward dynamics does not exist";
}

}  // namespace

TEST_CASE("a robot of one link has no bodies") {
  Diagnostics findings;
  const model::UserTree tree = model::build_tree(robot({link("base")}, {}), {}, findings);
  CHECK(findings.all().empty());
  CHECK(tree.bodies.empty());
  CHECK(tree.links.size() == 1);
}

TEST_CASE("massless subtrees are reported once, with all their links") {
  const description::Description description =
      robot({link("base"), link("a"), link("b", 0.0), link("c", 0.0), link("d", 0.0)},
            {joint("j1", Type::revolute, "base", "a"), joint("j2", Type::revolute, "a", "b"),
             joint("j3", Type::fixed, "b", "c"), joint("j4", Type::prismatic, "c", "d")});
  CHECK(messages(description, Severity::warning) == Messages{massless("j2", "\"b\", \"c\", \"d\"")});
}

TEST_CASE("a massless body that carries others is in order") {
  const description::Description description =
      robot({link("base"), link("a", 0.0), link("b")},
            {joint("j1", Type::revolute, "base", "a"), joint("j2", Type::revolute, "a", "b")});
  CHECK(messages(description, Severity::warning).empty());
}

TEST_CASE("leaves without inertia in a direction of motion") {
  description::Description description =
      robot({link("base"), link("a")}, {joint("j", Type::revolute, "base", "a")});
  description::Inertial& inertial = *description.links[1].inertial;
  inertial.inertia.setZero();
  inertial.origin.xyz = {0.0, 0.0, 0.4};  // a point mass on the axis
  const Messages weak{massless("j", "\"a\"")};
  CHECK(messages(description, Severity::warning) == weak);
  for (const Type type : {Type::spherical, Type::floating, Type::planar, Type::cylindrical}) {
    description.joints[0].type = type;
    CHECK(messages(description, Severity::warning) == weak);
  }
  for (const Type type : {Type::prismatic, Type::helical}) {
    description.joints[0].type = type;
    description.joints[0].pitch = 0.1;
    CHECK(messages(description, Severity::warning).empty());
  }
  description.joints[0].type = Type::revolute;
  inertial.origin.xyz = {0.1, 0.0, 0.4};
  CHECK(messages(description, Severity::warning).empty());
}

TEST_CASE("a rotor is the inertia that a joint without any needs") {
  Diagnostics findings;
  model::UserTree tree = model::build_tree(
      robot({link("base"), link("a", 0.0)}, {joint("j", Type::revolute, "base", "a")}), {}, findings);
  CHECK(model::find_massless_joints(tree).size() == 1);
  tree.bodies[0].joint.armature = 0.01;
  CHECK(model::find_massless_joints(tree).empty());
}

TEST_CASE("a massless mimic is not a singularity: its driver has inertia") {
  description::Description description =
      robot({link("base"), link("a"), link("b", 0.0)},
            {joint("j1", Type::revolute, "base", "a"), joint("j2", Type::revolute, "base", "b")});
  description.joints[1].mimic = description::Mimic{"j1", 1.0, 0.0, 0};
  CHECK(messages(description, Severity::warning).empty());
}
