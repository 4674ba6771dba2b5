#pragma once

#include "formats/format.hpp"
#include "support/text.hpp"

#include <cmath>
#include <string>

/// The reader of URDF. See README.md.
namespace featherline::urdf {

using namespace description;
using namespace formats;

/// The read function of the format (formats::Format).
void read(const XMLElement& robot, const std::string& text, UnknownWords unknown, Description& description,
          ElementReader& reader);

Link read_link(const XMLElement& element, ElementReader& reader);
Joint read_joint(const XMLElement& element, ElementReader& reader);
Constraint read_constraint(const XMLElement& element, ElementReader& reader);
Rotor read_rotor(const XMLElement& element, ElementReader& reader);

/// Whether a <transmission> says what rotor it has. Drake reads that; ros_control has the gear alone.
bool has_rotor_inertia(const XMLElement& transmission);
/// Adds the rotor's inertia, seen from the joint, to the armature of the joint, which must have been read.
void read_transmission(const XMLElement& element, Description& robot, ElementReader& reader);

/// Lets urdfdom, the parser of the ROS tools, read the same text. Warns if urdfdom refuses the file or sees another
/// robot, because other tools will then disagree with what we generate. Call it only for a description without errors.
/// Skips a file that is so large that urdfdom's recursive clean-up would not survive it. Nothing from urdfdom enters
/// the description, because urdfdom turns malformed numbers into zeros and forgets the order.
void cross_check(const std::string& text, const Description& description, Diagnostics& diagnostics);

// Vectors of unit length and poses, which all parts of a URDF share.

/// Scales an axis, or a quaternion, to unit length. Zero is an error. A visible change of length is a warning.
/// `subject` is its name in the message.
template <class Vector>
Vector normalised(const Vector& read, const std::string& subject, const XMLElement& element,
                  ElementReader& reader) {
  const bool is_axis = Vector::SizeAtCompileTime == 3;
  const std::string unit = is_axis ? "write a unit vector" : "write a unit quaternion";
  // Uses stableNorm because the entries may be as small or large as a double allows.
  const double length = read.stableNorm();
  if (!(length > 0.0)) {
    reader.error(element, subject + " is zero", unit + " such as " + (is_axis ? "0 0 1" : "0 0 0 1"));
    return Vector::Unit(0);
  }
  if (std::abs(length - 1.0) > 1e-6)
    reader.warning(is_axis ? Finding("axis-scaled") : Finding("quaternion-scaled"), element,
                   subject + " has length " + to_text(length, 6) + " and is scaled to 1", unit);
  const Vector scaled = read / read.cwiseAbs().maxCoeff();
  return length == 1.0 ? read : Vector(scaled / scaled.norm());
}

/// The attributes xyz, and rpy or quat_xyzw, which URDF 1.1 has.
Origin read_pose(const XMLElement& element, ElementReader& reader);

/// `<origin>` below `parent`; the identity if there is none.
Origin read_origin(const XMLElement& parent, ElementReader& reader);

}  // namespace featherline::urdf
