#pragma once

#include "support/diagnostic.hpp"

#include <string>
#include <string_view>

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

}  // namespace featherline::urdf
