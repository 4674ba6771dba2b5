#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace featherline {

/// Number of bytes of the UTF-8 character at the front of `text`. It is 0 if `text` is empty or does not begin with
/// valid UTF-8. Overlong forms, surrogates and values above U+10FFFF are not valid.
std::size_t utf8_length(std::string_view text);

/// Whether one whole UTF-8 character controls the output and is not visible itself.
bool is_control(std::string_view character);

/// The columns that a text takes in a terminal. A byte that is not UTF-8 counts as one.
std::size_t display_width(std::string_view text);

/// A to Z alone change.
std::string in_lower_case(std::string_view text);

/// The words with commas between them: "x, y, z".
std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

/// What f says of each entry of a list; f may be a pointer to a member.
template <class List, class F>
auto each(const List& list, const F& f) {
  std::vector<std::decay_t<decltype(std::invoke(f, *std::begin(list)))>> values;
  for (const auto& entry : list) values.push_back(std::invoke(f, entry));
  return values;
}

/// The text as a shell reads it as one word: in single quotes, unless it has only letters, digits and signs that mean
/// nothing there.
std::string shell_word(const std::string& text);

/// All bytes of a file; nothing if it cannot be read.
std::optional<std::string> read_whole(const std::string& path);

/// A skeleton of templates/ by its path there without ".in", as "cpp/robot.hpp". Skeletons are part of the program: no
/// file is read. Throws InternalError for an unknown name.
std::string_view skeleton(std::string_view path);

/// The texts of a skeleton, by the line in brackets before each. Lines that begin with # are comments.
using NamedTexts = std::map<std::string, std::string>;
NamedTexts read_texts(std::string_view path);
/// One of them. Throws InternalError for an unknown name.
const std::string& text_of(const NamedTexts& texts, const std::string& name);

// What the user meant by a word that does not exist.

/// The candidate with the fewest edits (insert, delete, replace, swap neighbours) from `name`; the first of those
/// equally near. If none is near enough to be a typing mistake, it is the only one that begins with `name`, or empty.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// The text for every refused word: `"nmae" is not one of name, size; did you mean "name"?`. If no suggestion is given,
/// the nearest name is suggested.
std::string refuse_word(std::string_view word, const std::vector<std::string>& valid,
                        const std::string& suggestion = {});

/// The text for a link or joint that does not exist: `there is no link "ab"; did you mean "abc"?`, or where they are
/// listed if no name is near.
std::string no_such(const std::string& kind, std::string_view name, const std::vector<std::string>& names);

// Names and numbers in the text of an option, where a backslash takes the meaning from a separator: in "a\\,b,c" the
// first item is "a,b".

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

// Text and names of a robot's file on their way into HTML, SVG and labels of Graphviz.

/// `text` for the inside of an element or of an attribute in quotes: & < > " ' are escaped.
std::string escape_html(std::string_view text);

/// A name as users see it: in printable characters, without quotes around it, without its middle if it is long. It is
/// not escaped.
std::string shown_name(std::string_view name);

/// Both.
inline std::string html_name(std::string_view name) { return escape_html(shown_name(name)); }

/// The number with few decimals that `x` stands for: 0.0004 for 0.00039999999999995595. `scale` is the size of the
/// numbers that x was computed from, so its rounding error is about 1e-16 of the scale. If no short number is within
/// rounding of x, as for the sine of an angle, x stays as it is. Nothing changes by more than 2e-15 of the scale.
double round_number(double x, double scale);

}  // namespace featherline
