#include "urdf/xml_references.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace featherline::urdf {
namespace {

bool is_entity(std::string_view name) {
  constexpr std::array<std::string_view, 5> entities = {"amp", "lt", "gt", "quot", "apos"};
  return std::find(entities.begin(), entities.end(), name) != entities.end();
}

bool is_character_number(std::string_view name) {
  if (name.substr(0, 1) != "#") return false;
  const bool hexadecimal = name.substr(1, 1) == "x";
  name.remove_prefix(hexadecimal ? 2 : 1);
  unsigned value = 0;
  const auto [end, status] =
      std::from_chars(name.data(), name.data() + name.size(), value, hexadecimal ? 16 : 10);
  if (status != std::errc{} || end != name.data() + name.size()) return false;
  if (value == '\t' || value == '\n' || value == '\r') return true;
  return (value >= 0x20 && value < 0xd800) || (value >= 0xe000 && value < 0xfffe) ||
         (value >= 0x10000 && value <= 0x10ffff);
}

}  // namespace

std::optional<BadReference> find_bad_reference(std::string_view content) {
  for (std::size_t at = content.find('&'); at != content.npos; at = content.find('&', at + 1)) {
    constexpr std::size_t longest = 12;
    const std::string_view rest = content.substr(at + 1, longest);
    const std::size_t end = rest.find(';');
    const std::string_view name = rest.substr(0, end);
    if (end != rest.npos && (is_entity(name) || is_character_number(name))) continue;
    const std::string shown = quoted(content.substr(at, end == rest.npos ? longest : end + 2));
    return BadReference{
        at, shown + (name.substr(0, 1) == "#" ? " is no character of XML" : " is no entity of XML")};
  }
  return std::nullopt;
}

}  // namespace featherline::urdf
