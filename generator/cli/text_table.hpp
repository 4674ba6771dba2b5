#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Tables for a terminal or a page, and lines of limited width.
namespace featherline::cli {

/// A column of a table. A cell longer than `most` columns of the terminal loses its middle, marked by "...".
struct Column {
  /// `point`: numbers, whose decimal points stand below each other.
  enum class Side { left, right, point };

  std::string heading;
  Side side = Side::left;
  std::size_t most = std::string::npos;
};
inline Column left(const std::string& heading, std::size_t most = std::string::npos) {
  return {heading, Column::Side::left, most};
}
inline Column right(const std::string& heading) { return {heading, Column::Side::right}; }
inline Column point(const std::string& heading) { return {heading, Column::Side::point}; }

/// Every column is as wide as its widest cell. Wide and combining characters count as a terminal shows them.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);
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
  std::vector<std::vector<std::string>> with_aligned_points() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< the first one has the headings
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
