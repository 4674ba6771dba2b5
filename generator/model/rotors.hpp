#pragma once

#include "description/description.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"

/// Rotors behind gears (<featherline_rotor>). A rotor with inertia I about its axis s turns with the angular velocity
/// w + N qd s, where w is that of its carrier and qd the rate of its joint. As the carrier's inertia includes it at
/// rest, it adds the kinetic energy I N qd (s . w) + I N^2 qd^2 / 2: the second term is armature, the first one
/// armature leaves out.
namespace featherline::model {

/// Reads the rotors of the file into the tree, and adds to the carriers what their links leave out. Rotors of joints
/// that do not move stay as a part of their carrier. Reports rotors that the world carries.
void add_rotors(const description::Description& robot, UserTree& tree, Diagnostics& findings);

/// The same mechanism without rotors. Where a rotor's axis is that of its joint, and one of the joint's two bodies
/// carries it, s . w + qd is s . w of the other body, and I N qd (s . w) is a difference of squares:
///
///   qd = y - x:  N x (y - x) = N (y^2 - x^2) / 2 - N (y - x)^2 / 2   with x = s . w of the parent, y of the joint's body
///
/// So inertia I N about the axis moves from the parent to the joint's body, and the joint gets I N (N - 1)
/// (Joint::geared). If the joint's body carries the rotor, y takes the place of x in front, and this is I N (N + 1).
/// Energy, momentum and torques stay what they are. Every other rotor becomes a body of its own behind its carrier.
Tree without_rotors(Tree tree);

}  // namespace featherline::model
