#pragma once

#include "description/description.hpp"
#include "support/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace featherline::description {

/// Checks names, then the tree of links, then joints, and then values that are probably mistakes.
/// Checks that need a sound tree are skipped if it is not sound.
void check(const Description& description, Diagnostics& diagnostics);

/// The file in which a part of the description stands.
template <class Part>
const std::string& file_of(const Description& description, const Part& part) {
  return part.file.empty() ? description.file : part.file;
}

/// The place of a part of the description in its file: of a link, a joint or a constraint.
template <class Part>
Location at(const Description& description, const Part& part, int line, const std::string& below = {}) {
  return {file_of(description, part), line,
          std::string("robot/") + Part::element + ' ' + in_quotes(part.name) + below};
}

/// The words with commas between them. Of more than `most` it gives the first, and "...".
std::string first_of(std::vector<std::string> words, std::size_t most, std::string_view separator = ", ");

// Values that are allowed but are probably mistakes. They are reported as warnings.

/// Values that look like millimetres, grams or degrees. Each kind is reported once.
void check_units(const Description& description, Diagnostics& diagnostics);

/// Angles that are close to multiples of 90 degrees but not equal to them, and that snapping with this tolerance leaves
/// so. Reported once for the file.
void check_angles(const Description& description, double snap_tolerance, Diagnostics& diagnostics);

/// For --snap-angles: makes these angles exact, and all that are written with ten decimals or more.
std::string tolerance_for_exact_turns(const Description& description);

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
