#pragma once

#include "cost/estimate.hpp"
#include "emit/emit.hpp"

#include <string>

/// forward_kinematics and frame_jacobian: pose steps and tables, walked by featherline/kinematics.hpp.
namespace featherline::emit {

/// Extent of the path from the world to a body.
struct Extent {
  int bodies = 0;
  int columns = 0;
};
/// The longest path, at least 1 so that no array of the runtime is empty.
Extent longest_path(const model::CanonicalTree& tree);

/// Whether the link's frame is that of the body which carries it.
bool is_at_body(const model::Link& link);

std::string pose_steps_file(const Request& request);
std::string kinematics_definition_file(const Request& request, const catalog::FunctionSpec& function);

/// Costs for the link that takes most flops; name and files are left to the caller.
FunctionFacts kinematics_facts(const Request& request, const catalog::FunctionSpec& function,
                               cost::Target target);

}  // namespace featherline::emit
