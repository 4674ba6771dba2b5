#include "support/json.hpp"

#include <fmt/format.h>

namespace featherline {

std::string print_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string print_script_json(const Json& json) {
  constexpr bool ascii = true;
  constexpr std::string_view special = "<>&";  // JSON has these inside strings only
  std::string text;
  for (const char c : json.dump(-1, ' ', ascii, Json::error_handler_t::replace))
    text += special.find(c) == special.npos ? std::string(1, c) : fmt::format("\\u{:04x}", c);
  return text;
}

Json read_json(const std::string& text) { return Json::parse(text, nullptr, false); }

}  // namespace featherline
