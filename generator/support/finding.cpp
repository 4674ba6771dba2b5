#include "support/finding.hpp"

#include <cstddef>

namespace featherline {

const std::vector<FindingRow>& findings_table() {
  static const std::vector<FindingRow> table{
      {Finding::unnamed_robot, "unnamed-robot", "the robot has no name and is called \"robot\""},
      {Finding::undeclared_world, "undeclared-world", "the link \"world\" is used and not declared"},
      {Finding::second_element, "second-element", "an element occurs twice, and the first counts"},
      {Finding::commas, "commas", "there are commas between numbers"},
      {Finding::unknown_attribute, "unknown-attribute",
       "an attribute, element or text that URDF does not have is ignored"},
      {Finding::axis_scaled, "axis-scaled", "an axis is scaled to length 1"},
      {Finding::quaternion_scaled, "quaternion-scaled", "a quaternion is scaled to length 1"},
      {Finding::missing_products, "missing-products", "products of inertia are missing and taken as 0"},
      {Finding::missing_mass, "missing-mass", "a mass is missing and taken as 0"},
      {Finding::missing_inertia, "missing-inertia",
       "an inertia is missing and taken as that of a point mass"},
      {Finding::zero_pitch, "zero-pitch", "a screw has pitch 0"},
      {Finding::foreign_joint_type, "foreign-joint-type",
       "a type of joint that URDF lacks stands where URDF's own stand"},
      {Finding::spaces_in_name, "spaces-in-name", "a name begins or ends with a space"},
      {Finding::long_name, "long-name", "a name is longer than 255 bytes"},
      {Finding::missing_axis, "missing-axis", "a joint has no axis and gets 1 0 0"},
      {Finding::missing_limit, "missing-limit", "a joint has no limit, or not both"},
      {Finding::useless_limit, "useless-limit", "limits have no effect on a joint of this type"},
      {Finding::limits_exchanged, "limits-exchanged", "the lower limit is above the upper one"},
      {Finding::limits_equal, "limits-equal", "the limits leave no motion"},
      {Finding::negative_value, "negative-value", "a limit, damping or friction is negative"},
      {Finding::looks_like_millimetres, "looks-like-millimetres", "a length looks like millimetres"},
      {Finding::looks_like_degrees, "looks-like-degrees", "an angle looks like degrees"},
      {Finding::looks_like_grams, "looks-like-grams", "a mass looks like grams"},
      {Finding::far_center_of_mass, "far-center-of-mass", "a centre of mass lies far outside of the robot"},
      {Finding::large_inertia, "large-inertia", "an inertia looks like kg mm^2 or g m^2"},
      {Finding::dense_link, "dense-link", "a link is denser than any material"},
      {Finding::near_right_angle, "near-right-angle", "angles are close to quarter turns, but not exact"},
      {Finding::snapped_angle, "snapped-angle", "--snap-angles changed an orientation"},
      {Finding::urdfdom_refuses, "urdfdom-refuses", "urdfdom, the parser of the ROS tools, refuses the file"},
      {Finding::urdfdom_differs, "urdfdom-differs", "urdfdom sees another robot"},
      {Finding::inertia_rounding, "inertia-rounding",
       "a principal moment of inertia is negative by rounding"},
      {Finding::unphysical_inertia, "unphysical-inertia",
       "a negative mass or moment of inertia is used as written"},
      {Finding::inertia_without_mass, "inertia-without-mass", "a link has rotational inertia but no mass"},
      {Finding::impossible_inertia, "impossible-inertia",
       "one principal moment is above the sum of the other two"},
      {Finding::zero_moment, "zero-moment", "a principal moment of inertia is zero"},
      {Finding::massless_joint, "massless-joint", "a joint moves without inertia"},
      {Finding::mimic_of_fixed_joint, "mimic-of-fixed-joint",
       "a fixed joint mimics another, which is ignored"},
      {Finding::mimic_of_zero, "mimic-of-zero", "a joint mimics another with multiplier 0"},
      {Finding::lock_outside_limits, "lock-outside-limits", "a joint is locked outside its limits"},
      {Finding::no_inverse, "no-inverse", "functions that need the inverse of the mass matrix are left out"},
      {Finding::no_mass, "no-mass", "functions that need a centre of mass are left out"},
      {Finding::forces_left_out, "forces-left-out",
       "functions that cannot take external forces are left out"},
      {Finding::large_left_out, "large-left-out", "functions are left out for a large robot"},
      {Finding::unused_constraints, "unused-constraints",
       "constraints of the URDF have no effect on the functions asked for"},
      {Finding::dependent_constraints, "dependent-constraints",
       "rows of constraints depend on rows before them"},
      {Finding::renamed, "renamed", "--name cannot name a C++ namespace, and another name is used"},
      {Finding::choices_version, "choices-version", "--choices were made by another version"},
      {Finding::choices_machine, "choices-machine", "--choices were measured on another machine"},
  };
  return table;
}

const std::string& name_of(Finding finding) {
  return findings_table()[static_cast<std::size_t>(finding)].name;
}

}  // namespace featherline
