#include "report/parts.hpp"

#include "support/text.hpp"

#include <fmt/format.h>

namespace featherline::report {
namespace {

/// Pixels of a side of an entry.
int entry_size(int rows) { return rows <= 8 ? 22 : rows <= 14 ? 16 : rows <= 40 ? 8 : rows <= 80 ? 5 : 2; }

/// Nonzeros as one path: neighbours in a row are one rectangle.
std::string filled(const Matrix& matrix) {
  std::string path;
  for (int i = 0; i < matrix.size; ++i) {
    for (int j = 0; j < matrix.size; ++j) {
      if (!matrix.at(i, j)) continue;
      const int first = j;
      while (j < matrix.size && matrix.at(i, j)) ++j;
      path += fmt::format("M{} {}h{}v1h-{}z", first, i, j - first, j - first);
    }
  }
  return path;
}

std::string grid(int rows) {
  std::string path;
  for (int k = 1; k < rows; ++k) path += fmt::format("M0 {0}h{1}M{0} 0v{1}", k, rows);
  return path;
}

std::string share(const Matrix& matrix) {
  const int all = matrix.size * matrix.size, nonzeros = matrix.num_nonzeros();
  return fmt::format("{} of {} entries are not structural zeros ({:.0f} %)", nonzeros, all,
                     100.0 * nonzeros / all);
}

/// Without the details: "d tau_i / d q_j".
std::string first_clause(const std::string& meaning) {
  return meaning.substr(0, meaning.find_first_of(":,;"));
}

std::string picture(const Matrix& matrix) {
  const int side = matrix.size * entry_size(matrix.size);
  const std::string name =
      fmt::format("<b>{}</b> of <code>{}</code><br><span class=\"quiet\">{}</span>", matrix.output,
                  matrix.function, escape_html(first_clause(matrix.meaning)));
  const std::string svg = fmt::format(
      "<svg width=\"{0}\" height=\"{0}\" viewBox=\"0 0 {1} {1}\" role=\"img\" aria-label=\"{2}: {3}\" "
      "data-rows=\"{1}\"><path class=\"filled\" d=\"{4}\"/><path class=\"grid\" d=\"{5}\"/></svg>",
      side, matrix.size, matrix.output, share(matrix), filled(matrix), grid(matrix.size));
  return fmt::format(
      "<figure class=\"matrix\">\n<figcaption>{}</figcaption>\n{}\n<p class=\"quiet\">{}</p>\n</figure>\n",
      name, svg, share(matrix));
}

}  // namespace

std::string matrix_pictures(const std::vector<Matrix>& matrices) {
  std::string pictures;
  std::vector<std::string> full, unknown;
  for (const Matrix& matrix : matrices) {
    if (!matrix.is_known())
      unknown.push_back(matrix.output + " of " + matrix.function);
    else if (matrix.num_nonzeros() == matrix.size * matrix.size)
      full.push_back(matrix.output + " of " + matrix.function);
    else
      pictures += picture(matrix);
  }
  if (matrices.empty()) {
    return "<p>None of the functions is drawn here; --functions mass_matrix,rnea_derivatives adds "
           "some.</p>\n";
  }
  std::string text;
  if (!pictures.empty()) {
    text += "<div class=\"matrices\">\n" + pictures +
            "</div>\n<p id=\"entry\">Point at an entry to see its row and column.</p>\n";
  }
  if (!full.empty()) text += "<p>Without zeros: " + join(full) + ".</p>\n";
  if (!unknown.empty()) {
    text += "<p>Not known, because loops compute them for a robot of this size: " + join(unknown) + ".</p>\n";
  }
  return text;
}

}  // namespace featherline::report
