#pragma once

#include "ir/kernel.hpp"
#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <string>
#include <vector>

/// The functions that walk from the world to a link: the runtime's walk (featherline/kinematics.hpp) over pose steps that
/// the interpreter runs.
namespace featherline::verify {

/// The worst error of forward_kinematics or frame_jacobian (all three frames) at the links looked at: all of a usual
/// robot, of a very large one the outermost and a choice of the others. `table`: what the walk reads, `user`: the robot as
/// the reference solver takes it.
reference::OutputError verify_kinematics(const std::string& function, const model::UserTree& user,
                                         const ir::LinkWalk& table, const Eigen::VectorXd& q);

}  // namespace featherline::verify
