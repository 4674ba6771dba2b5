#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace featherline::description {

/// A number read from text, or a message that says what is wrong with the text. It does not depend on the locale.
struct ParsedNumber {
  double value = 0.0;
  std::string problem;  ///< empty if `value` is valid
  std::string remedy;
};

/// Reads the whole of `text` as a finite decimal number with an optional sign. Refuses units, hexadecimal forms,
/// decimal commas, infinity, NaN, and numbers that a double cannot hold.
ParsedNumber parse_number(std::string_view text);

/// The words of `text`, separated by XML white space.
std::vector<std::string_view> split_words(std::string_view text);

/// The shortest decimal form that reads back as the same double.
std::string to_text(double value);

/// `value` with `digits` significant digits, for messages.
std::string to_text(double value, int digits);

}  // namespace featherline::description
