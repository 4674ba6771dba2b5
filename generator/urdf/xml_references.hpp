#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace featherline::urdf {

struct BadReference {
  std::size_t at;  ///< position of its '&'
  std::string problem;
};

/// The first '&' in text or in an attribute's value that begins neither one of the five entities XML defines
/// nor the number of a character that XML allows. Source: XML 1.0, fifth edition, productions 2 and 66 to 68.
std::optional<BadReference> find_bad_reference(std::string_view content);

}  // namespace featherline::urdf
