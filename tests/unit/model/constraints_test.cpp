#include "model/constraints.hpp"
#include "descriptions.hpp"
#include "model/build_tree.hpp"
#include "model/chosen_frames.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace constraints_test {

using namespace featherline;
using model::Constraint;
using model::ConstraintType;
using model::Matrix3;
using model::Vector3;
using test::joint;
using test::link;
using test::robot;
using Type = model::JointType;

namespace {

/// A shoulder and an elbow; the tool is welded to the forearm.
description::Description arm() {
  return robot(
      {link("base"), link("upper"), link("forearm"), link("tool")},
      {joint("shoulder", Type::revolute, "base", "upper"), joint("elbow", Type::revolute, "upper", "forearm"),
       joint("flange", Type::fixed, "forearm", "tool")});
}

description::ConstraintEnd end(std::string on, const Vector3& rpy = Vector3::Zero()) {
  description::ConstraintEnd made;
  made.link = std::move(on);
  made.origin.xyz = {0.1, 0.2, 0.3};
  made.origin.rpy = rpy;
  return made;
}

description::Constraint constraint(ConstraintType type, std::vector<description::ConstraintEnd> ends) {
  description::Constraint made;
  made.name = "c";
  made.type = type;
  made.line = 40;
  made.ends = std::move(ends);
  return made;
}

std::vector<Constraint> build(const description::Constraint& constraint, Diagnostics& findings,
                              double snap_tolerance = 0.0) {
  description::Description description = arm();
  description.constraints = {constraint};
  return model::build_constraints(description, model::build_tree(description, {}, findings), snap_tolerance,
                                  findings);
}

std::string error_of(const description::Constraint& constraint) {
  Diagnostics findings;
  build(constraint, findings);
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].severity == Severity::error);
  CHECK(findings.all()[0].where.line == 40);
  CHECK_FALSE(findings.all()[0].remedy.empty());
  return findings.all()[0].message;
}

}  // namespace

TEST_CASE("z of the anchors is the axis") {
  for (const Vector3& axis : {Vector3(0, 0, 1), Vector3(1, 0, 0), Vector3(0, -1, 0), Vector3(0, 0, -1),
                              Vector3(Vector3(1, -2, 3).normalized())}) {
    CAPTURE(axis.transpose());
    description::Constraint read =
        constraint(ConstraintType::loop_axis, {end("base"), end("forearm", {0.3, -0.4, 0.5})});
    read.axis = axis;
    Diagnostics findings;
    const Constraint built = build(read, findings).at(0);
    CHECK(findings.all().empty());
    REQUIRE(built.anchors.size() == 2);
    CHECK(built.anchors[0].placement.p == Vector3(0.1, 0.2, 0.3));
    const Matrix3 R = model::rotation_from_rpy(Vector3(0.3, -0.4, 0.5));
    CHECK(built.anchors[0].placement.R.col(2).isApprox(axis, 1e-15));
    CHECK(built.anchors[1].placement.R.col(2).isApprox(R * axis, 1e-15));
    CHECK(built.anchors[0].placement.R.isUnitary(1e-15));
    CHECK(built.anchors[0].placement.R.determinant() > 0.0);
    // The two frames are the same when the loop is closed and not turned.
    CHECK((R * built.anchors[0].placement.R).isApprox(built.anchors[1].placement.R, 1e-15));
  }
}

TEST_CASE("a quaternion turns an anchor as angles do") {
  description::Constraint read = constraint(ConstraintType::loop_weld, {end("base"), end("forearm")});
  read.ends[1].origin.quat_xyzw = {0.6, 0.0, 0.0, 0.8};
  Diagnostics findings;
  const Matrix3 R = model::rotation_from_rpy({2.0 * std::atan2(0.6, 0.8), 0.0, 0.0});
  CHECK(build(read, findings).at(0).anchors[1].placement.R.isApprox(R, 1e-15));
}

TEST_CASE("quarter turns in decimals become exact where joints' do") {
  const description::Constraint read =
      constraint(ConstraintType::loop_weld, {end("base"), end("forearm", {1.5707963, 0, 0})});
  Diagnostics findings;
  CHECK(build(read, findings).at(0).anchors[1].placement.R(1, 1) != 0.0);
  CHECK(build(read, findings, 1e-6).at(0).anchors[1].placement.R(1, 1) == 0.0);
}

TEST_CASE("what cannot move is refused") {
  CHECK(error_of(constraint(ConstraintType::loop_point, {end("forearm"), end("tool")})) ==
        "the two links of constraint \"c\" never move relative to each other");
  CHECK(error_of(constraint(ConstraintType::rolling, {end("base")})) ==
        "the link of constraint \"c\" does not move");
  CHECK(error_of(constraint(ConstraintType::no_sliding, {end("base")})) ==
        "the link of constraint \"c\" does not move");
}

TEST_CASE("the world may be an end of a loop") {
  Diagnostics findings;
  const Constraint built =
      build(constraint(ConstraintType::loop_weld, {end("base"), end("tool")}), findings).at(0);
  CHECK(findings.all().empty());
  CHECK(built.num_rows() == 6);
  CHECK(built.num_residual_rows() == 6);
}

TEST_CASE("axes of normals and friction are fixed in the world, or placed in the link") {
  Diagnostics findings;
  const model::UserTree tree = model::build_tree(arm(), {}, findings);
  const auto contacts = model::choose_contacts(
      tree,
      model::parse_contacts("tool:normal,tool:friction@1,0,0,a=tool@1,2,3,0,0,1.5:friction@local:0,0,-2"),
      0.0);
  REQUIRE(contacts.size() == 3);
  CHECK(contacts[0].name == "tool_normal");
  CHECK(contacts[0].type == ConstraintType::contact_normal);
  CHECK(contacts[0].world_axes.value() == model::Matrix3::Identity());
  CHECK(contacts[1].name == "tool_friction");
  CHECK(contacts[1].world_axes.value().col(0) == Vector3::UnitY());
  CHECK(contacts[1].world_axes.value().col(1) == Vector3::UnitZ());
  CHECK(contacts[1].anchors[0].placement.R == model::Matrix3::Identity());
  CHECK(contacts[2].name == "a");
  CHECK_FALSE(contacts[2].world_axes);
  CHECK(contacts[2].anchors[0].placement.p == Vector3(1, 2, 3));
  const model::Matrix3 turned = model::rotation_from_rpy({0, 0, 1.5});
  CHECK(contacts[2].anchors[0].placement.R.isApprox(turned * model::plane_axes(-Vector3::UnitZ()), 1e-15));
}

TEST_CASE("rows count on from constraint to constraint, those of residuals without contacts") {
  Diagnostics findings;
  const model::UserTree tree = model::build_tree(arm(), {}, findings);
  model::Constraints constraints;
  constraints.all = model::choose_contacts(tree, model::parse_contacts("tool:weld,upper"), 0.0);
  constraints.all.push_back(
      build(constraint(ConstraintType::loop_axis, {end("base"), end("tool")}), findings).at(0));
  constraints.all.push_back(build(constraint(ConstraintType::no_sliding, {end("tool")}), findings).at(0));
  constraints.number_rows();
  CHECK(constraints.all[0].type == ConstraintType::contact_weld);
  CHECK(constraints.all[1].type == ConstraintType::contact_point);
  CHECK(constraints.all[2].first_row == 9);
  CHECK(constraints.all[3].first_row == 14);
  CHECK(constraints.num_rows() == 15);
  CHECK(constraints.all[3].first_residual == 5);
  CHECK(constraints.num_residual_rows() == 6);
}

}  // namespace constraints_test
