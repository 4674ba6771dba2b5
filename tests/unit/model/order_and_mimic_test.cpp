#include "descriptions.hpp"
#include "model/build_tree.hpp"

#include <doctest/doctest.h>

namespace order_and_mimic_test {

using namespace featherline;
using model::Tree;
using test::joint;
using test::link;
using test::robot;
using Type = model::JointType;
using Names = std::vector<std::string>;

namespace {

/// base -> a -> (w, fixed) -> b; base -> c
description::Description fork() {
  return robot({link("base"), link("la"), link("lw"), link("lb"), link("lc")},
               {joint("a", Type::revolute, "base", "la"), joint("w", Type::fixed, "la", "lw"),
                joint("b", Type::revolute, "lw", "lb"), joint("c", Type::spherical, "base", "lc")});
}

Tree build(const Names& order, Diagnostics& findings, bool floating = false) {
  model::BuildOptions options;
  options.joint_order = order;
  options.floating_base = floating;
  return model::build_tree(fork(), options, findings);
}

void check_errors(const Names& order, const Names& messages) {
  Diagnostics findings;
  build(order, findings);
  Names found;
  for (const Diagnostic& diagnostic : findings.all()) {
    CHECK(diagnostic.where.file == "--joint-order");
    found.push_back(diagnostic.message);
  }
  CHECK(found == messages);
}

}  // namespace

TEST_CASE("a given order decides indices; parents may be anywhere before") {
  Diagnostics findings;
  const Tree tree = build({"c", "a", "b"}, findings);
  REQUIRE(findings.all().empty());
  CHECK(tree.bodies[0].joint.name == "c");
  CHECK(tree.bodies[1].joint.idx_q == 4);
  CHECK(tree.bodies[1].joint.idx_v == 3);
  CHECK(tree.bodies[2].joint.name == "b");
  CHECK(tree.bodies[2].parent == 1);
  CHECK(tree.links[2].body == 1);
}

TEST_CASE("the floating base stays first, named in the order or not") {
  Diagnostics findings;
  CHECK(build({"c", "a", "b"}, findings, true).bodies[1].joint.name == "c");
  CHECK(build({"root_joint", "c", "a", "b"}, findings, true).bodies[1].joint.name == "c");
  CHECK(findings.all().empty());
}

TEST_CASE("every fault of an order is named") {
  check_errors({"c", "a"}, {"moving joint \"b\" is missing"});
  check_errors({"c", "a", "b", "d"}, {"entry 4 \"d\": there is no such joint"});
  check_errors({"c", "a", "w", "b"}, {"entry 3 \"w\": the joint is fixed and has no coordinate"});
  check_errors({"c", "a", "c", "b"}, {"entry 3 \"c\": already named by entry 1"});
  check_errors({"c", "b", "a"}, {"entry 2 \"b\": its parent joint \"a\" must come before it"});
  check_errors({"root_joint", "c", "a", "b"}, {"entry 1 \"root_joint\": there is no such joint"});
  check_errors({}, {"moving joint \"a\" is missing", "moving joint \"b\" is missing",
                    "moving joint \"c\" is missing"});
}

namespace {

/// A chain of three revolute joints a, b, c.
description::Description chain() {
  return robot({link("base"), link("la"), link("lb"), link("lc")},
               {joint("a", Type::revolute, "base", "la"), joint("b", Type::revolute, "la", "lb"),
                joint("c", Type::revolute, "lb", "lc")});
}

description::Mimic mimic(std::string of, double multiplier = 1.0, double offset = 0.0) {
  return {std::move(of), multiplier, offset, 33};
}

Tree build(const description::Description& description, Diagnostics& findings, bool independent = false) {
  model::BuildOptions options;
  options.mimic_independent = independent;
  return model::build_tree(description, options, findings);
}

void check_error(const description::Description& description, const std::string& message) {
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
  description::Description description = chain();
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
  description::Description description = chain();
  description.joints[2].mimic = mimic("a", -3.0, 0.25);
  Diagnostics findings;
  const Tree tree = build(description, findings, true);
  CHECK(tree.nv == 3);
  CHECK(tree.bodies[2].joint.mimics == -1);
  CHECK(tree.bodies[2].joint.multiplier == 1.0);
  CHECK(tree.bodies[2].joint.offset == 0.0);
}

TEST_CASE("mimics that cannot be resolved are errors") {
  description::Description description = chain();
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
  description::Description description = chain();
  description.joints[0].mimic = mimic("nobody");
  Diagnostics findings;
  CHECK(build(description, findings, true).nv == 3);
  CHECK(findings.all().empty());
}

TEST_CASE("a mimic on a fixed joint is ignored with a warning") {
  description::Description description = chain();
  description.joints[1].type = Type::fixed;
  description.joints[1].mimic = mimic("a", 1.0, 0.3);
  Diagnostics findings;
  const Tree tree = build(description, findings);
  CHECK(tree.nv == 2);
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].severity == Severity::warning);
  CHECK(findings.all()[0].message == "<mimic> of fixed joint \"b\" is ignored");
}

}  // namespace order_and_mimic_test
