#pragma once

#include "model/tree.hpp"

namespace featherline::reference {

/// The same robot with joints that lose nothing: its bias minus gravity is C v. Damping and friction are part of bias,
/// and no part of C.
inline model::Tree without_friction(model::Tree tree) {
  for (model::Body& body : tree.bodies) body.joint.damping = body.joint.friction = 0.0;
  return tree;
}

}  // namespace featherline::reference
