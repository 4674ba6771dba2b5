#include "cli/compare/grid.hpp"

#include "support/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::cli {

std::string print_text(const Grid& grid) {
  std::vector<std::size_t> widths;
  const auto widen = [&](const Row& row) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  };
  widen(grid.header);
  for (const Row& row : grid.rows)
    if (row.size() > 1) widen(row);
  std::string text;
  const auto print = [&](const Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::size_t width = row.size() > 1 ? widths[k] : 0;
      text += (k > 0 ? "  " : "") +
              (k < grid.names ? fmt::format("{:<{}}", row[k], width) : fmt::format("{:>{}}", row[k], width));
    }
    text += '\n';
  };
  print(grid.header);
  for (const Row& row : grid.rows) print(row);
  return text;
}

std::string print_markdown(const Grid& grid) {
  std::string text = "| " + join(grid.header, " | ") + " |\n|";
  for (std::size_t k = 0; k < grid.header.size(); ++k) text += k < grid.names ? " --- |" : " --: |";
  text += '\n';
  for (const Row& row : grid.rows) text += "| " + join(row, " | ") + " |\n";
  return text;
}

std::string wrapped(const std::string& text, const std::string& indent) {
  constexpr std::size_t width = 120;
  std::string lines;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines += line + '\n';
      line = indent + word;
    } else {
      line += (begin > 0 ? " " : "") + word;
    }
    begin = end + 1;
  }
  return lines + line + '\n';
}

}  // namespace featherline::cli
