#include "support/text.hpp"

#include "support/diagnostic.hpp"

namespace featherline {

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string shown_name(std::string_view name) {
  std::string text = featherline::in_quotes(name);
  text.erase(text.rfind('"'), 1);
  return text.substr(1);
}

}  // namespace featherline
