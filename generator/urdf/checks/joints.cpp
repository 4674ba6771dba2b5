#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"
#include "urdf/number.hpp"

#include <Eigen/Geometry>

namespace featherline::urdf {
namespace {

class JointCheck {
 public:
  JointCheck(const Description& description, const Joint& joint, Diagnostics& diagnostics)
      : description_(description),
        joint_(joint),
        row_(model::row_of(joint.type)),
        diagnostics_(diagnostics),
        subject_("joint " + quoted(joint.name)) {}

  void check_limits() {
    const bool bounded = row_.position_limits == model::PositionLimits::required;
    if (!joint_.limits) {
      if (bounded) {
        warn(joint_.line, "", std::string(row_.name) + ' ' + subject_ + " has no <limit>",
             "add <limit lower=... upper=... velocity=... effort=.../>; it counts as unlimited");
      }
      return;
    }
    if (bounded) check_presence(*joint_.limits);
    check_order(*joint_.limits);
    check_sign(joint_.limits->velocity, "velocity limit", joint_.limits->line, "/limit");
    check_sign(joint_.limits->effort, "effort limit", joint_.limits->line, "/limit");
  }

  void check_dynamics() {
    if (!joint_.dynamics) return;
    check_sign(joint_.dynamics->damping, "damping", joint_.dynamics->line, "/dynamics");
    check_sign(joint_.dynamics->friction, "friction", joint_.dynamics->line, "/dynamics");
  }

  void check_axes() {
    if (row_.needs(model::Direction::axis) && joint_.axis_line == 0) {
      warn(joint_.line, "", subject_ + " has no <axis> and gets 1 0 0, as URDF has it", "write the axis");
    }
    if (row_.needs(model::Direction::axis2) && joint_.axis.cross(joint_.axis2).norm() < 1e-6) {
      diagnostics_.error(at(description_, joint_, joint_.extension_line, "/featherline_joint"),
                         std::string("the two axes of ") + row_.name + ' ' + subject_ + " are parallel",
                         "choose two different axes");
    }
  }

 private:
  void warn(int line, const char* below, std::string message, std::string remedy) {
    diagnostics_.warning(at(description_, joint_, line, below), std::move(message), std::move(remedy));
  }

  void check_presence(const Limits& limits) {
    if (limits.lower && limits.upper) return;
    const char* missing = limits.lower   ? "no upper limit"
                          : limits.upper ? "no lower limit"
                                         : "no lower and upper limit";
    warn(limits.line, "/limit", std::string(row_.name) + ' ' + subject_ + " has " + missing,
         "add it; it counts as unlimited, while other tools take 0");
  }

  void check_order(const Limits& limits) {
    if (!limits.lower || !limits.upper) return;
    const bool is_pointless = row_.position_limits == model::PositionLimits::without_effect;
    const std::string lower = to_text(*limits.lower), upper = to_text(*limits.upper);
    if (*limits.lower > *limits.upper) {
      warn(limits.line, "/limit",
           "the lower limit of " + subject_ + " is above its upper limit: " + lower + " and " + upper,
           "exchange or correct them; they are kept as written");
    } else if (is_pointless && *limits.lower < *limits.upper) {
      warn(limits.line, "/limit",
           std::string("the position limits of ") + row_.name + ' ' + subject_ + " have no effect",
           "remove them, or make the joint revolute");
    } else if (row_.nv() == 1 && !is_pointless && *limits.lower == *limits.upper) {
      warn(limits.line, "/limit", "the limits of " + subject_ + " leave no motion: both are " + lower,
           "correct them, or make the joint fixed");
    }
  }

  void check_sign(double value, const char* what, int line, const char* below) {
    if (value >= 0.0) return;
    warn(line, below, std::string("the ") + what + " of " + subject_ + " is negative: " + to_text(value),
         "write a value of at least 0; it is kept as written");
  }

  const Description& description_;
  const Joint& joint_;
  const model::JointRow& row_;
  Diagnostics& diagnostics_;
  std::string subject_;
};

}  // namespace

void check_joints(const Description& description, Diagnostics& diagnostics) {
  for (const Joint& joint : description.joints) {
    JointCheck check(description, joint, diagnostics);
    check.check_limits();
    check.check_dynamics();
    check.check_axes();
  }
}

}  // namespace featherline::urdf
