#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace featherline {

/// Keys keep the order in which they are written.
using Json = nlohmann::ordered_json;

/// JSON text with two spaces for each level and a line break at the end. JSON cannot hold bytes that are not UTF-8;
/// they become U+FFFD. Printing and reading take long to compile, so they are compiled here once for all uses.
std::string print_json(const Json& json);

/// The same on one line, in ASCII and without < > &, for the inside of a script element of a page.
/// No string can end the element.
std::string print_script_json(const Json& json);

/// The result `is_discarded()` if the text is not JSON.
Json read_json(const std::string& text);

}  // namespace featherline
