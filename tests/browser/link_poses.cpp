// Poses of all links by the reference solver. Reads a configuration a line. Writes a line for each: for every link its
// position and its rotation, row by row; then the centre of mass of all that moves, if something has mass.
// Usage: link_poses ROBOT.urdf fixed|floating coupled|independent
#include "pipeline.hpp"
#include "reference/solver.hpp"

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace featherline;

namespace {

Eigen::VectorXd read_numbers(const std::string& line, int count) {
  std::istringstream in(line);
  Eigen::VectorXd numbers(count);
  for (double& x : numbers) in >> x;
  return numbers;
}

void write_poses(const model::UserTree& tree, const Eigen::VectorXd& q) {
  reference::Solver<double> solver(tree);
  double mass = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < tree.links.size(); ++k) {
    const model::Link& link = tree.links[k];
    const auto pose = solver.link_pose(q, static_cast<int>(k));
    for (int i = 0; i < 3; ++i) std::cout << pose.p[i] << ' ';
    for (int i = 0; i < 9; ++i) std::cout << pose.R(i / 3, i % 3) << ' ';
    if (link.body < 0) continue;
    mass += link.mass;
    moment += link.mass * (pose.p + pose.R * link.com);
  }
  if (mass > 0.0) std::cout << (moment / mass).transpose();
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: link_poses ROBOT.urdf fixed|floating coupled|independent\n";
    return 2;
  }
  Options options;
  options.build.floating_base = std::string(argv[2]) == "floating";
  options.build.mimic_independent = std::string(argv[3]) == "independent";
  Diagnostics findings;
  const Robot robot = read_robot(argv[1], options, findings);
  std::cout << std::setprecision(17);
  for (std::string line; std::getline(std::cin, line);)
    write_poses(robot.tree, read_numbers(line, robot.tree.nq));
}
