#pragma once

#include <cstddef>
#include <string_view>

namespace featherline {

/// Number of bytes of the UTF-8 character at the front of `text`; 0 where the bytes are not UTF-8 (overlong
/// forms, surrogates and values above U+10FFFF included) or `text` is empty.
std::size_t utf8_length(std::string_view text);

/// Whether one whole UTF-8 character controls the output instead of being seen: C0, DEL, C1, line and
/// paragraph separators, zero-width characters and bidirectional overrides.
bool is_control(std::string_view character);

}  // namespace featherline
