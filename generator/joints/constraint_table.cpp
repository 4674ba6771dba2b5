#include "joints/constraint_table.hpp"

#include <stdexcept>

namespace featherline::model {

const std::vector<ConstraintKind>& constraint_kinds() {
  using Type = ConstraintType;
  static const std::vector<ConstraintKind> kinds{
      {Type::contact_point, "contact_point", "point", 3, 1, false, false, true, true, 2,
       "velocity of the frame's origin, in the axes of the world"},
      {Type::contact_weld, "contact_weld", "weld", 6, 1, false, false, true, true, 2,
       "velocity of the frame's origin, then angular velocity, in the axes of the world"},
      {Type::contact_normal, "contact_normal", "normal", 1, 1, true, false, true, false, 0,
       "velocity of the frame's origin along the axis that --contacts gives (z of the world if none)"},
      {Type::contact_friction, "contact_friction", "friction", 2, 1, true, false, true, false, -1,
       "velocity of the frame's origin along two directions across this axis: x and y for z, else the "
       "coordinate axis after the largest entry of the axis, in the cycle x y z, made perpendicular; then "
       "axis x the first"},
      {Type::contact_sphere, "contact_sphere", "sphere", 3, 1, false, true, true, true, 2,
       "velocity of the sphere's point that is nearest to the ground, in the axes of the world"},
      {Type::loop_point, "loop_point", "point", 3, 2, false, false, false, false, -1,
       "velocity of the second frame's origin as seen from the first frame, in its axes"},
      {Type::loop_axis, "loop_axis", "axis", 5, 2, true, false, false, false, -1,
       "velocity of the second frame's origin as seen from the first frame, in its axes, of which z is the "
       "axis; then x and y of the angular velocity of the second frame relative to the first"},
      {Type::loop_weld, "loop_weld", "weld", 6, 2, false, false, false, false, -1,
       "velocity of the second frame's origin as seen from the first frame, in its axes; then angular "
       "velocity of the second frame relative to the first, in the same axes"},
      {Type::rolling, "rolling", "rolling", 3, 1, true, true, false, false, 2,
       "velocity of the wheel's lowest point: forward (axle x up), sideways (up x forward), up (z of the "
       "world)"},
      {Type::no_sliding, "no_sliding", "no_sliding", 1, 1, true, false, false, false, -1,
       "velocity of the frame's origin along its axis"},
      {Type::coupling, "coupling", "coupling", 1, 0, false, false, false, false, -1,
       "sum over its joints of coefficient times velocity"},
  };
  return kinds;
}

const ConstraintKind& kind_of(ConstraintType type) {
  for (const ConstraintKind& kind : constraint_kinds()) {
    if (kind.type == type) return kind;
  }
  throw std::logic_error("a constraint of no kind");
}

bool may_open(ConstraintType type) {
  return type == ConstraintType::contact_point || type == ConstraintType::contact_sphere;
}

const ConstraintKind* find_constraint_kind(const std::string& urdf_word, bool is_contact) {
  for (const ConstraintKind& kind : constraint_kinds()) {
    if (kind.is_contact == is_contact && kind.urdf_word == urdf_word) return &kind;
  }
  return nullptr;
}

std::vector<std::string> constraint_words(bool is_contact) {
  std::vector<std::string> words;
  for (const ConstraintKind& kind : constraint_kinds()) {
    if (kind.is_contact == is_contact) words.emplace_back(kind.urdf_word);
  }
  return words;
}

}  // namespace featherline::model
