#pragma once

#include "model/limbs.hpp"
#include "model/tree.hpp"

#include <functional>
#include <string>
#include <vector>

/// What all descriptions of a robot for people have in common.
namespace featherline::model {

/// The links of each body. The body's own link comes first. The last entry holds the links that are welded to the
/// world.
std::vector<std::vector<const Link*>> links_by_body(const Tree& tree);

/// The bodies in depth-first order, each with its depth. Siblings are in the order of q.
struct TreeLine {
  int body, depth;
};
std::vector<TreeLine> walk(const Tree& tree);

struct Masses {
  double moving = 0.0, welded_to_world = 0.0;  ///< [kg]
};
Masses sum_masses(const Tree& tree);

/// The joint of the file that lets the robot move freely, on the world or on a floating base without mass; MJCF has
/// them. Null if there is none.
const Joint* free_joint(const Tree& tree);

/// "x" or "-z" if the unit vector lies along a coordinate axis, to 1e-9; else empty.
std::string coordinate_axis(const Vector3& axis);

/// "prismatic "lift", locked at 0.1" for a link behind a locked joint, else empty. `print` writes a name.
std::string describe_lock(const Tree& tree, const Link& link,
                          const std::function<std::string(const std::string&)>& print);

/// The entries [first, first + count) as text: "3" or "0..6".
std::string index_range(int first, int count);

/// The part of the limbs' joint names that tells them apart: "lf", "rf", "lh", "rh". The names of their first joints if
/// no such part is left.
std::vector<std::string> limb_names(const Tree& tree, const LimbGroup& group);

/// "lf, rf, lh, rh: 4 x 3 joints (3 revolute), on trunk". `shown` makes names safe for where the text is put.
std::string describe_limbs(const Tree& tree, const LimbGroup& group,
                           const std::function<std::string(const std::string&)>& shown);

/// What a joint has of "armature", "damping", "friction", "stiffness" and "rest", the position of a spring at rest,
/// which springs of balls and of free joints do not have.
std::vector<std::pair<const char*, double>> dynamics_of(const Joint& joint);

std::vector<std::pair<const char*, double>> dynamics_of(const Tendon& tendon);

/// "1.5 finger - 2 nail: armature 0.1, damping 2". `shown` as above.
std::string describe_tendon(const Tree& tree, const Tendon& tendon,
                            const std::function<std::string(const std::string&)>& shown);

/// The same, and limits that few joints have: "armature 0.1, jerk 50"; in SI units.
std::string describe_drive(const Joint& joint);

/// "rotor in thigh, gear 9, inertia 6e-05", of all rotors of a body's joint; `shown` marks up the name of the carrier.
std::string describe_rotors(const Tree& tree, int body,
                            const std::function<std::string(const std::string&)>& shown);

}  // namespace featherline::model
