#include "report/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace featherline::report {

Table::Table(std::string label, std::vector<Column> columns)
    : label_(std::move(label)), columns_(std::move(columns)) {}

void Table::add(const std::vector<std::string>& cells, std::string_view css_class) {
  rows_ += css_class.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", css_class);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const char* tag = k == 0 ? "th scope=\"row\"" : "td";
    rows_ += fmt::format("<{}{}>{}</{}>", tag, columns_.at(k).numbers ? " class=\"n\"" : "", cells[k],
                         k == 0 ? "th" : "td");
  }
  rows_ += "</tr>\n";
}

std::string Table::html() const {
  std::string head;
  for (const Column& column : columns_)
    head += fmt::format("<th scope=\"col\"{}>{}</th>", column.numbers ? " class=\"n\"" : "", column.heading);
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\">\n<table>\n<thead><tr>{}</tr></thead>\n"
      "<tbody>\n{}</tbody>\n</table>\n</div>\n",
      label_, head, rows_);
}

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–"; }

std::string term(std::string_view name, std::string_view html) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
}

}  // namespace featherline::report
