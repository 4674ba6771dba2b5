#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"
#include "urdf/element_reader.hpp"
#include "urdf/reader.hpp"

#include <string>
#include <string_view>

namespace featherline::urdf {

/// Checks names, then the tree of links, then joints, and then values that are probably mistakes.
/// Checks that need a sound tree are skipped if it is not sound.
void check(const Description& description, Diagnostics& diagnostics);

/// The place of a part of the description in its file.
Location at(const Description& description, const Link& link, int line, const std::string& below = {});
Location at(const Description& description, const Constraint& constraint, int line,
            const std::string& below = {});
Location at(const Description& description, const Joint& joint, int line, const std::string& below = {});

// Values that are allowed but are probably mistakes. They are reported as warnings.

/// Values that look like millimetres, grams or degrees. Each kind is reported once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles that are close to multiples of 90 degrees but not equal to them, and that snapping with this tolerance leaves
/// so. Reported once for the file.
void check_angles(const Description& description, double snap_tolerance, Diagnostics& diagnostics);

/// For --snap-angles: makes these angles exact, and all that are written with ten decimals or more.
std::string tolerance_for_exact_turns(const Description& description);

/// Tells the user what has no part in the result.
///
///  - An attribute or element that we do not know, in an element that dynamics reads, is an error, or a warning if
///    unknown words are ignored: it may be a mistyped number of the robot.
///  - In <robot>, and where a name has a prefix ("drake:rotor_inertia"), it is a warning: it belongs to another tool.
///    Text between elements is a warning, too.
///  - What is known to be for other tools is a note. Appearance and collision are not mentioned.
///
/// What occurs several times is one finding.
void report_vocabulary(const XMLElement& robot, UnknownWords unknown, ElementReader& reader);

}  // namespace featherline::urdf

namespace tinyxml2 {
class XMLElement;
}

/// Files that new users give in place of a URDF: other formats of robots, meshes, web pages. The message says what the
/// file is and where to get the URDF.
namespace featherline::urdf {

/// Reports a file that is not XML, or not well-formed. It judges by the first bytes and by the ending of the name.
/// \return whether nothing was reported
bool refuse_other_text(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Reports an XML file whose top-level element is not the <robot> of a URDF. \return whether nothing was reported
bool refuse_other_root(const tinyxml2::XMLElement& root, const std::string& file, Diagnostics& diagnostics);

/// Lets urdfdom, the parser of the ROS tools, read the same text. Warns if urdfdom refuses the file or sees another
/// robot, because other tools will then disagree with what we generate. Call it only for a description without errors.
/// Skips a file that is so large that urdfdom's recursive clean-up would not survive it. Nothing from urdfdom enters
/// the description, because urdfdom turns malformed numbers into zeros and forgets the order.
void cross_check(const std::string& text, const Description& description, Diagnostics& diagnostics);

}  // namespace featherline::urdf
