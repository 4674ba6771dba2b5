#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/number.hpp"

#include <Eigen/Eigenvalues>

namespace featherline::urdf {
namespace {

std::string list(const Eigen::Vector3d& moments) {
  return to_text(moments[0], 4) + ", " + to_text(moments[1], 4) + ", " + to_text(moments[2], 4);
}

/// Principal moments, smallest first, with what is rounding of the largest set to zero.
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

void check_moments(const Description& description, const Link& link, Diagnostics& diagnostics) {
  const Inertial& inertial = *link.inertial;
  const Eigen::Vector3d moments = principal_moments(inertial.inertia);
  const Location where = at(description, link, inertial.inertia_line, "/inertial/inertia");
  const std::string subject = "link " + quoted(link.name);
  const std::string principal = " (principal moments " + list(moments) + " kg m^2)";
  if (moments[0] < 0.0) {
    diagnostics.error(where, subject + " has a negative principal moment of inertia" + principal,
                      "correct the inertia; it is taken about the centre of mass");
  } else if (inertial.mass > 0.0 && moments[0] == 0.0) {
    diagnostics.warning(where, subject + " has a zero principal moment of inertia" + principal,
                        "right for a point mass or a thin rod, otherwise correct the inertia");
  } else if (moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9)) {
    diagnostics.warning(where, subject + " has an inertia that no body has: one principal moment exceeds the sum of "
                        "the others" + principal, "correct the inertia; it is used as written");
  }
}

}  // namespace

void check_inertias(const Description& description, Diagnostics& diagnostics) {
  for (const Link& link : description.links) {
    if (!link.inertial) continue;
    const Inertial& inertial = *link.inertial;
    if (inertial.mass < 0.0) {
      diagnostics.error(at(description, link, inertial.mass_line, "/inertial/mass"),
                        "link " + quoted(link.name) + " has negative mass " + to_text(inertial.mass),
                        "write the mass in kilograms, at least 0");
    }
    check_moments(description, link, diagnostics);
  }
}

}  // namespace featherline::urdf
