#pragma once

#include "formats/format.hpp"

/// The reader of URDF. See README.md.
namespace featherline::urdf {

using namespace description;
using namespace formats;

/// The read function of the format (formats::Format).
void read(const XMLElement& robot, const std::string& text, UnknownWords unknown, Description& description,
          ElementReader& reader);

Link read_link(const XMLElement& element, ElementReader& reader);
Joint read_joint(const XMLElement& element, ElementReader& reader);
Constraint read_constraint(const XMLElement& element, ElementReader& reader);
Rotor read_rotor(const XMLElement& element, ElementReader& reader);

/// Whether a <transmission> says what rotor it has. Drake reads that; ros_control has the gear alone.
bool has_rotor_inertia(const XMLElement& transmission);
/// Adds the rotor's inertia, seen from the joint, to the armature of the joint, which must have been read.
void read_transmission(const XMLElement& element, Description& robot, ElementReader& reader);

/// Lets urdfdom, the parser of the ROS tools, read the same text. Warns if urdfdom refuses the file or sees another
/// robot, because other tools will then disagree with what we generate. Call it only for a description without errors.
/// Skips a file that is so large that urdfdom's recursive clean-up would not survive it. Nothing from urdfdom enters
/// the description, because urdfdom turns malformed numbers into zeros and forgets the order.
void cross_check(const std::string& text, const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
