#pragma once

#include <string>
#include <vector>

namespace featherline {

/// Everything that can be warned about. Users know a finding by its name and accept it by that (--accept), so names
/// stay.
enum class Finding {
  unnamed_robot,
  undeclared_world,
  second_element,
  commas,
  unknown_attribute,
  axis_scaled,
  quaternion_scaled,
  missing_products,
  missing_mass,
  missing_inertia,
  zero_pitch,
  foreign_joint_type,
  spaces_in_name,
  long_name,
  missing_axis,
  missing_limit,
  useless_limit,
  limits_exchanged,
  limits_equal,
  negative_value,
  looks_like_millimetres,
  looks_like_degrees,
  looks_like_grams,
  far_center_of_mass,
  large_inertia,
  dense_link,
  near_right_angle,
  snapped_angle,
  urdfdom_refuses,
  urdfdom_differs,
  inertia_rounding,
  unphysical_inertia,
  inertia_without_mass,
  impossible_inertia,
  zero_moment,
  massless_joint,
  mimic_of_fixed_joint,
  mimic_of_zero,
  lock_outside_limits,
  no_inverse,
  no_mass,
  forces_left_out,
  large_left_out,
  unused_constraints,
  dependent_constraints,
  renamed,
  choices_version,
  choices_machine,
};

struct FindingRow {
  Finding finding;
  std::string name, meaning;
};

/// One row for each finding, in their order. The guide (runtime/guide/robots.md) has the same table.
const std::vector<FindingRow>& findings_table();

const std::string& name_of(Finding finding);

}  // namespace featherline
