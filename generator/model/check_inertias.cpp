#include "model/build_tree.hpp"

#include "description/checks.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <functional>

namespace featherline::model {
namespace {

using description::to_text;

/// Of a link's own scale. Exporters compute in float and print few digits: 1e-7 of the largest moment is common.
constexpr double rounding = 1e-6;

/// About which axes a body can turn.
struct Turning {
  enum class Axes { none, one, any } axes = Axes::none;
  Vector3 axis = Vector3::UnitZ();  ///< of `one`: in the body frame, where it stays in every configuration
};

Turning turning_about(const Vector3& axis, const Turning& above) {
  constexpr double parallel = 1e-6;
  const bool same =
      above.axes == Turning::Axes::none ||
      (above.axes == Turning::Axes::one && above.axis.cross(axis.normalized()).norm() < parallel);
  return {same ? Turning::Axes::one : Turning::Axes::any, axis.normalized()};
}

std::vector<Turning> turnings_of(const UserTree& tree) {
  std::vector<Turning> turnings;
  for (const Body& body : tree.bodies) {
    Turning turning = body.parent < 0 ? Turning{} : turnings[index(body.parent)];
    turning.axis = body.joint.placement.R.transpose() * turning.axis;
    const int turns = body.joint.row().num_turns();
    if (turns == 1) turning = turning_about(body.joint.axis, turning);
    if (turns > 1) turning.axes = Turning::Axes::any;
    turnings.push_back(turning);
  }
  return turnings;
}

Matrix3 about_centre_of_mass(const Inertia& inertia) {
  const Vector3& h = inertia.h;
  return inertia.J - (h.squaredNorm() * Matrix3::Identity() - h * h.transpose()) / inertia.mass;
}

/// Whether a body with this inertia resists every acceleration that `turning` allows.
bool is_possible(const Inertia& inertia, const Turning& turning) {
  if (inertia.mass < 0.0) return false;
  const Matrix3 about_com = inertia.mass > 0.0 ? about_centre_of_mass(inertia) : inertia.J;
  const Vector3 moments = description::principal_moments(about_com);
  const double scale =
      std::max(moments.cwiseAbs().maxCoeff(), description::moment_of_densest_ball(inertia.mass));
  const double least = -rounding * scale - 1e-12 * inertia.J.cwiseAbs().maxCoeff();
  if (turning.axes == Turning::Axes::none) return true;
  if (turning.axes == Turning::Axes::any) return moments[0] >= least;
  return turning.axis.dot(about_com * turning.axis) >= least;
}

std::string principal(const Vector3& moments) {
  return fmt::format("(principal moments {}, {}, {} kg m^2)", to_text(moments[0], 4), to_text(moments[1], 4),
                     to_text(moments[2], 4));
}

class InertiaCheck {
 public:
  InertiaCheck(const description::Description& robot, const UserTree& tree, bool allow_unphysical,
               Diagnostics& findings)
      : robot_(robot),
        tree_(tree),
        allow_unphysical_(allow_unphysical),
        findings_(findings),
        turnings_(turnings_of(tree)),
        links_with_inertia_(tree.bodies.size(), 0) {
    for (std::size_t i = 0; i < robot.links.size(); ++i) {
      const int body = tree.links[i].body;
      if (body >= 0 && robot.links[i].inertial) ++links_with_inertia_[index(body)];
    }
  }

  void check(const description::Link& link, int body) {
    if (!link.inertial) return;
    const description::Inertial& inertial = *link.inertial;
    const Vector3 moments = description::principal_moments(inertial.inertia);
    const std::string subject = "link " + in_quotes(link.name);
    if (inertial.mass < 0.0) {
      report_unphysical(at_mass(link), body, subject + " has negative mass " + to_text(inertial.mass),
                        "write the mass in kilograms, at least 0");
    } else if (moments[0] < 0.0) {
      const std::string negative = subject + " has a negative principal moment of inertia ";
      const double scale = std::max(moments[2], description::moment_of_densest_ball(inertial.mass));
      if (moments[0] >= -rounding * scale)
        findings_.warning("inertia-rounding", at_inertia(link),
                          negative + "by rounding " + principal(moments),
                          "write zero, or more digits; it is used as written");
      else
        report_unphysical(at_inertia(link), body, negative + principal(moments),
                          "correct the inertia, which is taken about the centre of mass");
    } else if (inertial.inertia_line > 0) {  // else the reader said what it is taken for
      check_odd(link, subject, moments);
    }
  }

