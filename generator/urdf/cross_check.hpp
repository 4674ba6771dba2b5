#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

namespace featherline::urdf {

/// Lets urdfdom, the parser of the ROS tools, read the same text and warns where it refuses the file or sees
/// another robot: other tools will then disagree with what we generate. Call it only for a description
/// without errors. Files above a size that urdfdom's recursive clean-up survives are left out. Nothing
/// urdfdom says enters the description: it turns malformed numbers into zeros and forgets the order.
void cross_check(const std::string& text, const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
