#include "descriptions.hpp"
#include "model/build_tree.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using model::Tree;
using test::joint;
using test::link;
using test::robot;
using Type = urdf::JointType;
using Names = std::vector<std::string>;

namespace {

/// base -> a -> (w, fixed) -> b; base -> c
urdf::Description fork() {
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
