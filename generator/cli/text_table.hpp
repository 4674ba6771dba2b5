#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Tables for a terminal.
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
  explicit TextTable(std::vector<Column> columns);

  /// Adds a row with one cell for each column. Further cells follow the last column without alignment.
  void add(std::vector<std::string> cells);

  /// Whether a cell was cut.
  bool is_cut() const { return is_cut_; }

  /// The headings and the rows. Each line begins with two spaces, and two spaces separate the columns.
  std::string text() const;

 private:
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;
  std::vector<std::vector<std::string>> with_aligned_points() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  bool is_cut_ = false;
};

/// The text without its middle, at most `most` columns wide. Whole characters are kept.
std::string without_middle(const std::string& text, std::size_t most);

/// A number for a column: at most six decimals and no zeros at their end. What would show as zero, but is not, becomes
/// "~0". Numbers from a million on have an exponent.
std::string column_number(double value);

}  // namespace featherline::cli
