#include "cli/text_table.hpp"

#include <algorithm>
#include <utility>

namespace featherline::cli {
namespace {

/// Characters, not bytes: names may hold any UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_) widths_.push_back(width(column.heading));
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t k = 0; k < std::min(cells.size(), widths_.size()); ++k)
    widths_[k] = std::max(widths_[k], width(cells[k]));
  rows_.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::size_t column_width = k < columns_.size() ? widths_[k] : 0;
    const std::string padding(column_width - std::min(column_width, width(cells[k])), ' ');
    const bool right = k < columns_.size() && columns_[k].side == Side::right;
    text += "  " + (right ? padding + cells[k] : cells[k] + padding);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string TextTable::text() const {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string text = line(headings);
  for (const std::vector<std::string>& row : rows_) text += line(row);
  return text;
}

}  // namespace featherline::cli
