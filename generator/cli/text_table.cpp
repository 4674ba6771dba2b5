#include "cli/output_files.hpp"

#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::cli {
namespace {

constexpr std::string_view dots = "...";

std::size_t character_length(std::string_view text) { return std::max<std::size_t>(utf8_length(text), 1); }

/// The first characters that fit into `columns`.
std::string head(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + character_length(text.substr(end));
    if (display_width(text.substr(0, next)) > columns) break;
    end = next;
  }
  return std::string(text.substr(0, end));
}

/// The last characters that fit into `columns`.
std::string tail(std::string_view text, std::size_t columns) {
  while (display_width(text) > columns) text.remove_prefix(character_length(text));
  return std::string(text);
}

/// How many characters of a number stand from its point on.
std::size_t decimals_of(const std::string& number) {
  return number.size() - std::min(number.find_first_of(".e"), number.size());
}

}  // namespace

std::string without_middle(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  const std::size_t kept = most - std::min(most, dots.size()), at_end = kept / 3;
  return head(text, kept - at_end) + std::string(dots) + tail(text, at_end);
}

std::string column_number(double value) {
  constexpr double largest = 1e6, smallest = 5e-7;
  if (value == 0.0) return "0";
  if (!std::isfinite(value) || std::abs(value) >= largest) return fmt::format("{:.6g}", value);
  if (std::abs(value) < smallest) return "~0";
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)), rows_(1) {
  for (const Column& column : columns_) rows_[0].push_back(column.heading);
}

TextTable::TextTable(std::size_t names, const std::vector<std::string>& headings) : rows_{headings} {
  for (const std::string& heading : headings)
    columns_.push_back(columns_.size() < names ? left(heading) : right(heading));
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t k = 0; k < std::min(cells.size(), columns_.size()); ++k) {
    std::string shown = without_middle(cells[k], columns_[k].most);
    is_cut_ = is_cut_ || shown != cells[k];
    cells[k] = std::move(shown);
  }
  rows_.push_back(std::move(cells));
}

/// Fills up the decimals of a column with spaces. So numbers that end on the right have their points in one column.
std::vector<std::vector<std::string>> TextTable::with_aligned_points() const {
  std::vector<std::vector<std::string>> rows = rows_;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (columns_[k].side != Column::Side::point) continue;
    std::size_t decimals = 0;
    for (std::size_t r = 1; r < rows.size(); ++r) decimals = std::max(decimals, decimals_of(rows[r][k]));
    for (std::size_t r = 1; r < rows.size(); ++r) rows[r][k].append(decimals - decimals_of(rows[r][k]), ' ');
  }
  return rows;
}

std::string TextTable::text(std::string_view indent) const {
  const std::vector<std::vector<std::string>> rows = with_aligned_points();
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t k = 0; row.size() > 1 && k < std::min(row.size(), widths.size()); ++k)
      widths[k] = std::max(widths[k], display_width(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    text += indent;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::size_t width = k < widths.size() ? widths[k] : 0;
      const std::string padding(width - std::min(width, display_width(row[k])), ' ');
      const bool is_left = k >= columns_.size() || columns_[k].side == Column::Side::left;
      text += (k == 0 ? "" : "  ") + (is_left ? row[k] + padding : padding + row[k]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  for (const auto& row : rows_) {
    text += "| " + join(row, " | ") + " |\n";
    if (&row != &rows_.front()) continue;
    text += '|';
    for (const Column& column : columns_) text += column.side == Column::Side::left ? " --- |" : " --: |";
    text += '\n';
  }
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
