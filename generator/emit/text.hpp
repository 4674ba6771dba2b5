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

/// One statement, ending in ';', over as many lines of at most 100 columns as it takes. Breaks before
/// operators and after commas, at the shallowest parenthesis depth that fits. `indent` goes before the first
/// line, `indent` and four spaces more before the others. No final newline.
std::string wrap_statement(std::string_view statement, std::string_view indent);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace featherline::emit
