#pragma once

#include <cstddef>
#include <string_view>

namespace featherline {

/// Number of bytes of the UTF-8 character at the front of `text`. It is 0 if `text` is empty or does not begin with
/// valid UTF-8. Overlong forms, surrogates and values above U+10FFFF are not valid.
std::size_t utf8_length(std::string_view text);

/// Whether one whole UTF-8 character controls the output and is not visible itself: C0, DEL, C1, line and paragraph
/// separators, zero-width characters and bidirectional overrides.
bool is_control(std::string_view character);

/// The columns that a text takes in a terminal. A byte that is not UTF-8 counts as one.
std::size_t display_width(std::string_view text);

}  // namespace featherline
