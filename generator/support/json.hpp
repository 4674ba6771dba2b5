#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace featherline {

/// Keys keep the order in which they are written.
using Json = nlohmann::ordered_json;

/// Two spaces a level and a line break at the end. Bytes that are no UTF-8 cannot be JSON; they become U+FFFD. Printing
/// and reading are here for every use because they are what takes long to compile.
std::string print_json(const Json& json);

/// `is_discarded()` where the text is no JSON.
Json read_json(const std::string& text);

}  // namespace featherline
