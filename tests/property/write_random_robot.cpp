// Prints a random robot as URDF. Usage: write_random_robot SEED JOINTS MIMIC_PROBABILITY
#include "support/random_robot.hpp"

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: write_random_robot SEED JOINTS MIMIC_PROBABILITY\n";
    return 2;
  }
  featherline::test::RobotOptions options;
  options.joints = std::atoi(argv[2]);
  options.mimic = std::atof(argv[3]);
  std::cout << featherline::test::to_urdf(
      featherline::test::random_robot(std::strtoull(argv[1], nullptr, 10), options));
}
