#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// The random robots of the property tests, through the front end and without it.

using namespace featherline;

TEST_CASE("a random robot written as URDF reads back as the same tree, without an error") {
  test::RobotOptions options;
  options.joints = 14;
  options.mimic = 0.3;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const description::Description robot = test::random_robot(seed, options);
    Diagnostics findings;
    const description::Description read = formats::read_string(test::to_urdf(robot), "random.urdf", findings);
    for (const Diagnostic& finding : findings.all()) CAPTURE(finding.message);
    REQUIRE_FALSE(findings.has_errors());
    const model::UserTree direct = test::tree_of(robot), through = model::build_tree(read, {}, findings);
    REQUIRE_FALSE(findings.has_errors());
    REQUIRE(through.bodies.size() == direct.bodies.size());
    CHECK(through.nq == direct.nq);
    CHECK(through.nv == direct.nv);
    for (std::size_t i = 0; i < direct.bodies.size(); ++i) {
      const model::Body &a = direct.bodies[i], &b = through.bodies[i];
      CHECK(a.joint.name == b.joint.name);
      CHECK(a.joint.type == b.joint.type);
      CHECK(a.parent == b.parent);
      CHECK(a.joint.mimics == b.joint.mimics);
      CHECK(a.joint.idx_v == b.joint.idx_v);
      CHECK(a.joint.pitch == b.joint.pitch);
      CHECK(test::relative_error(a.joint.placement.R, b.joint.placement.R) <= 1e-15);
      CHECK(test::relative_error(a.joint.placement.p, b.joint.placement.p) <= 1e-15);
      CHECK(test::relative_error(a.joint.axis, b.joint.axis) <= 1e-15);
      if (a.joint.type == model::JointType::universal) {
        CHECK(test::relative_error(a.joint.axis2, b.joint.axis2) <= 1e-15);
      }
      CHECK(test::relative_error(a.inertia.J, b.inertia.J) <= 1e-15);
    }
  }
}

TEST_CASE("every joint type occurs, and at the root and away from it over a few seeds") {
  std::set<model::JointType> at_root, away;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    test::RobotOptions options;
    options.joints = 9;
    std::set<model::JointType> here;
    for (const model::Body& body : test::random_tree(seed, options).bodies) {
      (body.parent < 0 ? at_root : away).insert(body.joint.type);
      here.insert(body.joint.type);
    }
    CHECK(here.size() == 9);
  }
  CHECK(at_root.size() == 9);
  CHECK(away.size() == 9);
}

TEST_CASE("states respect their bounds and are reproducible") {
  const model::UserTree tree = test::random_tree(3);
  const test::State state = test::random_state(tree, 7), again = test::random_state(tree, 7);
  CHECK(state.q == again.q);
  CHECK(state.v.cwiseAbs().maxCoeff() <= 10.0);
  CHECK(state.a.cwiseAbs().maxCoeff() <= 50.0);
  CHECK(state.a.cwiseAbs().maxCoeff() > 10.0);
  for (const model::Body& body : tree.bodies) {
    if (body.joint.type == model::JointType::spherical) {
      CHECK(state.q.segment<4>(body.joint.idx_q).norm() == doctest::Approx(1.0).epsilon(1e-14));
    }
    if (body.joint.type == model::JointType::floating) {
      CHECK(state.q.segment<4>(body.joint.idx_q + 3).norm() == doctest::Approx(1.0).epsilon(1e-14));
    }
  }
}

// The table in robots/README.md against what the generator makes of the files.

namespace {

/// The cells of a row of a markdown table, without the spaces and quotes around them.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line.substr(1));
  for (std::string cell; std::getline(row, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

model::UserTree tree_of(const std::string& file, model::BuildOptions options) {
  Diagnostics findings;
  model::UserTree tree = model::build_tree(formats::read_file("robots/" + file, findings), options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

}  // namespace

TEST_CASE("robots/README.md counts coordinates and masses right") {
  std::ifstream in("robots/README.md");
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::vector<std::string> cells = cells_of(line);
    REQUIRE(cells.size() >= 6);
    CAPTURE(cells[0]);
    model::BuildOptions options;
    options.floating_base = cells[1] == "floating";
    const model::UserTree tree = tree_of(cells[0], options);
    CHECK(std::to_string(tree.nq) == cells[2]);
    CHECK(std::to_string(tree.nv) == cells[3]);
    double mass = 0.0;
    for (const model::Link& link : tree.links) mass += link.mass;
    CHECK(std::abs(mass - std::stod(cells[5])) <= 0.051);
    ++rows;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("robots"))
    files += entry.path().extension() == ".urdf" ? 1 : 0;
  CHECK(rows == files);
}

TEST_CASE("robots/README.md counts the mobile manipulator's independent velocities right") {
  model::BuildOptions independent;
  independent.mimic_independent = true;
  const int nv = tree_of("mobile_manipulator.urdf", independent).nv;
  std::stringstream text;
  text << std::ifstream("robots/README.md").rdbuf();
  const std::string words =
      "--mimic independent` the mobile manipulator has " + std::to_string(nv) + " of each";
  CHECK(text.str().find(words) != std::string::npos);
}
