#pragma once

#include "report/report.hpp"

#include <string>

namespace featherline::report {

/// The robot as the page's script reads it: JSON in ASCII, without characters that HTML gives a meaning, so that no name
/// can leave the script element. The comment in templates/html/kinematics.js.in lists the keys.
std::string scene_json(const Robot& robot);

}  // namespace featherline::report
