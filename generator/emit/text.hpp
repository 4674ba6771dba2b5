#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text that is safe where it is put, whatever the URDF calls its links.
namespace featherline::emit {

/// `text` fit for a `//` or `///` comment: one line, ASCII, no comment delimiters, backslashes or trigraphs,
/// at most `max_length` characters.
std::string comment_safe(std::string_view text, std::size_t max_length = 80);

/// A C++ string literal, quotes included, that holds exactly the bytes of `text`.
std::string string_literal(std::string_view text);

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

std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace featherline::emit
