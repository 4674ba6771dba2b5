#pragma once

#include "cli/options.hpp"
#include "pipeline.hpp"

namespace featherline::cli {

/// Says when namespace and files do not get the name that was asked for: a warning for --name, a note for the name of
/// the URDF where the reader would not expect it. (That "my-arm" becomes my_arm is expected; the report shows it.)
void tell_renaming(const Options& options, const Robot& robot, Diagnostics& findings);

}  // namespace featherline::cli
