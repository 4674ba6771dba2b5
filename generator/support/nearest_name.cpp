#include "support/nearest_name.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>

namespace featherline {
namespace {

/// The optimal string alignment distance, computed row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 80;  // the distance is quadratic, and nobody types longer names by hand
  if (name.size() > longest) return {};
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(2, name.size() / 3) + 1;
  const std::string wanted = in_lower_case(name);
  for (const std::string& candidate : candidates) {
    const std::size_t edits = edit_distance(wanted, in_lower_case(candidate));
    if (edits < fewest && edits < std::max(name.size(), candidate.size())) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string refuse_word(std::string_view word, const std::vector<std::string>& valid,
                        const std::string& suggestion) {
  std::string text = in_quotes(word) + " is not one of " + join(valid);
  const std::string nearest = suggestion.empty() ? nearest_name(word, valid) : suggestion;
  if (!nearest.empty()) text += "; did you mean " + in_quotes(nearest) + "?";
  return text;
}

}  // namespace featherline
