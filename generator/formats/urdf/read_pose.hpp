#pragma once

#include "formats/urdf/urdf.hpp"
#include "support/text.hpp"

#include <cmath>
#include <string>

/// Vectors of unit length and poses, which all parts of a URDF share.
namespace featherline::urdf {

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
