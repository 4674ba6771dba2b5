#pragma once

#include "support/diagnostic.hpp"
#include "urdf/description.hpp"

#include <string>

namespace featherline::urdf {

/// Reads a URDF file, or standard input where `path` is "-".
/// Nothing but that one file is ever opened: mesh files and `package://` addresses stay text.
/// Never throws for bad input: every finding goes to `diagnostics`, and what could be read is returned. The
/// result is fit for use only if `diagnostics` holds no error.
Description read_file(const std::string& path, Diagnostics& diagnostics);

/// The same for text already in memory; `file_name` appears in the messages.
Description read_string(const std::string& text, const std::string& file_name, Diagnostics& diagnostics);

}  // namespace featherline::urdf
