// Damping, friction and rotor inertia of joints through the whole tool.
#include "cli/output_files.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using test::run_featherline;

// Damping and friction are part of bias, and no part of C v.
TEST_CASE("the Coriolis matrix of a robot with friction passes its verification") {
  cli::TemporaryFolder folder;
  const test::Answer answer =
      run_featherline({"generate", "robots/arm7.urdf", "--joint-dynamics", "urdf", "--functions",
                       "bias,coriolis_matrix", "-o", (folder.path() / "out").string()});
  CHECK_MESSAGE(answer.exit_code == 0, answer.err);
}
