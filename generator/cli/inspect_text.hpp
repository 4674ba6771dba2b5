#pragma once

#include "model/overview.hpp"
#include "robot.hpp"

#include <string>

/// Describes a robot as text.
namespace featherline::cli {

std::string inspect_text(const Robot& robot);

// What the descriptions have in common.
using model::index_range;
using model::links_by_body;
using model::Masses;
using model::sum_masses;
using model::TreeLine;
using model::walk;

/// One sentence that says what the choice of the base means for this robot.
std::string describe_base(const model::Tree& tree);

}  // namespace featherline::cli
