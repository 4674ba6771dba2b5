// Panda with locked fingers beside the URDF with fixed ones, and panda in MJCF beside the URDF, in every function.
#include "locked_against_fixed.hpp"
#include "robot_in_mjcf.hpp"
#include "support/shared_folder.hpp"

namespace property::locked_panda {

using namespace featherline;

TEST_CASE("locked fingers give the flops and values of fixed ones") {
  test::compare_with_fixed(test::shared_or_skip("robots") / "panda.urdf", false,
                           "panda_finger_joint1=0.02,panda_finger_joint2=0.02", test::all_functions());
}

TEST_CASE("the robot in MJCF has the same values") {
  test::compare_with_mjcf(test::shared_or_skip("robots") / "panda.urdf");
}

}  // namespace property::locked_panda
