#include "report/matrix_pictures.hpp"

#include "support/html.hpp"
#include "support/nearest_name.hpp"

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
  return fmt::format("{} of {} entries can differ from zero ({:.0f} %)", nonzeros, all, 100.0 * nonzeros / all);
}

std::string picture(const Matrix& matrix) {
  const int n = matrix.size, side = n * entry_size(n);
  return fmt::format(
      "<figure class=\"matrix\">\n<figcaption><b>{0}</b> {1}<br/><span class=\"quiet\">{2} of "
      "<code>{3}</code></span></figcaption>\n"
      "<svg width=\"{4}\" height=\"{4}\" viewBox=\"0 0 {5} {5}\" role=\"img\" aria-label=\"{0}: {6}\" data-rows=\"{5}\">"
      "<path class=\"filled\" d=\"{7}\"/><path class=\"grid\" d=\"{8}\"/></svg>\n"
      "<p class=\"quiet\">{6}</p>\n</figure>\n",
      escape_html(matrix.output), "", escape_html(matrix.meaning), escape_html(matrix.function), side, n, share(matrix),
      filled(matrix), grid(n));
}

}  // namespace

std::string matrix_pictures(const std::vector<Matrix>& matrices) {
  std::string pictures;
  std::vector<std::string> full;
  for (const Matrix& matrix : matrices) {
    if (matrix.num_nonzeros() == matrix.size * matrix.size)
      full.push_back(fmt::format("{} of {}", matrix.output, matrix.function));
    else
      pictures += picture(matrix);
  }
  std::string text;
  if (!pictures.empty()) text += "<div class=\"matrices\">\n" + pictures + "</div>\n<p id=\"entry\" aria-live=\"off\">Point at an entry to see its row and column.</p>\n";
  if (!full.empty()) text += "<p>Without zeros: " + escape_html(join(full)) + ".</p>\n";
  if (matrices.empty())
    text = "<p>None of the functions has a matrix whose zeros are known; --functions mass_matrix,rnea_derivatives adds some.</p>\n";
  return text;
}

}  // namespace featherline::report
