#include "urdf/joint_types.hpp"

#include "support/diagnostic.hpp"

#include <array>

namespace featherline::urdf {
namespace {

struct TypeRow {
  JointType type;
  const char* name;
  bool native;
  bool uses_axis;
  int dof;
};

constexpr std::array<TypeRow, 10> table = {{
    {JointType::fixed, "fixed", true, false, 0},
    {JointType::revolute, "revolute", true, true, 1},
    {JointType::continuous, "continuous", true, true, 1},
    {JointType::prismatic, "prismatic", true, true, 1},
    {JointType::floating, "floating", true, false, 6},
    {JointType::planar, "planar", true, true, 3},
    {JointType::spherical, "spherical", false, false, 3},
    {JointType::cylindrical, "cylindrical", false, true, 2},
    {JointType::helical, "helical", false, true, 1},
    {JointType::universal, "universal", false, true, 2},
}};

const TypeRow& row(JointType type) {
  for (const TypeRow& candidate : table) {
    if (candidate.type == type) return candidate;
  }
  throw InternalError("a joint type without a row in the table");
}

std::optional<JointType> find(std::string_view name, bool native) {
  for (const TypeRow& candidate : table) {
    if (candidate.native == native && candidate.name == name) return candidate.type;
  }
  return std::nullopt;
}

}  // namespace

const char* name_of(JointType type) { return row(type).name; }
std::optional<JointType> native_joint_type(std::string_view name) { return find(name, true); }
std::optional<JointType> extension_joint_type(std::string_view name) { return find(name, false); }
bool uses_axis(JointType type) { return row(type).uses_axis; }
int dof_of(JointType type) { return row(type).dof; }

}  // namespace featherline::urdf
