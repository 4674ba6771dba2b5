#pragma once

#include "support/diagnostic.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace featherline::formats {

/// Bounds on the input. Real robots stay far below them. A file beyond them is damaged or hostile.
struct XmlLimits {
  static constexpr std::size_t bytes = std::size_t{64} << 20;
  static constexpr std::size_t depth = 64;        ///< levels of nested elements; tinyxml2 gives up at 100
  static constexpr std::size_t attributes = 256;  ///< in one element; tinyxml2 compares each with each
};

/// Walks over the text once, without recursion. Reports the first place where the text is not well-formed XML or
/// exceeds the limits. Text that passes is safe to hand to tinyxml2. tinyxml2 accepts more than the standard does, and
/// it stops at a NUL byte without a message. Source: XML 1.0, fifth edition, productions 1, 14, 15, 18, 39 to 44, 66.
/// \return whether nothing was reported
bool scan_xml(std::string_view text, const std::string& file, Diagnostics& diagnostics);

}  // namespace featherline::formats
