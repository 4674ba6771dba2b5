#pragma once

#include "formats/mjcf/bodies.hpp"

namespace featherline::mjcf {

// What stands outside of bodies and changes them. All of them are read after the bodies.

/// <equality>: loops become constraints, linear couplings of joints become mimics.
void read_equalities(const Element& root, const Classes& classes, const Bodies& bodies, Description& robot);
/// <actuator> and <tendon>: the armature and damping that they bring to joints.
void read_actuators(const Element& root, const Classes& classes, const Bodies& bodies, Description& robot);
void read_tendons(const Element& root, const Classes& classes, const Bodies& bodies, Description& robot);
/// <keyframe>: named positions.
void read_keyframes(const Element& root, Description& robot);

/// All elements with this tag in sections of that name.
std::vector<const Element*> elements_in(const Element& root, std::string_view section,
                                        std::string_view tag = {});

}  // namespace featherline::mjcf
