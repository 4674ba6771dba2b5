#pragma once

#include <string_view>

namespace featherline {

struct FindingRow {
  std::string_view name, meaning;
};

/// Everything that can be warned about. Users know it by its name and accept it by that (--accept), so names stay. The
/// guide (runtime/guide/robots.md) has the same table.
inline constexpr FindingRow findings_table[] = {
    {"unnamed-robot", "the robot has no name and is called \"robot\""},
    {"undeclared-world", "the link \"world\" is used and not declared"},
    {"second-element", "an element occurs twice, and the first counts"},
    {"commas", "there are commas between numbers"},
    {"unknown-attribute", "an attribute, element or text that the format does not have is ignored"},
    {"axis-scaled", "an axis is scaled to length 1"},
    {"quaternion-scaled", "a quaternion is scaled to length 1"},
    {"missing-products", "products of inertia are missing and taken as 0"},
    {"missing-mass", "a mass is missing and taken as 0"},
    {"missing-inertia", "an inertia is missing and taken as that of a point mass"},
    {"zero-pitch", "a screw has pitch 0"},
    {"foreign-joint-type", "a type of joint that URDF lacks stands where URDF's own stand"},
    {"spaces-in-name", "a name begins or ends with a space"},
    {"long-name", "a name is longer than 255 bytes"},
    {"missing-axis", "a joint has no axis and gets 1 0 0"},
    {"missing-limit", "a joint has no limit, or not both"},
    {"useless-limit", "limits have no effect on a joint of this type"},
    {"limits-exchanged", "the lower limit is above the upper one"},
    {"limits-equal", "the limits leave no motion"},
    {"negative-value", "a limit, damping or friction is negative"},
    {"looks-like-millimetres", "a length looks like millimetres"},
    {"looks-like-degrees", "an angle looks like degrees"},
    {"looks-like-grams", "a mass looks like grams"},
    {"far-center-of-mass", "a centre of mass lies far outside of the robot"},
    {"large-inertia", "an inertia looks like kg mm^2 or g m^2"},
    {"dense-link", "a link is denser than any material"},
    {"near-right-angle", "angles are close to quarter turns, but not exact"},
    {"snapped-angle", "--snap-angles changed an orientation"},
    {"urdfdom-refuses", "urdfdom, the parser of the ROS tools, refuses the file"},
    {"urdfdom-differs", "urdfdom sees another robot"},
    {"inertia-rounding", "a principal moment of inertia is negative by rounding"},
    {"unphysical-inertia", "a negative mass or moment of inertia is used as written"},
    {"inertia-without-mass", "a link has rotational inertia but no mass"},
    {"impossible-inertia", "one principal moment is above the sum of the other two"},
    {"zero-moment", "a principal moment of inertia is zero"},
    {"missing-mesh", "a body that stands still has its mass from a mesh that cannot be read"},
    {"massless-joint", "a joint moves without inertia"},
    {"mimic-of-fixed-joint", "a fixed joint mimics another, which is ignored"},
    {"mimic-of-zero", "a joint mimics another with multiplier 0"},
    {"lock-outside-limits", "a joint is locked outside its limits"},
    {"no-inverse", "functions that need the inverse of the mass matrix are left out"},
    {"no-mass", "functions that need a centre of mass are left out"},
    {"forces-left-out", "functions that cannot take external forces are left out"},
    {"geometry-left-out", "functions that cannot take placements and gears as inputs are left out"},
    {"large-left-out", "functions are left out for a large robot"},
    {"unused-constraints", "constraints of the robot's file have no effect on the functions asked for"},
    {"half-turn", "a coupling jumps where an angle that follows from a loop passes half a turn"},
    {"dependent-constraints", "rows of constraints depend on rows before them"},
    {"renamed", "--name cannot name a C++ namespace, and another name is used"},
    {"choices-version", "--choices were made by another version"},
    {"choices-machine", "--choices were measured on another machine"},
};

/// One of the names of the table: the compiler refuses others.
struct Finding {
  consteval Finding(const char* wanted) : name(wanted) {
    bool is_there = false;
    for (const FindingRow& row : findings_table) is_there = is_there || row.name == name;
    if (!is_there) throw "there is no finding of this name";
  }
  std::string_view name;
};

}  // namespace featherline
