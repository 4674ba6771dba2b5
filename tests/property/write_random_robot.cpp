// Prints a random robot as URDF. With limbs, it has that many equal ones, of JOINTS joints each, on a trunk of as many.
// Joints have every type, or a single axis. Usage: write_random_robot SEED JOINTS MIMIC_PROBABILITY [LIMBS]
// [single_axes]
#include "support/random_robot.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

using namespace featherline;

int main(int argc, char** argv) {
  if (argc < 4 || argc > 6) {
    std::cerr << "usage: write_random_robot SEED JOINTS MIMIC_PROBABILITY [LIMBS] [single_axes]\n";
    return 2;
  }
  const auto seed = std::strtoull(argv[1], nullptr, 10);
  test::RobotOptions options;
  options.joints = std::atoi(argv[2]);
  options.mimic = std::atof(argv[3]);
  if (argc == 6 && std::string_view(argv[5]) == "single_axes")
    options.types = {model::JointType::revolute, model::JointType::continuous, model::JointType::prismatic};
  test::LimbOptions limbs;
  limbs.limbs = argc > 4 ? std::atoi(argv[4]) : 0;
  limbs.limb = limbs.trunk = options;
  const bool has_limbs = limbs.limbs > 0;
  std::cout << test::to_urdf(has_limbs ? test::random_limbs(seed, limbs) : test::random_robot(seed, options));
}
