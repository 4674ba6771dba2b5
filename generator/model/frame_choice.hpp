#pragma once

#include "model/limbs.hpp"
#include "model/tree.hpp"

#include <vector>

/// Where the frames of bodies are placed.
namespace featherline::model {

/// X_PB in canonical frames as the algorithms apply it: a constant part and an angle added to the joint's.
struct JointFrame {
  Placement X;
  double offset = 0.0;
};

/// Takes the rotation about the joint's own z axis out of E = Rz(a) Rx(b) if E then has more zeros. Quarter turns stay
/// in E, as permutations.
JointFrame split_offset(const Joint& joint, const Placement& X);

/// Below it, rounding of a joint's offset [m]: relative to the lengths it was computed from. Sums of the file's
/// numbers, such as those of welded links, are only right to the robot's size.
double offset_scale(const Tree& tree, const std::vector<Placement>& frames, std::size_t i, double size);

/// For each body, the pose of its canonical frame in its present frame. In joints with one axis, +z is this axis, as in
/// `frames`. The rest is chosen to minimise an estimate of the flops of inverse dynamics, by coordinate descent. The
/// candidates are frames that make an entry of a rotation, an offset or a first moment zero. No origin moves farther than
/// robot_size(). The effort is linear in the size of the tree.
/// Bodies that have the same place in equal limbs of `folding` try the same candidates at once.
std::vector<Placement> choose_frames(const Tree& tree, const Folding& folding, std::vector<Placement> frames);

}  // namespace featherline::model
