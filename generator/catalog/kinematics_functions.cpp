#include "catalog/entries.hpp"

#include "algorithms/kinematics.hpp"
#include "catalog/formulations.hpp"

/// Where links and frames are, and how they move.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

// Kinematics of links.
const Argument R{"R", {3, 3}, "rotation from link axes to world axes"};
const Argument p{"p", {3}, "origin of the link frame in the world", "m"};
const Argument J{"J", {6, nv}, "rows [linear; angular], in the axes and about the point the frame names"};

const FunctionSpec entries[] = {{.name = "forward_kinematics",
                                 .group = kinematics,
                                 .brief = "Pose of a link in the world.",
                                 .source = "Featherstone, RBDA section 4.2",
                                 .inputs = {q},
                                 .outputs = {R, p},
                                 .formulations = {{"pose steps", algorithms::forward_kinematics}},
                                 .takes_link = true},
                                {.name = "frame_jacobian",
                                 .group = kinematics,
                                 .brief = "Jacobian of a link frame: its velocity is J v.",
                                 .source = "Featherstone, RBDA section 4.2",
                                 .inputs = {q},
                                 .outputs = {J},
                                 .formulations = {{"pose steps", algorithms::frame_jacobian}},
                                 .takes_link = true,
                                 .takes_frame = true}};

}  // namespace

std::vector<FunctionSpec> kinematics_functions() { return {std::begin(entries), std::end(entries)}; }

}  // namespace featherline::catalog