  /// Whether what carries the rotors has their inertia about their axes, and more.
  void check_rotors() {
    std::vector<Inertia> rest = each(tree_.bodies, [&](const Body& body) { return body.inertia; });
    for (const Rotor& rotor : tree_.rotors) {
      if (rotor.carrier < 0) continue;
      Inertia& left = rest[index(rotor.carrier)];
      const bool was_possible = is_possible(left, turnings_[index(rotor.carrier)]);
      left.J -= rotor.inertia * rotor.axis * rotor.axis.transpose();
      if (!was_possible || is_possible(left, turnings_[index(rotor.carrier)])) continue;
      const std::string joint = in_quotes(tree_.bodies[index(rotor.joint)].joint.name);
      refuse_unphysical({rotor.file, rotor.line, "robot/featherline_rotor " + joint},
                        "the rotor of joint " + joint + " has more inertia than what carries it (" +
                            in_quotes(tree_.bodies[index(rotor.carrier)].name) + ")",
                        "correct its inertia, or give its mass if the inertia of the link leaves it out");
    }
  }

 private:
  void report_unphysical(const Location& where, int body, const std::string& what,
                         const std::string& remedy) {
    const std::string excuse = why_possible(body);
    if (!excuse.empty()) {
      findings_.warning("unphysical-inertia", where, what + ", " + excuse,
                        "correct it; it is used as written");
    } else {
      refuse_unphysical(where, what, remedy);
    }
  }

  void refuse_unphysical(const Location& where, const std::string& what, const std::string& remedy) {
    if (allow_unphysical_) {
      findings_.warning("unphysical-inertia", where, what,
                        "correct it; it is used as written, and forward dynamics can be singular");
    } else {
      findings_.error(where, what,
                      remedy + ", or pass --allow unphysical-inertia to have it used as written");
    }
  }

  /// Why an impossible link makes no impossible robot; empty where it does.
  std::string why_possible(int body) const {
    if (body < 0) return "which nothing feels: the link is welded to the world";
    const std::size_t i = index(body);
    const Inertia& inertia = tree_.bodies[i].inertia;
    if (links_with_inertia_[i] > 1 && is_possible(inertia, {Turning::Axes::any, {}}))
      return "which the links welded to it outweigh";
    if (is_possible(inertia, turnings_[i])) return "which nothing feels: no joint turns the link that way";
    return {};
  }

  void check_odd(const description::Link& link, const std::string& subject, const Vector3& moments) {
    const description::Inertial& inertial = *link.inertial;
    if (inertial.mass_line > 0 && inertial.mass == 0.0 && moments[2] > 0.0) {
      findings_.warning("inertia-without-mass", at_mass(link),
                        subject + " has rotational inertia but no mass",
                        "write its mass, or zeros for the inertia too; it is used as written");
    }
    if (moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9)) {
      findings_.warning(
          "impossible-inertia", at_inertia(link),
          subject + " has an inertia that no body has, one principal moment above the sum of the other two " +
              principal(moments),
          "correct the inertia; it is used as written");
    } else if (inertial.mass > 0.0 && moments[0] == 0.0) {
      findings_.warning("zero-moment", at_inertia(link),
                        subject + " has a zero principal moment of inertia " + principal(moments),
                        "right for a point mass or a thin rod, otherwise correct the inertia");
    }
  }

  Location at_mass(const description::Link& link) const {
    return description::at(robot_, link, link.inertial->mass_line, "/inertial/mass");
  }
  Location at_inertia(const description::Link& link) const {
    return description::at(robot_, link, link.inertial->inertia_line, "/inertial/inertia");
  }

