#include "joints/joint_table.hpp"

#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::model {
namespace {

using enum Coordinate;
using enum Direction;

constexpr Motion turn(Direction along) { return {Motion::Kind::turn, along}; }
constexpr Motion slide(Direction along) { return {Motion::Kind::slide, along}; }
constexpr Motion screw(Direction along) { return {Motion::Kind::screw, along}; }

}  // namespace

const std::vector<JointRow>& joint_table() {
  using Type = JointType;
  constexpr bool native = true, extension = false;
  constexpr auto required = PositionLimits::required, optional = PositionLimits::optional;
  // clang-format off
  static const std::vector<JointRow> table{
      {Type::fixed, native, {}, {}, Unidentifiable::nothing, optional},
      {Type::revolute, native, {angle}, {turn(axis)}, Unidentifiable::mass_and_moments_across, required},
      {Type::continuous, native, {angle}, {turn(axis)}, Unidentifiable::mass_and_moments_across,
       PositionLimits::without_effect},
      {Type::prismatic, native, {length}, {slide(axis)}, Unidentifiable::rotational_inertia, required},
      {Type::floating, native, {length, length, length, quaternion, quaternion, quaternion, quaternion},
       {slide(x), slide(y), slide(z), turn(x), turn(y), turn(z)}, Unidentifiable::nothing, optional},
      {Type::planar, native, {length, length, angle}, {slide(x), slide(y), turn(axis)}, Unidentifiable::nothing, optional},
      {Type::spherical, extension, {quaternion, quaternion, quaternion, quaternion}, {turn(x), turn(y), turn(z)},
       Unidentifiable::mass, optional},
      {Type::cylindrical, extension, {angle, length}, {turn(axis), slide(axis)}, Unidentifiable::nothing, optional},
      {Type::helical, extension, {angle}, {screw(axis)}, Unidentifiable::nothing, optional},
      {Type::universal, extension, {angle, angle}, {turn(axis), turn(axis2)}, Unidentifiable::nothing, optional},
  };
  // clang-format on
  return table;
}

int JointRow::num_turns() const { return static_cast<int>(std::ranges::count_if(motions, &Motion::turns)); }

int JointRow::num_slides() const { return nv() - num_turns(); }

bool JointRow::travels() const { return std::ranges::any_of(motions, &Motion::slides); }

bool JointRow::moves_on_axes() const {
  return std::ranges::all_of(motions, [](const Motion& m) { return m.along == axis || m.along == axis2; });
}

bool JointRow::needs(Direction direction) const {
  return std::ranges::any_of(motions, [&](const Motion& m) { return m.along == direction; });
}

bool JointRow::needs_pitch() const {
  return std::ranges::any_of(motions, [](const Motion& m) { return m.kind == Motion::Kind::screw; });
}

int JointRow::quaternion() const {
  const auto first = std::ranges::find(coordinates, Coordinate::quaternion);
  return first == coordinates.end() ? -1 : static_cast<int>(first - coordinates.begin());
}

int JointRow::angle() const {
  const auto first = std::ranges::find(coordinates, Coordinate::angle);
  return first == coordinates.end() || is_split() ? -1 : static_cast<int>(first - coordinates.begin());
}

const JointRow& row_of(JointType type) {
  for (const JointRow& row : joint_table()) {
    if (row.type == type) return row;
  }
  throw InternalError("a joint type without a row in the table");
}

const JointRow* find_joint_type(std::string_view name) {
  for (const JointRow& row : joint_table()) {
    if (row.name() == name) return &row;
  }
  return nullptr;
}

JointType type_with_one_axis(Motion::Kind kind) {
  for (const JointRow& row : joint_table()) {
    if (row.has_one_axis() && row.motions.front().kind == kind) return row.type;
  }
  throw InternalError("no joint type has this motion alone");
}

std::string joint_type_names(bool native) {
  std::vector<std::string> names;
  for (const JointRow& row : joint_table()) {
    if (row.native == native) names.emplace_back(row.name());
  }
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

}  // namespace featherline::model
