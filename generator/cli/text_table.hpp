#pragma once

#include <string>
#include <vector>

namespace featherline::cli {

/// A table for a terminal. Every column is as wide as its widest cell, whatever the robot calls its joints.
class TextTable {
 public:
  enum class Side { left, right };

  /// The headings, and the side their columns keep to.
  struct Column {
    std::string heading;
    Side side = Side::left;
  };
  explicit TextTable(std::vector<Column> columns);

  /// One cell a column; cells beyond the last column stand behind it as they are.
  void add(std::vector<std::string> cells);

  /// The heading and the rows, each behind two spaces; columns are two spaces apart.
  std::string text() const;

 private:
  std::string line(const std::vector<std::string>& cells) const;

  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace featherline::cli