  const description::Description& robot_;
  const UserTree& tree_;
  bool allow_unphysical_;
  Diagnostics& findings_;
  std::vector<Turning> turnings_;
  std::vector<int> links_with_inertia_;  ///< by body
};

/// The moment about an axis through the origin, free of the round-off of merging. Negative ones, let pass by --allow,
/// resist.
bool no_moment_about(const Vector3& axis, const Matrix3& J) {
  return std::abs(axis.dot(J * axis)) <= 1e-14 * J.cwiseAbs().maxCoeff();
}

/// The body alone offers no resistance to some motion its joint allows.
bool gives_way(const Joint& joint, const Inertia& inertia) {
  const JointRow& row = joint.row();
  const bool no_mass = inertia.mass == 0.0;
  if (row.num_slides() > 0 && no_mass) return true;
  if (row.num_turns() == 0) return false;
  // What may also slide across its axis turns about its centre of mass.
  const Matrix3 J = row.num_slides() > 1 ? about_centre_of_mass(inertia) : inertia.J;
  if (row.num_turns() == 3) return (description::principal_moments(J).array() == 0.0).any();
  // Of several axes only the last stays where it is in the body.
  const auto last = std::find_if(row.motions.rbegin(), row.motions.rend(), std::mem_fn(&Motion::turns));
  return no_moment_about(joint.direction(last->along), J) && (no_mass || !row.needs_pitch());
}

}  // namespace

void check_inertias(const description::Description& robot, const UserTree& tree, bool allow_unphysical,
                    Diagnostics& findings) {
  InertiaCheck check(robot, tree, allow_unphysical, findings);
  for (std::size_t i = 0; i < robot.links.size(); ++i) check.check(robot.links[i], tree.links[i].body);
  check.check_rotors();
}

std::vector<MasslessJoint> find_massless_joints(const UserTree& tree) {
  const std::size_t count = tree.bodies.size();
  std::vector<bool> has_inertia(count), is_leaf(count, true);
  for (std::size_t i = count; i-- > 0;) {
    const Body& body = tree.bodies[i];
    has_inertia[i] = has_inertia[i] || body.inertia.mass != 0.0 || !body.inertia.J.isZero(0.0);
    if (body.parent < 0) continue;
    is_leaf[index(body.parent)] = false;
    if (has_inertia[i]) has_inertia[index(body.parent)] = true;
  }
  const auto has_armature = [&](const Joint& joint) {
    const auto turns = [&](const Rotor& rotor) { return &tree.bodies[index(rotor.joint)].joint == &joint; };
    return joint.armature > 0.0 || std::ranges::any_of(tree.rotors, turns) ||
           std::ranges::any_of(tree.tendons, [&](const Tendon& tendon) {
             return tendon.armature > 0.0 &&
                    std::ranges::count(tendon.ends, joint.idx_v, &TendonEnd::idx_v) > 0;
           });
  };
  // The massless joint that carries each body, so that a massless subtree is reported once with all its links.
  std::vector<int> group(count, -1);
  std::vector<MasslessJoint> found;
  for (std::size_t i = 0; i < count; ++i) {
    const Body& body = tree.bodies[i];
    if (body.parent >= 0 && group[index(body.parent)] >= 0) {
      group[i] = group[index(body.parent)];
      continue;
    }
    const bool weak = !has_inertia[i] || (is_leaf[i] && gives_way(body.joint, body.inertia));
    if (!weak || body.joint.mimics >= 0 || has_armature(body.joint)) continue;
    group[i] = static_cast<int>(found.size());
    found.push_back({static_cast<int>(i), {}});
  }
  for (std::size_t l = 0; l < tree.links.size(); ++l) {
    const int body = tree.links[l].body;
    if (body >= 0 && group[index(body)] >= 0)
      found[index(group[index(body)])].links.push_back(static_cast<int>(l));
  }
  return found;
}

void warn_massless(const UserTree& tree, Diagnostics& findings) {
  for (const MasslessJoint& massless : find_massless_joints(tree)) {
    const Joint& joint = tree.bodies[index(massless.body)].joint;
    std::vector<std::string> names =
        each(massless.links, [&](const int link) { return tree.links[index(link)].name; });
    findings.warning("massless-joint", {joint.file, joint.line, "robot/joint " + in_quotes(joint.name)},
                     "joint " + in_quotes(joint.name) + " moves without inertia (links " +
                         quoted_list(names) +
                         "): the mass matrix is singular, forward dynamics does not exist",
                     "give one of the links a mass and an inertia, give the joint an armature "
                     "(--joint-dynamics), or make it fixed");
  }
}

}  // namespace featherline::model
