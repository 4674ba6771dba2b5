#include "description/checks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace featherline::description {
namespace {

/// Beyond these bounds a value is more likely to be a wrong unit than a real robot. Cranes and excavators stay within
/// them.
constexpr double long_offset = 50.0;    // [m]
constexpr double unlimited = 1e4;       // [m]; a larger value stands for "no limit"
constexpr double heavy_link = 20000.0;  // [kg]
constexpr double wide_gyration = 20.0;  // radius of gyration [m]
constexpr double large_limit = 30.0;  // [rad]; whole numbers from here to `largest_degrees` look like degrees
constexpr double largest_degrees = 1080.0;  // [degrees]
constexpr double full_turn = 2.0 * std::numbers::pi;

/// Values that look like the result of one mistake, with what they mean and what to do.
struct Suspicion {
  Finding finding;
  const char *consequence, *remedy;
};
constexpr Suspicion millimetres{"looks-like-millimetres", "this looks like millimetres", "write metres"};
constexpr Suspicion degrees{"looks-like-degrees", "this looks like degrees", "write radians"};
constexpr Suspicion grams{"looks-like-grams", "this looks like grams", "write kilograms"};
constexpr Suspicion far{"far-center-of-mass", "far outside of the robot",
                        "write it in metres, in the link's own frame"};
constexpr Suspicion large{"large-inertia", "the inertia looks like kg mm^2 or g m^2", "write kg m^2"};
constexpr Suspicion dense{"dense-link",
                          "a ball of osmium has more; mass or inertia is in another unit or a placeholder",
                          "write kg and kg m^2"};

bool looks_like_degrees(double limit) {
  return std::abs(limit) >= large_limit && std::abs(limit) <= largest_degrees && limit == std::round(limit);
}

class UnitCheck {
 public:
  UnitCheck(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {
    for (const Joint& joint : description.joints) reach_ = std::max(reach_, joint.origin.xyz.norm());
  }

  void look_at(const Joint& joint) {
    const std::string subject = "joint " + in_quotes(joint.name);
    look_at(joint.origin, at(description_, joint, joint.origin.line, "/origin"), subject, "its parent");
    const bool bounded = model::row_of(joint.type).position_limits == model::PositionLimits::required;
    if (!joint.limits || !bounded) return;
    const Location where = at(description_, joint, joint.limits->line, "/limit");
    const double lower = joint.limits->lower.value_or(0.0), upper = joint.limits->upper.value_or(0.0),
                 travel = std::max(std::abs(lower), std::abs(upper));
    const bool turns = model::row_of(joint.type).num_turns() > 0;
    if (turns && (looks_like_degrees(lower) || looks_like_degrees(upper)))
      add(degrees, where, subject + " is limited to " + to_text(lower) + " ... " + to_text(upper) + " rad");
    if (!turns && travel > long_offset && travel < unlimited)
      add(millimetres, where, subject + " travels up to " + to_text(travel) + " m");
  }

  void look_at(const Constraint& constraint) {
    const std::string subject = "constraint " + in_quotes(constraint.name);
    for (const ConstraintEnd& end : constraint.ends)
      look_at(end.origin, at(description_, constraint, end.line), subject, "link " + in_quotes(end.link));
  }

  void look_at(const Link& link) {
    if (!link.inertial) return;
    const Inertial& inertial = *link.inertial;
    const std::string subject = "link " + in_quotes(link.name);
    look_at_angles(inertial.origin, at(description_, link, inertial.origin.line, "/inertial/origin"),
                   subject);
    const double distance = inertial.origin.xyz.norm();
    if (inertial.mass > 0.0 && distance > std::max(1.0, 5.0 * reach_)) {
      add(far, at(description_, link, inertial.origin.line, "/inertial/origin"),
          "the centre of mass of " + subject + " is " + to_text(distance, 4) + " m from the link frame");
    }
    if (inertial.mass > heavy_link) {
      add(grams, at(description_, link, inertial.mass_line, "/inertial/mass"),
          subject + " has a mass of " + to_text(inertial.mass) + " kg");
    } else {
      look_at_size(link, inertial, subject);
    }
  }

 private:
  void add(const Suspicion& suspicion, const Location& where, const std::string& what) {
    diagnostics_.warning(suspicion.finding, where, what + ": " + suspicion.consequence, suspicion.remedy);
  }

  void look_at(const Origin& origin, const Location& where, const std::string& subject,
               const std::string& from) {
    const double length = origin.xyz.norm();
    if (length > long_offset)
      add(millimetres, where, subject + " is " + to_text(length, 4) + " m from " + from);
    look_at_angles(origin, where, subject);
  }

  void look_at_angles(const Origin& origin, const Location& where, const std::string& subject) {
    const double angle = origin.rpy.cwiseAbs().maxCoeff();
    if (angle > full_turn + 1e-3) add(degrees, where, subject + " is turned by " + to_text(angle) + " rad");
  }

  void look_at_size(const Link& link, const Inertial& inertial, const std::string& subject) {
    const double moment = principal_moments(inertial.inertia)[2];
    if (!(inertial.mass > 0.0) || !(moment > 0.0)) return;
    const double radius = std::sqrt(moment / inertial.mass);
    const Location where = at(description_, link, inertial.inertia_line, "/inertial/inertia");
    if (radius > wide_gyration) {
      add(large, where, subject + " has a radius of gyration of " + to_text(radius, 4) + " m");
    } else if (moment < 0.1 * moment_of_densest_ball(inertial.mass)) {
      add(dense, where,
          subject + " has " + to_text(inertial.mass) + " kg and a largest moment of inertia of " +
              to_text(moment, 4) + " kg m^2");
    }
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  double reach_ = 0.0;  ///< longest joint offset of the robot [m]
};

constexpr double right_angle = 0.5 * std::numbers::pi;
/// 3.14 is 0.0016 from pi. Small angles are more often written on purpose. So near zero the bound is smaller.
constexpr double near = 2e-3, near_zero = 1e-5;
/// Up to this distance the tree makes the rotation exact by itself (model::BuildOptions::default_snap_tolerance).
constexpr double exact = 5e-11;

struct NearAngle {
  double distance = 0.0;
  int count = 0;
};

/// Angles that were probably meant as multiples of 90 degrees but have too few digits. Their absolute values are kept.
class NearAngles {
 public:
  NearAngles(const Description& description, double snap_tolerance) {
    for (const Link& link : description.links) {
      if (link.inertial) look_at(link.inertial->origin, snap_tolerance);
    }
    for (const Joint& joint : description.joints) look_at(joint.origin, snap_tolerance);
    for (const Constraint& constraint : description.constraints) {
      for (const ConstraintEnd& end : constraint.ends) look_at(end.origin, snap_tolerance);
    }
  }

  bool has_some() const { return !angles_.empty(); }

  /// Makes all of them exact: an entry of the rotation may add up the distances of three angles. Rounded up to one
  /// digit.
  double sufficient_tolerance() const {
    const double tolerance = 3.0 * farthest_, power = std::pow(10.0, std::floor(std::log10(tolerance)));
    return std::ceil(tolerance / power) * power;
  }

  void report(const Description& description, Diagnostics& diagnostics) const {
    std::vector<std::string> list;
    for (const auto& [angle, entry] : angles_) {
      const std::string times = entry.count == 1 ? "once" : std::to_string(entry.count) + " times";
      list.push_back(to_text(angle) + " (" + times + ", off by " + to_text(entry.distance, 2) + ')');
    }
    diagnostics.warning("near-right-angle", {description.file, first_line_, "robot"},
                        "angles close to multiples of 90 degrees keep tiny rotations: " + first_of(list, 5),
                        "write more digits, or pass --snap-angles " + to_text(sufficient_tolerance(), 1) +
                            " to make them exact");
  }

 private:
  void look_at(const Origin& origin, double snap_tolerance) {
    const std::vector<double> angles = angles_of(origin);
    double sum = 0.0;
    for (const double angle : angles) sum += near_distance(angle);
    if (sum <= snap_tolerance) return;
    for (const double angle : angles) {
      const double distance = near_distance(angle);
      if (distance == 0.0) continue;
      NearAngle& entry = angles_[std::abs(angle)];
      entry = {distance, entry.count + 1};
      farthest_ = std::max(farthest_, distance);
      first_line_ = first_line_ == 0 ? origin.line : std::min(first_line_, origin.line);
    }
  }
  /// Roll, pitch and yaw. In place of those of a quaternion: the largest tiny angle between an axis of the child and a
  /// plane of the parent, which is what remains of a quarter turn with too few digits.
  static std::vector<double> angles_of(const Origin& origin) {
    if (!origin.quat_xyzw) return {origin.rpy.begin(), origin.rpy.end()};
    const Eigen::Matrix3d R = rotation(origin).cwiseAbs();
    return {(R.array() < near_zero).select(R, 0.0).maxCoeff()};
  }
  /// 0 for an angle that is exact, or not near.
  static double near_distance(double angle) {
    const double distance = std::abs(std::remainder(angle, right_angle));
    const double bound = std::abs(angle) < near ? near_zero : near;
    return distance <= exact || distance >= bound ? 0.0 : distance;
  }

  std::map<double, NearAngle> angles_;
  double farthest_ = 0.0;
  int first_line_ = 0;
};

}  // namespace

void check_units(const Description& description, Diagnostics& diagnostics) {
  UnitCheck check(description, diagnostics);
  for (const Link& link : description.links) check.look_at(link);
  for (const Joint& joint : description.joints) check.look_at(joint);
  for (const Constraint& constraint : description.constraints) check.look_at(constraint);
}

void check_angles(const Description& description, double snap_tolerance, Diagnostics& diagnostics) {
  const NearAngles angles(description, snap_tolerance);
  if (angles.has_some()) angles.report(description, diagnostics);
}

std::string tolerance_for_exact_turns(const Description& description) {
  const NearAngles angles(description, 0.0);
  return angles.has_some() ? to_text(angles.sufficient_tolerance(), 1) : "1e-9";
}

}  // namespace featherline::description
