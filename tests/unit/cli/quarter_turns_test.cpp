// Quarter turns in eleven decimals: exact in all functions of a robot or in none.
#include "selection/quarter_turns.hpp"

#include "pipeline.hpp"
#include "run_featherline.hpp"
#include "support/as_emitted.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace quarter_turns_test {

using namespace featherline;

namespace {

constexpr const char* eleven_decimals = "1.57079632679";

std::string link(int k, double mass, double moment) {
  return fmt::format(
      "<link name='l{0}'><inertial><origin xyz='0.02 0.01 0.1'/><mass value='{1}'/><inertia ixx='{2}' "
      "iyy='{2}' izz='{2}' ixy='0' ixz='0' iyz='0'/></inertial></link>",
      k, mass, moment);
}

/// Two joints with quarter turns between their axes; the last link is given.
std::string arm(const std::string& turn, double last_mass, double last_moment) {
  std::string text = "<robot name='arm'><link name='l0'/>";
  for (int k = 1; k <= 2; ++k) {
    text += k < 2 ? link(k, 2.0, 0.5) : link(k, last_mass, last_moment);
    text += fmt::format(
        "<joint name='j{0}' type='revolute'><parent link='l{1}'/><child link='l{0}'/><origin "
        "xyz='0 0 0.3' rpy='{2}{3} 0 0'/><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' "
        "velocity='1'/></joint>",
        k, k - 1, k % 2 ? "" : "-", turn);
  }
  return text + "</robot>";
}

class Arms {
 public:
  Robot read(const std::string& text) const {
    const std::string file = (folder_.path() / "arm.urdf").string();
    std::ofstream(file) << text;
    Diagnostics findings;
    return read_robot(file, {}, findings);
  }

 private:
  cli::TemporaryFolder folder_;
};

/// Entries of rotations that are neither 0 nor +-1.
int dense_entries(const model::Tree& tree) {
  int count = 0;
  for (const model::Body& body : tree.bodies) {
    for (const double entry : body.joint.placement.R.reshaped())
      count += entry != 0.0 && std::abs(entry) != 1.0;
  }
  return count;
}

std::vector<emit::File> without_manifest(Emission emission) {
  std::vector<emit::File>& files = emission.files;
  const auto names_all = [](const emit::File& f) {
    return f.relative_name.find("rnea") == std::string::npos;
  };
  files.erase(std::remove_if(files.begin(), files.end(), names_all), files.end());
  return files;
}

/// The tree with exact quarter turns of a robot that may have them.
const model::Tree& exact_tree(const Robot& robot) {
  REQUIRE(may_snap_quarter_turns(robot));
  return *robot.snapped;
}

}  // namespace

TEST_CASE("a well conditioned robot gets exact quarter turns") {
  const Robot robot = Arms().read(arm(eleven_decimals, 2.0, 0.5));
  CHECK(dense_entries(robot.tree) > 0);
  CHECK(dense_entries(exact_tree(robot)) == 0);
}

TEST_CASE("a badly conditioned robot keeps its angles as written") {
  const Robot robot = Arms().read(arm(eleven_decimals, 1e-6, 1e-12));
  REQUIRE(robot.snapped.has_value());
  CHECK_FALSE(may_snap_quarter_turns(robot));
  CHECK(emit_robot(robot, test::only({"rnea"})).turns_as_written);  // the report says so
}

TEST_CASE("robots without an inverse of M are judged by what they have") {
  const Robot robot = Arms().read(arm(eleven_decimals, 0.0, 0.0));
  CHECK(dense_entries(exact_tree(robot)) == 0);
}

TEST_CASE("there is nothing to decide where angles are exact") {
  CHECK_FALSE(Arms().read(arm("1.5", 2.0, 0.02)).snapped.has_value());
  CHECK_FALSE(Arms().read(arm("0", 2.0, 0.02)).snapped.has_value());
}

TEST_CASE("another angle is not a quarter turn") {
  model::UserTree tree = Arms().read(arm(eleven_decimals, 2.0, 0.5)).tree;
  const model::UserTree turned = Arms().read(arm("1.570796327", 2.0, 0.02)).tree;
  CHECK(may_be_exact(tree, tree));
  CHECK_FALSE(may_be_exact(turned, tree));
}

TEST_CASE("files of a function are the same whatever else is asked for") {
  for (const double last_mass : {2.0, 1e-6}) {
    const Robot robot = Arms().read(arm(eleven_decimals, last_mass, 0.01 * last_mass));
    const auto alone = without_manifest(emit_robot(robot, test::only({"rnea"})));
    const auto among_others =
        without_manifest(emit_robot(robot, test::only({"rnea", "mass_matrix", "aba", "aba_derivatives"})));
    REQUIRE(alone.size() > 0);
    CHECK(alone.size() <= among_others.size());
    for (const emit::File& file : alone) {
      const auto same = std::find_if(among_others.begin(), among_others.end(), [&](const emit::File& f) {
        return f.relative_name == file.relative_name;
      });
      REQUIRE(same != among_others.end());
      CHECK(same->content == file.content);
    }
  }
}

TEST_CASE("one tolerance is advised, and it works") {
  cli::TemporaryFolder folder;
  const std::string file = (folder.path() / "arm.urdf").string();
  // The first joint turns by an angle with four decimals. The second one has eleven, and exact turns would change
  // results.
  std::string text = arm(eleven_decimals, 1e-6, 1e-12);
  text.replace(text.find(eleven_decimals), std::string(eleven_decimals).size(), "1.5708");
  std::ofstream(file) << text;
  const auto generate = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"generate", file, "--functions", "rnea", "-o", (folder.path() / "o").string()});
    return test::run_featherline(more);
  };
  const test::Answer advice = generate({});
  REQUIRE(advice.exit_code == 0);
  CHECK_MESSAGE(test::contains(advice.err, "or pass --snap-angles 2e-05 to make them exact"), advice.err);
  CHECK_MESSAGE(test::contains(advice.out, "--snap-angles 2e-05 takes them as exact"), advice.out);
  const test::Answer snapped = generate({"--snap-angles", "2e-05"});
  CHECK_FALSE(test::contains(snapped.err, "keep tiny rotations"));
  CHECK_FALSE(test::contains(snapped.out, "--snap-angles"));
}

}  // namespace quarter_turns_test
