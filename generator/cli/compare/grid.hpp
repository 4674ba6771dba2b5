#pragma once

#include <string>
#include <vector>

/// Tables of text, and lines of limited width.
namespace featherline::cli {

using Row = std::vector<std::string>;

/// Cells. The first `names` columns are names, all others are numbers.
struct Grid {
  std::size_t names = 1;
  Row header;
  std::vector<Row> rows;
};

/// Columns of equal width. A row of one cell is a heading, and may be wider than its column.
std::string print_text(const Grid& grid);
/// For grids without headings.
std::string print_markdown(const Grid& grid);

/// Breaks a line between words, at 120 characters; all lines but the first begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent);

}  // namespace featherline::cli
