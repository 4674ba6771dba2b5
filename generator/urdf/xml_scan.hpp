#pragma once

#include "support/diagnostic.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace featherline::urdf {

/// Bounds on the input. Real robots stay far below; what exceeds them is damaged or hostile.
struct XmlLimits {
  static constexpr std::size_t bytes = std::size_t{64} << 20;
  static constexpr std::size_t depth = 64;        ///< elements inside one another; tinyxml2 gives up at 100
  static constexpr std::size_t attributes = 256;  ///< of one element; tinyxml2 compares each with each
};

/// Walks over the text once, without recursion, and reports the first place where it is no well-formed XML or
/// exceeds the limits. What passes is safe to hand to tinyxml2, which forgives more than the standard does
/// and stops without a word at a NUL byte. Source: XML 1.0, fifth edition, productions 1, 14, 15, 18, 39 to
/// 44, 66. \return whether nothing was reported
bool scan_xml(std::string_view text, const std::string& file, Diagnostics& diagnostics);

}  // namespace featherline::urdf
