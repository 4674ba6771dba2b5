#pragma once

#include "description/description.hpp"
#include "support/diagnostic.hpp"

#include <string>

namespace featherline::formats {

using description::Description;

/// What becomes of words that nobody knows, where dynamics reads (formats/words.cpp).
enum class UnknownWords { refused, ignored };

/// Reads a robot from a file of any format that we read, or from standard input if `path` is "-". The tool xacro
/// expands a file for it, with these arguments, where it is installed (format.hpp). It never throws for bad input. Every
/// finding goes to `diagnostics`, and whatever could be read is returned. The result may be used only if `diagnostics`
/// holds no error.
Description read_file(const std::string& path, Diagnostics& diagnostics,
                      UnknownWords unknown = UnknownWords::refused, const std::string& xacro_arguments = {});

/// The same for text that is already in memory. `file_name` appears in the messages.
Description read_string(const std::string& text, const std::string& file_name, Diagnostics& diagnostics,
                        UnknownWords unknown = UnknownWords::refused);

}  // namespace featherline::formats
