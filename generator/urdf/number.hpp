#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace featherline::urdf {

/// A number read from text, or what is wrong with that text. Independent of the locale.
struct ParsedNumber {
  double value = 0.0;
  std::string problem;  ///< empty where `value` holds
  std::string remedy;
};

/// The whole of `text` as a finite decimal number with an optional sign. No unit, hexadecimal form, decimal
/// comma, infinity or NaN passes, nor a number that a double cannot hold.
ParsedNumber parse_number(std::string_view text);

/// The words of `text` between XML white space.
std::vector<std::string_view> split_words(std::string_view text);

/// Shortest decimal form that reads back as the same double.
std::string to_text(double value);

/// `value` to `digits` significant digits, for messages.
std::string to_text(double value, int digits);

}  // namespace featherline::urdf
