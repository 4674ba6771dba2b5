#include "description/checks.hpp"
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "support/diagnostic.hpp"
#include "support/shared_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace featherline;

namespace {

namespace fs = std::filesystem;

Diagnostics findings_about(const fs::path& path) {
  Diagnostics findings;
  const description::Description robot = formats::read_file(path.string(), findings);
  if (findings.has_errors()) return findings;
  description::check_angles(robot, model::BuildOptions::default_snap_tolerance, findings);
  model::build_tree(robot, {}, findings);
  return findings;
}

}  // namespace

TEST_CASE("published robots give no error") {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(test::shared_or_skip("robots"))) {
    if (entry.path().extension() != ".urdf") continue;
    ++count;
    const Diagnostics findings = findings_about(entry.path());
    INFO(format_text(findings));
    CHECK_FALSE(findings.has_errors());
  }
  CHECK(count >= 11);
}

TEST_CASE("published robots give the warnings that were checked by hand") {
  const std::string folder = test::shared_or_skip("robots").string() + '/';
  const auto warnings = [&](const char* name) {
    return findings_about(folder + name + ".urdf").count(Severity::warning);
  };
  CHECK(warnings("ur5") == 0);
  CHECK(warnings("z1") == 0);
  CHECK(warnings("double_pendulum") == 1);  // both joints are limited to [0, 0]
  CHECK(warnings("simple_humanoid") == 0);
  CHECK(warnings("solo12") == 0);
  CHECK(warnings("panda") == 0);
  CHECK(warnings("baxter") == 3);         // two point masses, near right angles, a placeholder inertia
  CHECK(warnings("anymal_c") == 1);       // five impossible inertias: cameras, a hatch
  CHECK(warnings("hyq") == 2);            // five links with one moment alone, one with none
  CHECK(warnings("tiago_no_hand") == 3);  // two negative moments in the world, arm_1_link, three zero moments
  CHECK(warnings("talos_reduced") == 3);  // five zero moments, two impossible inertias, twelve fixed mimics
}
