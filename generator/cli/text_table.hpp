#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Tables for a terminal or a page, and lines of limited width.
namespace featherline::cli {

/// Every column is as wide as its widest cell. Wide and combining characters count as a terminal shows them.
class TextTable {
 public:
  /// `point`: numbers, whose decimal points stand below each other.
  enum class Side { left, right, point };

  /// A cell longer than `most` columns loses its middle, marked by "...".
  struct Column {
    std::string heading;
    Side side = Side::left;
    std::size_t most = static_cast<std::size_t>(-1);
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// The first `names` columns are names, and all others numbers.
  TextTable(std::size_t names, const std::vector<std::string>& headings);

  /// Adds a row with one cell for each column. Further cells follow the last column without alignment. A row of one
  /// cell is a heading, and may be wider than its column.
  void add(std::vector<std::string> cells);

  /// Whether a cell was cut.
  bool is_cut() const { return is_cut_; }

  /// The headings and the rows. Two spaces separate the columns.
  std::string text(std::string_view indent = "  ") const;
  /// For tables without headings among the rows.
  std::string markdown() const;

 private:
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                   std::string_view indent) const;
  std::vector<std::string> headings() const;
  std::vector<std::vector<std::string>> with_aligned_points() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  bool is_cut_ = false;
};

/// The text without its middle, at most `most` columns wide. Whole characters are kept.
std::string without_middle(const std::string& text, std::size_t most);

/// Breaks a line between words, at 120 characters; all lines but the first begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent);

/// A number for a column: at most six decimals and no zeros at their end. What would show as zero, but is not, becomes
/// "~0". Numbers from a million on have an exponent.
std::string column_number(double value);

}  // namespace featherline::cli
