#include "support/reference_values.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>
#include <robots.hpp>

#include <algorithm>

using namespace featherline;
using test::relative_error;

namespace {

constexpr double tolerance = 1e-10;

int index_of(const std::string& link, const KinematicsRobot& robot) {
  const auto found = std::find(robot.links.begin(), robot.links.end(), link);
  REQUIRE(found != robot.links.end());
  return static_cast<int>(found - robot.links.begin());
}

}  // namespace

TEST_CASE("emitted poses and Jacobians of links agree with the independent library at 1e-10") {
  const std::map<std::string, KinematicsRobot> robots = kinematics_robots();
  int compared = 0;
  for (const test::ReferenceFile& file : test::load_references()) {
    CAPTURE(file.name);
    REQUIRE(robots.count(file.name) == 1);
    const KinematicsRobot& robot = robots.at(file.name);
    REQUIRE(robot.nv == file.nv);
    const auto num_links = static_cast<Eigen::Index>(robot.links.size());
    for (const test::ReferenceSample& sample : file.samples) {
      Eigen::Matrix3Xd all_p(3, num_links), all_R(3, 3 * num_links);
      robot.link_poses(sample.q.data(), all_p.data(), all_R.data());
      for (std::size_t k = 0; k < file.frames.size(); ++k) {
        CAPTURE(file.frames[k]);
        const int link = index_of(file.frames[k], robot);
        Eigen::Matrix3d R;
        Eigen::Vector3d p;
        Eigen::MatrixXd J(6, file.nv);
        robot.forward_kinematics(sample.q.data(), link, R.data(), p.data());
        robot.frame_jacobian(sample.q.data(), link, J.data());
        CHECK(relative_error(R, sample.frame_R[k]) <= tolerance);
        CHECK(relative_error(p, sample.frame_p[k]) <= tolerance);
        CHECK(relative_error(J, sample.frame_J[k]) <= tolerance);
        CHECK(relative_error(all_R.middleCols<3>(3 * link), sample.frame_R[k]) <= tolerance);
        CHECK(relative_error(all_p.col(link), sample.frame_p[k]) <= tolerance);
        ++compared;
      }
    }
  }
  CHECK(compared >= 8 * 3 * 3);
}
