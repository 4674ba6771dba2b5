#pragma once

#include "selection/existing_functions.hpp"

#include <string>
#include <vector>

/// Whether what the user chose matters to the functions asked for.
namespace featherline {

/// The name of the emission: that of --name, or of the robot. Tells the user where it cannot name a namespace. Throws
/// UsageError for a C header that would hide the system's header for everybody who has its folder in the include path.
std::string choose_name(const Robot& robot, const Options& options, Diagnostics& findings);

/// Throws UsageError for frames, contacts and inputs that the user chose and no function depends on. `dropped`: functions
/// that depend on external forces, but cannot take them.
void refuse_unused_choices(const std::vector<std::string>& functions, const std::vector<std::string>& dropped,
                           const Asked& asked);

/// Throws UsageError for a gain KP that nothing has a position for. Warns of constraints of the URDF that no function
/// knows, and if rows of constraints depend on each other at a random state, with all of them active: forces in such rows
/// are not determined.
void check_constraints(const std::vector<std::string>& functions, const Asked& asked);

}  // namespace featherline
