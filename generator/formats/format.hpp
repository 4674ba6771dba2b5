#pragma once

#include "formats/element_reader.hpp"
#include "formats/reader.hpp"

#include <string>
#include <string_view>

/// What readers of formats share. The table of formats is in reader.cpp.
namespace featherline::formats {

struct Format {
  const char* root;  ///< the top-level element, which tells formats apart
  /// Fills the description from the element and checks it (description/checks.hpp). `text` is the whole file.
  void (*read)(const XMLElement& root, const std::string& text, UnknownWords unknown, Description& robot,
               ElementReader& reader);
};

// Files that new users give in place of a robot's: formats that we do not read, meshes, web pages. The message says what
// the file is and where to get the URDF.

/// Reports a file that is not XML, or not well-formed. It judges by the first bytes and by the ending of the name.
/// \return whether nothing was reported
bool refuse_other_text(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Reports an XML file of a format that we know but do not read. \return whether nothing was reported
bool refuse_other_root(const XMLElement& root, const std::string& file, Diagnostics& diagnostics);

}  // namespace featherline::formats
