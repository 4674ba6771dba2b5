#include "urdf/description.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>

namespace featherline::urdf {

Eigen::Vector3d principal_moments(const Eigen::Matrix3d& inertia) {
  const double size = inertia.cwiseAbs().maxCoeff();
  if (size == 0.0) return Eigen::Vector3d::Zero();
  // Scaled to 1, so that neither tiny nor huge entries leave the range of a double.
  const Eigen::Matrix3d scaled = inertia / size;
  Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  for (double& moment : moments) {
    if (std::abs(moment) < 1e-12) moment = 0.0;
  }
  return moments * size;
}

double moment_of_densest_ball(double mass) {
  constexpr double osmium = 22590.0;  // [kg/m^3]
  const double radius = std::cbrt(3.0 * mass / (4.0 * std::numbers::pi * osmium));
  return 0.4 * mass * radius * radius;
}

}  // namespace featherline::urdf
