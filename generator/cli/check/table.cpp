#include "cli/check/table.hpp"

#include "cli/check/entry_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace featherline::cli {
namespace {

std::string name(const Row& row) { return row.function->name + row.form->label(); }

std::string line(const Row& row, std::size_t width, const model::Tree& tree) {
  const std::string residual = row.residual ? fmt::format("{:.1e}", *row.residual) : "-";
  const std::string entry = entry_name(row.worst, *row.function, tree);
  return fmt::format("{:<{}}  {:>6}  {:>14.1e}  {:>7.0e}  {:>7.1e}  {:>8}  {} of state {}{}\n", name(row),
                     width, row.function->states, row.relative, row.allowed, row.entries, residual, entry,
                     row.state, row.agrees() ? "" : "  FAILED");
}

}  // namespace

bool print_table(const std::vector<Row>& rows, const model::Tree& tree, std::ostream& out) {
  std::size_t width = 8;
  bool all_agree = true, any_float = false;
  for (const Row& row : rows) {
    width = std::max(width, name(row).size());
    all_agree = all_agree && row.agrees();
    any_float = any_float || row.form->scalar == "float";
  }
  out << fmt::format("{:<{}}  {:>6}  {:>14}  {:>7}  {:>7}  {:>8}  worst entry\n", "function", width, "states",
                     "relative error", "allowed", "entries", "residual");
  for (const Row& row : rows) out << line(row, width, tree);
  out << fmt::format("{}: max |x - ref| / max(1, max |ref|) is allowed up to {:.0e}{}\n",
                     all_agree ? "agreed" : "DISAGREED", of_double.relative,
                     any_float ? ", in float up to what rounding does to this robot" : "");
  out << "entries, residual: the worst entry's own error, and that of M a + bias - tau row by row, as shares "
         "of what is allowed; above 1 is wrong\n";
  return all_agree;
}

}  // namespace featherline::cli
