#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/number.hpp"
#include "urdf/principal_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace featherline::urdf {
namespace {

/// Bounds beyond which a value is more likely a mistaken unit than a robot. Cranes and excavators stay
/// inside.
constexpr double long_offset = 50.0;    // [m]
constexpr double unlimited = 1e4;       // [m]; what is larger stands for "no limit"
constexpr double heavy_link = 20000.0;  // [kg]
constexpr double wide_gyration = 20.0;  // radius of gyration [m]
constexpr double large_limit = 30.0;  // [rad]; whole numbers from here to `largest_degrees` look like degrees
constexpr double largest_degrees = 1080.0;  // [degrees]
constexpr double full_turn = 2.0 * std::numbers::pi;

/// Values that look like those of one mistake, with what they mean and what to do.
struct Suspicion {
  const char *consequence, *remedy;
};
constexpr Suspicion millimetres{"this looks like millimetres", "write metres"};
constexpr Suspicion degrees{"this looks like degrees", "write radians"};
constexpr Suspicion grams{"this looks like grams", "write kilograms"};
constexpr Suspicion far{"far outside of the robot", "write it in metres, in the link's own frame"};
constexpr Suspicion large{"the inertia looks like kg mm^2 or g m^2", "write kg m^2"};
constexpr Suspicion dense{"a ball of osmium has more; mass or inertia is in another unit or a placeholder",
                          "write kg and kg m^2"};

bool is_whole(double value) { return value == std::round(value); }

bool looks_like_degrees(const std::optional<double>& limit) {
  return limit && std::abs(*limit) >= large_limit && std::abs(*limit) <= largest_degrees && is_whole(*limit);
}

class UnitCheck {
 public:
  UnitCheck(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics) {
    for (const Joint& joint : description.joints) reach_ = std::max(reach_, joint.origin.xyz.norm());
  }

  void look_at(const Joint& joint) {
    const double length = joint.origin.xyz.norm();
    const std::string subject = "joint " + quoted(joint.name);
    if (length > long_offset) {
      add(millimetres, at(description_, joint, joint.origin.line, "/origin"),
          subject + " is " + to_text(length, 4) + " m from its parent");
    }
    look_at_angles(joint.origin, at(description_, joint, joint.origin.line, "/origin"), subject);
    if (!joint.limits) return;
    const Limits& limits = *joint.limits;
    const model::JointRow& row = model::row_of(joint.type);
    const bool bounded = row.position_limits == model::PositionLimits::required, turns = row.num_turns() > 0;
    if (bounded && turns && (looks_like_degrees(limits.lower) || looks_like_degrees(limits.upper))) {
      add(degrees, at(description_, joint, limits.line, "/limit"),
          subject + " is limited to " + to_text(limits.lower.value_or(0.0)) + " ... " +
              to_text(limits.upper.value_or(0.0)) + " rad");
    }
    const double travel =
        std::max(std::abs(limits.lower.value_or(0.0)), std::abs(limits.upper.value_or(0.0)));
    if (bounded && !turns && travel > long_offset && travel < unlimited) {
      add(millimetres, at(description_, joint, limits.line, "/limit"),
          subject + " travels up to " + to_text(travel) + " m");
    }
  }

  void look_at(const Link& link) {
    if (!link.inertial) return;
    const Inertial& inertial = *link.inertial;
    const std::string subject = "link " + quoted(link.name);
    look_at_angles(inertial.origin, at(description_, link, inertial.origin.line, "/inertial/origin"),
                   subject);
    const double distance = inertial.origin.xyz.norm();
    if (inertial.mass > 0.0 && distance > std::max(1.0, 5.0 * reach_)) {
      add(far, at(description_, link, inertial.origin.line, "/inertial/origin"),
          "the centre of mass of " + subject + " is " + to_text(distance, 4) + " m from the link frame");
    }
    const bool heavy = inertial.mass > heavy_link;
    if (heavy) {
      add(grams, at(description_, link, inertial.mass_line, "/inertial/mass"),
          subject + " has a mass of " + to_text(inertial.mass) + " kg");
    }
    if (!heavy) look_at_size(link, inertial, subject);
  }

 private:
  void add(const Suspicion& suspicion, const Location& where, const std::string& what) {
    diagnostics_.warning(where, what + ": " + suspicion.consequence, suspicion.remedy);
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

}  // namespace

void check_units(const Description& description, Diagnostics& diagnostics) {
  UnitCheck check(description, diagnostics);
  for (const Link& link : description.links) check.look_at(link);
  for (const Joint& joint : description.joints) check.look_at(joint);
}

}  // namespace featherline::urdf
