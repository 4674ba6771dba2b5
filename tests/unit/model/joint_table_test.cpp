#include "joints/joint_table.hpp"
#include "model/canonical.hpp"
#include "support/random_robot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace featherline;
using model::Coordinate;
using model::JointRow;
using model::JointType;
using model::Motion;

namespace {

int count(const JointRow& row, Coordinate kind) {
  return static_cast<int>(std::count(row.coordinates.begin(), row.coordinates.end(), kind));
}

}  // namespace

TEST_CASE("every joint type has one row and a name of its own") {
  std::set<std::string> names;
  std::set<JointType> types;
  for (const JointRow& row : model::joint_table()) {
    names.insert(row.name);
    types.insert(row.type);
    CHECK(&model::row_of(row.type) == &row);
    CHECK(model::find_joint_type(row.name) == &row);
  }
  CHECK(names.size() == model::joint_table().size());
  CHECK(types.size() == model::joint_table().size());
  CHECK(model::find_joint_type("Revolute") == nullptr);
  CHECK(model::joint_type_names(true) == "fixed, revolute, continuous, prismatic, floating or planar");
}

TEST_CASE("coordinates and motions of a row belong together") {
  for (const JointRow& row : model::joint_table()) {
    CAPTURE(row.name);
    const bool has_quaternion = row.quaternion() >= 0;
    CHECK(count(row, Coordinate::quaternion) == (has_quaternion ? 4 : 0));
    CHECK(row.nq() == row.nv() + (has_quaternion ? 1 : 0));
    CHECK(count(row, Coordinate::length) == row.num_slides());
    CHECK(count(row, Coordinate::angle) == (has_quaternion ? 0 : row.num_turns()));
    if (has_quaternion) CHECK(row.num_turns() == 3);
    if (row.is_split()) {
      CHECK(row.unidentifiable == model::Unidentifiable::nothing);
      for (const Motion& motion : row.motions)
        CHECK(model::row_of(model::type_with_one_axis(motion.kind)).has_one_axis());
    }
  }
}

TEST_CASE("a canonical tree has as many coordinates and no joint with several axes") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const model::UserTree tree = test::random_tree(seed, {.joints = 12});
    const model::CanonicalTree canonical = model::canonicalise(tree);
    int nv = 0;
    for (const model::Body& body : canonical.bodies) {
      CHECK_FALSE(body.joint.row().is_split());
      if (body.joint.row().has_one_axis()) CHECK(body.joint.axis == model::Vector3::UnitZ());
      nv += body.joint.nv;
    }
    CHECK(nv == tree.nv);
  }
}
