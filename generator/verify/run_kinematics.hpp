#pragma once

#include "ir/program.hpp"
#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <string>
#include <vector>

/// The functions that walk from the world to a link: the runtime's walk (featherline/kinematics.hpp) over pose steps that
/// the interpreter runs.
namespace featherline::verify {

/// The worst error of forward_kinematics or frame_jacobian (all three frames) at the links looked at: all of a usual
/// robot, of a very large one the outermost and a choice of the others. `traced` is the tree of the pose steps, `user`
/// the one the reference solver takes.
reference::OutputError verify_kinematics(const std::string& function, const model::UserTree& user,
                                         const model::CanonicalTree& traced,
                                         const std::vector<ir::Program>& pose_steps,
                                         const Eigen::VectorXd& q);

}  // namespace featherline::verify
