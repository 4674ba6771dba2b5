#pragma once

#include "model/tree.hpp"

#include <vector>

namespace featherline::model {

/// How the freedom in the frames of joints with one axis is spent.
enum class Frames {
  chosen,  ///< on zeros that make the equations short
  plain,   ///< not at all: the axis is turned to +z, the origin stays where the URDF has it
};

/// The longest way along the tree between two joint origins or centres of mass [m]; where the robot stands in the world
/// does not count.
double robot_size(const Tree& tree);

/// For each body the pose of its canonical frame in its present frame. Joints with one axis get it along +z; the
/// rest of the freedom is spent so that an estimate of inverse-dynamics flops is least (coordinate descent over
/// the frames that make some entry of a rotation, an offset or a first moment vanish). No origin moves farther than the
/// robot is large. Linear in the tree's size.
std::vector<Placement> choose_frames(const Tree& tree);

/// The same with axes along +z and origins as the URDF has them.
std::vector<Placement> plain_frames(const Tree& tree);

/// The tree with every body frame replaced by frames[i].
CanonicalTree express_in_frames(const Tree& tree, const std::vector<Placement>& frames);

}  // namespace featherline::model
