#pragma once

#include "emit/emit.hpp"
#include "passes/estimate.hpp"

#include <string>

/// forward_kinematics and frame_jacobian: pose steps and tables, walked by featherline/kinematics.hpp.
namespace featherline::emit {

std::string pose_steps_file(const Request& request);
std::string kinematics_definition_file(const Request& request, const algorithms::Algorithm& algorithm);

/// Costs for the link that takes most flops; name and files are left to the caller.
FunctionFacts kinematics_facts(const Request& request, const algorithms::Algorithm& algorithm,
                               passes::Target target);

}  // namespace featherline::emit
