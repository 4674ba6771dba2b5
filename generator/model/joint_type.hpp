#pragma once

#include "model/tree.hpp"

namespace featherline::model {

/// The name of a joint type, as URDF spells it where URDF has it.
constexpr const char* name(JointType type) {
  switch (type) {
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::floating:
      return "floating";
    case JointType::planar:
      return "planar";
    case JointType::spherical:
      return "spherical";
    case JointType::cylindrical:
      return "cylindrical";
    case JointType::helical:
      return "helical";
    case JointType::universal:
      return "universal";
  }
  return "?";
}

}  // namespace featherline::model
