#include "support/reference_values.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <arm6.hpp>
#include <arm7.hpp>
#include <double_pendulum.hpp>
#include <humanoid.hpp>
#include <mobile_manipulator.hpp>
#include <planar3.hpp>
#include <quadruped.hpp>
#include <stanford_arm.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace featherline;
using test::relative_error;

namespace {

constexpr double tolerance = 1e-10;

/// An emitted robot behind a common signature; links by their index.
struct EmittedRobot {
  int nv;
  std::vector<std::string> links;
  void (*forward_kinematics)(const double* q, int link, double* R, double* p);
  void (*frame_jacobian)(const double* q, int link, double* J);
  void (*link_poses)(const double* q, double* p, double* R);
};

// Robots are namespaces, which only a macro can take.
#define EMITTED_ROBOT(name)                                                      \
  {                                                                              \
    name::nv, {std::begin(name::link_names), std::end(name::link_names)},        \
        [](const double* q, int link, double* R, double* p) {                    \
          name::forward_kinematics(q, static_cast<name::Link>(link), R, p);      \
        },                                                                       \
        [](const double* q, int link, double* J) {                               \
          name::frame_jacobian(q, static_cast<name::Link>(link), J);             \
        },                                                                       \
        [](const double* q, double* p, double* R) { name::link_poses(q, p, R); } \
  }

/// By the name of the reference file.
const std::map<std::string, EmittedRobot> robots{
    {"arm6.fixed", EMITTED_ROBOT(arm6)},
    {"arm7.fixed", EMITTED_ROBOT(arm7)},
    {"double_pendulum.fixed", EMITTED_ROBOT(double_pendulum)},
    {"humanoid.floating", EMITTED_ROBOT(humanoid)},
    {"mobile_manipulator.fixed", EMITTED_ROBOT(mobile_manipulator)},
    {"planar3.fixed", EMITTED_ROBOT(planar3)},
    {"quadruped.floating", EMITTED_ROBOT(quadruped)},
    {"stanford_arm.fixed", EMITTED_ROBOT(stanford_arm)}};

int index_of(const std::string& link, const EmittedRobot& robot) {
  const auto found = std::find(robot.links.begin(), robot.links.end(), link);
  REQUIRE(found != robot.links.end());
  return static_cast<int>(found - robot.links.begin());
}

}  // namespace

TEST_CASE("emitted poses and Jacobians of links agree with the independent library at 1e-10") {
  int compared = 0;
  for (const test::ReferenceFile& file : test::load_references()) {
    CAPTURE(file.name);
    REQUIRE(robots.count(file.name) == 1);
    const EmittedRobot& robot = robots.at(file.name);
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
