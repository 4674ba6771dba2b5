#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Names and numbers in the text of an option, where a backslash takes the meaning from a separator: in "a\\,b,c" the
/// first item is "a,b".
namespace featherline {

/// Splits at every separator that has no backslash before it. Backslashes stay.
std::vector<std::string> split_at(const std::string& text, char separator);

/// Without blanks at the ends.
std::string trimmed(const std::string& text);

/// Without the backslashes before `separators`, to which the backslash itself has to belong.
std::string without_escapes(const std::string& text, std::string_view separators);

/// With a backslash before each of `separators`.
std::string with_escapes(const std::string& text, std::string_view separators);

/// Nothing unless the whole text is one finite number.
std::optional<double> finite_number(const std::string& text);

}  // namespace featherline
