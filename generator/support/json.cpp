#include "support/json.hpp"

namespace featherline {

std::string print_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string print_script_json(const Json& json) {
  constexpr bool ascii = true;
  std::string text;
  // JSON has these characters inside strings only.
  for (const char c : json.dump(-1, ' ', ascii, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  }
  return text;
}

Json read_json(const std::string& text) { return Json::parse(text, nullptr, false); }

}  // namespace featherline
