#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

namespace featherline::urdf {

/// Lets urdfdom, the parser of the ROS tools, read the same text. Warns if urdfdom refuses the file or sees another
/// robot, because other tools will then disagree with what we generate. Call it only for a description without errors.
/// Skips a file that is so large that urdfdom's recursive clean-up would not survive it. Nothing from urdfdom enters
/// the description, because urdfdom turns malformed numbers into zeros and forgets the order.
void cross_check(const std::string& text, const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
