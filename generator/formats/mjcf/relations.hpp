#pragma once

#include "formats/mjcf/bodies.hpp"

namespace featherline::mjcf {

// What stands outside of bodies and changes them. All of them are read after the bodies. What refers to something that is
// not attached is left out.

/// <equality>: loops become constraints, linear couplings of joints become mimics, joints that it fixes are held.
void read_equalities(const Bodies& bodies, Description& robot);
/// <tendon>, and the armature and damping that <actuator> brings to joints and tendons.
void read_drives(const Scope& scope, const Bodies& bodies, Description& robot);
/// <keyframe>: named positions.
void read_keyframes(const Bodies& bodies, Description& robot);

}  // namespace featherline::mjcf
