#pragma once

#include "robot.hpp"

#include <string>

/// Describes a robot as text.
namespace featherline::cli {

std::string inspect_text(const Robot& robot);

/// One sentence that says what the choice of the base means for this robot.
std::string describe_base(const model::Tree& tree);

}  // namespace featherline::cli
