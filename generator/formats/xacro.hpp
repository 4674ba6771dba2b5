#pragma once

#include "formats/format.hpp"

#include <string>
#include <vector>

/// Files of xacro, a language of macros that makes URDFs. The tool xacro expands them; we only call it.
namespace featherline::formats {

/// Whether the file's ending or its text asks for xacro. Expanded text does not, although it may declare the prefix.
bool is_xacro(const std::string& file, const std::string& text);

/// Reports an element that xacro still has to expand. \return whether there is none
bool refuse_xacro(const XMLElement& root, ElementReader& reader);

/// Puts what `xacro FILE ARGUMENTS` makes of the file into `text`; the environment variable FEATHERLINE_XACRO names
/// another command. Where there is no such command, the text stays. If it fails, what it said is reported.
/// \return the files that it read
std::vector<std::string> expand_xacro(const std::string& file, const std::string& arguments,
                                      std::string& text, Diagnostics& diagnostics);

}  // namespace featherline::formats
