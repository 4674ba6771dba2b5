#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/number.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace featherline::urdf {
namespace {

constexpr double right_angle = 0.5 * std::numbers::pi;
/// 3.14 is 0.0016 from pi. Small angles are written on purpose more often, so less counts as near there.
constexpr double near = 2e-3, near_zero = 1e-5;
/// Below this the tree makes the rotation exact by itself (model::BuildOptions::default_snap_tolerance).
constexpr double exact = 5e-11;

/// Distance to the nearest multiple of 90 degrees.
double distance_to_right_angle(double angle) { return std::abs(std::remainder(angle, right_angle)); }

struct NearAngle {
  double angle = 0.0, distance = 0.0;
  int count = 0;
};

/// Angles that were meant as multiples of 90 degrees and are written with too few digits, by absolute value.
class NearAngles {
 public:
  void look_at(const Origin& origin) {
    for (const double angle : origin.rpy) {
      const double distance = distance_to_right_angle(angle);
      const double bound = std::abs(angle) < near ? near_zero : near;
      if (distance <= exact || distance >= bound) continue;
      NearAngle& entry = angles_[std::abs(angle)];
      entry = {std::abs(angle), distance, entry.count + 1};
      farthest_ = std::max(farthest_, distance);
      ++count_;
      first_line_ = first_line_ == 0 ? origin.line : std::min(first_line_, origin.line);
    }
  }

  void report(const Description& description, Diagnostics& diagnostics) const {
    if (count_ == 0) return;
    std::string list;
    std::size_t shown = 0;
    for (const auto& [angle, entry] : angles_) {
      if (++shown > 5) break;
      const std::string times = entry.count == 1 ? "once" : std::to_string(entry.count) + " times";
      list += (shown == 1 ? "" : ", ") + to_text(angle) + " (" + times + ", off by " +
              to_text(entry.distance, 2) + ')';
    }
    if (angles_.size() > 5) list += ", ...";
    // An entry of the rotation may collect the distances of three angles; one digit, rounded up.
    const double tolerance = 3.0 * farthest_, power = std::pow(10.0, std::floor(std::log10(tolerance)));
    diagnostics.warning({description.file, first_line_, "robot"},
                        "angles close to multiples of 90 degrees keep tiny rotations: " + list,
                        "write more digits, or pass --snap-angles " +
                            to_text(std::ceil(tolerance / power) * power, 1) + " to make them exact");
  }

 private:
  std::map<double, NearAngle> angles_;
  double farthest_ = 0.0;
  int count_ = 0, first_line_ = 0;
};

}  // namespace

void check_angles(const Description& description, Diagnostics& diagnostics) {
  NearAngles angles;
  for (const Link& link : description.links) {
    if (link.inertial) angles.look_at(link.inertial->origin);
  }
  for (const Joint& joint : description.joints) angles.look_at(joint.origin);
  angles.report(description, diagnostics);
}

}  // namespace featherline::urdf
