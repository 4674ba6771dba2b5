#include "support/json.hpp"

namespace featherline {

std::string print_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json read_json(const std::string& text) { return Json::parse(text, nullptr, false); }

}  // namespace featherline
