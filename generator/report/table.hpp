#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace featherline::report {

/// A table in HTML that scrolls sideways on narrow screens.
class Table {
 public:
  struct Column {
    std::string heading;   ///< HTML
    bool numbers = false;  ///< aligned to the right
  };
  /// `label` says what the table holds, for screen readers.
  Table(std::string label, std::vector<Column> columns);

  /// Cells are HTML. The first one is the heading of the row. `css_class` may be empty.
  void add(const std::vector<std::string>& cells, std::string_view css_class = {});
  std::string html() const;

 private:
  std::string label_;
  std::vector<Column> columns_;
  std::string rows_;
};

/// "1.2345", or a dash for infinities: six digits.
std::string number_text(double value);

/// "{name}: {value}": an entry of a list of terms.
std::string term(std::string_view name, std::string_view html);

}  // namespace featherline::report
