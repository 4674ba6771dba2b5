#pragma once

#include "ir/kernel.hpp"
#include "model/tree.hpp"
#include "reference/outputs.hpp"

#include <string>
#include <vector>

/// Verifies the functions that take a link. The walk of the runtime (featherline/kinematics.hpp) calls pose steps,
/// which the interpreter runs.
namespace featherline::verify {

/// The worst error of forward_kinematics or frame_jacobian (in all three reference frames). All links are compared;
/// for a very large robot only the outermost ones and a selection of the others. The walk reads `table`. The
/// reference solver runs on `user`.
reference::OutputError verify_kinematics(const std::string& function, const model::UserTree& user,
                                         const ir::LinkWalk& table, const Eigen::VectorXd& q);

}  // namespace featherline::verify
