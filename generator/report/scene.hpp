#pragma once

#include "report/report.hpp"

#include <string>

namespace featherline::report {

/// The robot as the page's script reads it (print_script_json). The comment in templates/html/kinematics.js.in lists the
/// keys.
std::string scene_json(const Robot& robot);

}  // namespace featherline::report
