#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/checks/rigid_groups.hpp"
#include "urdf/number.hpp"

namespace featherline::urdf {
namespace {

std::string principal(const Eigen::Vector3d& moments) {
  return "(principal moments " + to_text(moments[0], 4) + ", " + to_text(moments[1], 4) + ", " +
         to_text(moments[2], 4) + " kg m^2)";
}

/// Whether the links welded to a link with an impossible inertia make it a possible body.
bool is_possible(const RigidGroup& group) {
  return group.links.size() > 1 && principal_moments(group.inertia)[0] >= -group.rounding;
}

class InertiaCheck {
 public:
  InertiaCheck(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {}

  void check_mass(const Link& link) {
    if (link.inertial) check_mass(link, *link.inertial);
  }

  void check_moments(const Link& link, const RigidGroup& group) {
    if (!link.inertial) return;
    const Eigen::Vector3d moments = principal_moments(link.inertial->inertia);
    if (moments[0] < 0.0) return report_negative(link, moments, group);
    check_moments(link, moments);
  }

 private:
  void check_mass(const Link& link, const Inertial& inertial) {
    const Location where = at(description_, link, inertial.mass_line, "/inertial/mass");
    if (inertial.mass < 0.0) {
      diagnostics_.error(where, "link " + quoted(link.name) + " has negative mass " + to_text(inertial.mass),
                         "write the mass in kilograms, at least 0");
    } else if (inertial.mass_line > 0 && inertial.mass == 0.0 && !inertial.inertia.isZero(0.0)) {
      diagnostics_.warning(where, "link " + quoted(link.name) + " has rotational inertia but no mass",
                           "write its mass, or zeros for the inertia too; it is used as written");
    }
  }

  void report_negative(const Link& link, const Eigen::Vector3d& moments, const RigidGroup& group) {
    const std::string message =
        "link " + quoted(link.name) + " has a negative principal moment of inertia " + principal(moments);
    if (is_possible(group)) {
      diagnostics_.warning(where(link), message + ", which the links welded to it outweigh",
                           "correct the inertia; it is used as written");
    } else {
      diagnostics_.error(where(link), message, "correct the inertia; it is taken about the centre of mass");
    }
  }

  void check_moments(const Link& link, const Eigen::Vector3d& moments) {
    const std::string subject = "link " + quoted(link.name);
    if (link.inertial->mass > 0.0 && moments[0] == 0.0) {
      diagnostics_.warning(where(link),
                           subject + " has a zero principal moment of inertia " + principal(moments),
                           "right for a point mass or a thin rod, otherwise correct the inertia");
    } else if (moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9)) {
      diagnostics_.warning(where(link),
                           subject +
                               " has an inertia that no body has, one principal moment above the sum of the "
                               "other two " +
                               principal(moments),
                           "correct the inertia; it is used as written");
    }
  }

  Location where(const Link& link) const {
    return at(description_, link, link.inertial->inertia_line, "/inertial/inertia");
  }

  const Description& description_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_inertias(const Description& description, bool is_tree, Diagnostics& diagnostics) {
  InertiaCheck check(description, diagnostics);
  for (const Link& link : description.links) check.check_mass(link);
  if (!is_tree) return;
  for (const RigidGroup& group : rigid_groups(description)) {
    for (const int link : group.links)
      check.check_moments(description.links[static_cast<std::size_t>(link)], group);
  }
}

}  // namespace featherline::urdf
