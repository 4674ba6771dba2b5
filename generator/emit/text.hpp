#pragma once

#include "support/text.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Text that is safe where it is put, whatever the robot's file calls its links.
namespace featherline::emit {

/// `text` fit for a `//` or `///` comment: one line, ASCII, no comment delimiters, backslashes or trigraphs,
/// at most `max_length` characters.
std::string comment_safe(std::string_view text, std::size_t max_length = 80);

/// A C++ string literal, quotes included, that holds exactly the bytes of `text`.
std::string string_literal(std::string_view text);

/// The same for lines of text, one literal a line behind `indent`.
std::string multiline_literal(std::string_view text, std::string_view indent);

/// Words of `text` filled into lines of at most 110 columns, each starting with `prefix`. No final newline.
std::string fill_lines(std::string_view text, std::string_view prefix, std::string_view continuation);

/// One statement, ending in ';', over as many lines of at most 100 columns as it takes. Lines end where C++ binds
/// least: between terms rather than factors, outside of parentheses rather than inside. Later lines of a definition
/// begin with their operator below its equals sign, others four columns in. `indent` goes before every line. No final
/// newline.
std::string wrap_statement(std::string_view statement, std::string_view indent);

/// Rows as aligned lines of a comment. Numbers stand to the right where `right` holds; the first column and the last
/// never do.
std::string comment_table(const std::vector<std::vector<std::string>>& rows, bool right = false);

/// The shortest decimal text that reads back as exactly `value`, always a floating literal: "1.0", not "1"; of float
/// "1.0f". The only place that prints numbers into C++. Throws InternalError for infinities and NaN, which have no
/// literal.
std::string literal(double value, std::string_view scalar = "double");

/// As literal(), but +-infinity becomes a std::numeric_limits expression.
std::string literal_or_infinity(double value, const std::string& scalar = "double");

using Replacement = std::pair<std::string, std::string>;

using featherline::skeleton;

/// `text` with every {{name}} replaced. A line that holds nothing but placeholders with empty values is dropped. Lines
/// from {{#name}} to {{/name}} are dropped where this value is empty, those from {{^name}} to {{/name}} where it is
/// not. Throws InternalError for a placeholder without value, for {{ without }}, and for one of `values` without
/// placeholder. Those of `shared` need not have one.
std::string render(std::string_view text, const std::vector<Replacement>& values,
                   const std::vector<Replacement>& shared = {});

}  // namespace featherline::emit
