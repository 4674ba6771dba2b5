#include "descriptions.hpp"
#include "model/build_tree.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using model::Tree;
using test::joint;
using test::link;
using test::robot;
using Type = urdf::JointType;

namespace {

/// A chain of three revolute joints a, b, c.
urdf::Description chain() {
  return robot({link("base"), link("la"), link("lb"), link("lc")},
               {joint("a", Type::revolute, "base", "la"), joint("b", Type::revolute, "la", "lb"),
                joint("c", Type::revolute, "lb", "lc")});
}

urdf::Mimic mimic(std::string of, double multiplier = 1.0, double offset = 0.0) {
  return {std::move(of), multiplier, offset, 33};
}

Tree build(const urdf::Description& description, Diagnostics& findings, bool independent = false) {
  model::BuildOptions options;
  options.mimic_independent = independent;
  return model::build_tree(description, options, findings);
}

void check_error(const urdf::Description& description, const std::string& message) {
  Diagnostics findings;
  build(description, findings);
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].severity == Severity::error);
  CHECK(findings.all()[0].message == message);
  CHECK(findings.all()[0].where.line == 33);
  CHECK_FALSE(findings.all()[0].remedy.empty());
}

}  // namespace

TEST_CASE("a chain of mimics ends at one driver, multipliers and offsets composed") {
  urdf::Description description = chain();
  description.joints[0].mimic = mimic("c", 2.0, 0.5);
  description.joints[2].mimic = mimic("b", -3.0, 0.25);
  Diagnostics findings;
  const Tree tree = build(description, findings);
  REQUIRE(findings.all().empty());
  CHECK(tree.nq == 1);
  CHECK(tree.nv == 1);
  CHECK(tree.bodies[0].joint.mimics == 1);
  CHECK(tree.bodies[0].joint.multiplier == -6.0);
  CHECK(tree.bodies[0].joint.offset == 1.0);  // 2 (-3 q + 0.25) + 0.5
  CHECK(tree.bodies[1].joint.mimics == -1);
  CHECK(tree.bodies[2].joint.multiplier == -3.0);
  for (const model::Body& body : tree.bodies) {
    CHECK(body.joint.idx_q == 0);
    CHECK(body.joint.idx_v == 0);
  }
}

TEST_CASE("independent mimics are ordinary joints") {
  urdf::Description description = chain();
  description.joints[2].mimic = mimic("a", -3.0, 0.25);
  Diagnostics findings;
  const Tree tree = build(description, findings, true);
  CHECK(tree.nv == 3);
  CHECK(tree.bodies[2].joint.mimics == -1);
  CHECK(tree.bodies[2].joint.multiplier == 1.0);
  CHECK(tree.bodies[2].joint.offset == 0.0);
}

TEST_CASE("mimics that cannot be resolved are errors") {
  urdf::Description description = chain();
  description.joints[0].mimic = mimic("nobody");
  check_error(description, "joint \"a\" mimics joint \"nobody\", which does not exist");

  description.joints[0].mimic = mimic("a");
  check_error(description, "joint \"a\" mimics itself");

  description.joints[0].mimic = mimic("c");
  description.joints[2].mimic = mimic("a");
  check_error(description, "mimic joints in a circle: \"a\" -> \"c\" -> \"a\"");

  description = chain();
  description.joints[1].type = Type::spherical;
  description.joints[1].mimic = mimic("a");
  check_error(description, "spherical joint \"b\" cannot mimic");

  description.joints[1].mimic.reset();
  description.joints[2].mimic = mimic("b");
  check_error(description, "joint \"c\" mimics spherical joint \"b\"");
}

TEST_CASE("a mimic that cannot be resolved does not matter where mimics are independent") {
  urdf::Description description = chain();
  description.joints[0].mimic = mimic("nobody");
  Diagnostics findings;
  CHECK(build(description, findings, true).nv == 3);
  CHECK(findings.all().empty());
}

TEST_CASE("a mimic on a fixed joint is ignored with a warning") {
  urdf::Description description = chain();
  description.joints[1].type = Type::fixed;
  description.joints[1].mimic = mimic("a", 1.0, 0.3);
  Diagnostics findings;
  const Tree tree = build(description, findings);
  CHECK(tree.nv == 2);
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].severity == Severity::warning);
  CHECK(findings.all()[0].message == "<mimic> of fixed joint \"b\" is ignored");
}
