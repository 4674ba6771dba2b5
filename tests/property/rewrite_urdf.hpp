#pragma once

#include "description/description.hpp"
#include "support/random.hpp"

#include <string>

/// Ways to write the same robot differently.
namespace featherline::test {

/// Links and joints in another order.
void shuffle_parts(description::Description& robot, Random& random);

/// Between every joint and its parent: a new link, fixed to the parent at a random pose. Half of the parent's
/// inertia moves to that link when it has one.
void insert_fixed_joints(description::Description& robot, Random& random);

/// Every inertia about axes turned by a random rotation.
void turn_inertia_axes(description::Description& robot, Random& random);

/// The frame behind every joint with one axis turned by a random rotation: the axis, the inertial and everything
/// fastened there are expressed in the turned frame. Joints with other coordinates keep their frame, since their
/// velocities are components in it.
void turn_joint_frames(description::Description& robot, Random& random);

/// Every rotation as a quaternion of either sign, in place of angles.
void use_quaternions(description::Description& robot, Random& random);

/// Axes of other lengths, numbers in other formats, other white space and quotes, comments in between.
std::string restyle(const std::string& urdf_text, Random& random);

}  // namespace featherline::test
