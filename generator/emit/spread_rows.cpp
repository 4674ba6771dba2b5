#include "emit/spread_rows.hpp"

#include "emit/text.hpp"

namespace featherline::emit {

SpreadRows::SpreadRows(const FunctionRequest& packed, const std::vector<int>& dense_sizes) {
  for (const ir::Parameter& p : packed.program.function.outputs) num_packed_ += p.size;
  int first = 0;
  for (std::size_t o = 0; o < dense_sizes.size(); ++o) {
    std::vector<int> rows(static_cast<std::size_t>(dense_sizes[o]), num_packed_);
    for (const passes::PackedEntry& entry : packed.packed_maps->at(o)) {
      const int row = first + entry.packed_index;
      rows.at(static_cast<std::size_t>(entry.dense_index)) = entry.negated ? negative(row) : row;
    }
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    first += packed.program.function.outputs[o].size;
  }
}

std::string SpreadRows::table() const {
  std::string list;
  for (const int row : rows_) list += std::to_string(row) + ", ";
  const char* type = count() < 65536 ? "unsigned short" : "int";
  return "  /// The lanes of each number, zeros and opposites behind those that are computed.\n  static "
         "constexpr " +
         std::string(type) + " spread[] = {\n" + fill_lines(list, "      ", "      ") +
         "};\n  [[gnu::always_inline]] static constexpr int row(int i) { return spread[i]; }";
}

std::string SpreadRows::further_rows() const {
  std::string text = "    rows[" + std::to_string(num_packed_) + "] = S(0.0);";
  std::map<int, int> by_row;
  for (const auto& [source, row] : negatives_) by_row.emplace(row, source);
  for (const auto& [row, source] : by_row) {
    text += "\n    rows[" + std::to_string(row) + "] = -rows[" + std::to_string(source) + "];";
  }
  return text;
}

int SpreadRows::negative(int row) {
  return negatives_.emplace(row, num_packed_ + 1 + static_cast<int>(negatives_.size())).first->second;
}

}  // namespace featherline::emit
