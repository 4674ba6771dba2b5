#include "formats/urdf/urdf.hpp"

#include <optional>
#include <vector>

namespace featherline::urdf {
namespace {

/// The six independent entries. An absent moment is an error, because "zero" would be a guess. Absent products are
/// zero: the body's axes are then its principal axes.
std::optional<Eigen::Matrix3d> read_inertia(const XMLElement& element, ElementReader& reader) {
  struct Entry {
    const char* attribute;
    int row, column;
  };
  static constexpr Entry entries[] = {{"ixx", 0, 0}, {"ixy", 0, 1}, {"ixz", 0, 2},
                                      {"iyy", 1, 1}, {"iyz", 1, 2}, {"izz", 2, 2}};
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  bool complete = true;
  std::vector<std::string> absent;
  for (const Entry& entry : entries) {
    if (entry.row != entry.column && element.FindAttribute(entry.attribute) == nullptr) {
      absent.push_back(in_quotes(entry.attribute));
      continue;
    }
    const auto value = reader.required_number(element, entry.attribute);
    complete = complete && value.has_value();
    inertia(entry.row, entry.column) = inertia(entry.column, entry.row) = value.value_or(0.0);
  }
  if (!absent.empty()) {
    reader.warning("missing-products", element,
                   describe(element) + " has no " + join(absent) + ", taken as 0",
                   "add them; other tools may refuse the file");
  }
  return complete ? std::optional(inertia) : std::nullopt;
}

Inertial read_inertial(const XMLElement& element, ElementReader& reader) {
  Inertial inertial;
  inertial.line = element.GetLineNum();
  inertial.origin = read_origin(element, reader);
  if (const XMLElement* mass = reader.only_child(element, "mass")) {
    if (const auto value = reader.required_number(*mass, "value")) {
      inertial.mass = *value;
      inertial.mass_line = mass->GetLineNum();
    }
  } else {
    reader.warning("missing-mass", element, describe(element) + " has no <mass>, taken as 0",
                   "add <mass value=\"...\"/> in kilograms");
  }
  if (const XMLElement* inertia = reader.only_child(element, "inertia")) {
    if (const auto value = read_inertia(*inertia, reader)) {
      inertial.inertia = *value;
      inertial.inertia_line = inertia->GetLineNum();
    }
  } else {
    reader.warning("missing-inertia", element,
                   describe(element) + " has no <inertia>, taken as that of a point mass",
                   "add <inertia ixx=... ixy=... ixz=... iyy=... iyz=... izz=.../> in kg m^2");
  }
  return inertial;
}

}  // namespace

Link read_link(const XMLElement& element, ElementReader& reader) {
  Link link;
  link.line = element.GetLineNum();
  link.name = reader.name(element, "name").value_or("");
  if (const XMLElement* inertial = reader.only_child(element, "inertial")) {
    link.inertial = read_inertial(*inertial, reader);
  }
  return link;
}

Origin read_pose(const XMLElement& element, ElementReader& reader) {
  constexpr const char* quaternion = "quat_xyzw";
  Origin origin;
  origin.line = element.GetLineNum();
  origin.xyz = reader.numbers<3>(element, "xyz").value_or(origin.xyz);
  origin.rpy = reader.numbers<3>(element, "rpy").value_or(origin.rpy);
  if (element.FindAttribute(quaternion) != nullptr && element.FindAttribute("rpy") != nullptr)
    reader.error(element, describe(element) + " has rpy and quat_xyzw", "keep one of them");
  if (const auto read = reader.numbers<4>(element, quaternion)) {
    const Eigen::Vector4d q =
        normalised(*read, std::string(quaternion) + " of " + describe(element), element, reader);
    origin.quat_xyzw = {q[0], q[1], q[2], q[3]};
  }
  return origin;
}

Origin read_origin(const XMLElement& parent, ElementReader& reader) {
  const XMLElement* element = reader.only_child(parent, "origin");
  return element == nullptr ? Origin{} : read_pose(*element, reader);
}

}  // namespace featherline::urdf
