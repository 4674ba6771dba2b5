#include "option_types.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace featherline::cli {
namespace {

/// The words between commas. A backslash takes the meaning from a comma alone: names may have both.
Texts split(const std::string& text) {
  Texts items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (is_escaped) ++i;
    if (text[i] == ',' && !is_escaped)
      items.emplace_back();
    else
      items.back() += text[i];
  }
  std::transform(items.begin(), items.end(), items.begin(), trimmed);
  return items;
}

}  // namespace

void Given::refuse(const std::string& why) const {
  throw UsageError(flag + ": " + in_quotes(text()) + " " + why);
}

bool Option::is_repeated() const {
  return type.takes == Takes::list || type.takes == Takes::names || type.takes == Takes::pairs ||
         type.takes == Takes::scalars || type.takes == Takes::nothing;
}

void one_of(const std::string& flag, const std::string& word, const Texts& valid) {
  if (std::ranges::find(valid, word) == valid.end()) throw UsageError(flag + ": " + refuse_word(word, valid));
}

Texts split_list(const Given& given) {
  Texts all;
  for (const std::string& text : given.texts) {
    const Texts items = split(text);
    if (std::ranges::find(items, "") != items.end())
      Given{given.flag, {text}}.refuse("has an empty item; write A,B,C");
    all.insert(all.end(), items.begin(), items.end());
  }
  return all;
}

double finite(const Given& given, const std::string& text) {
  const std::optional<double> value = finite_number(text);
  if (!value) Given{given.flag, {text}}.refuse("is not a finite number");
  return *value;
}

std::string read_file(const Given& given, const std::string& remedy) {
  if (const auto text = read_whole(given.text())) return *text;
  given.refuse("cannot be read; " + remedy);
}

/// Compares before it converts: a number that an int cannot hold has no conversion.
int whole_number(const Given& given, int least, int most) {
  const double value = finite(given, given.text());
  if (!(value >= least && value <= most) || value != std::floor(value))
    given.refuse("is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return static_cast<int>(value);
}

int bytes_of(const Given& given) {
  constexpr double most = 1000.0 * 1024 * 1024;
  double value = 0.0;
  const char* end = given.text().data() + given.text().size();
  const auto [rest, error] = std::from_chars(given.text().data(), end, value);
  const std::string unit = in_lower_case(trimmed(std::string(rest, end)));
  const double factor = unit.empty() || unit == "b"                    ? 1.0
                        : unit == "k" || unit == "kb" || unit == "kib" ? 1024.0
                        : unit == "m" || unit == "mb" || unit == "mib" ? 1024.0 * 1024.0
                                                                       : 0.0;
  const double bytes = std::floor(value * factor);
  if (error != std::errc() || !(bytes >= 1.0 && bytes <= most))
    given.refuse("is not a size from one byte to 1000M; write 2000, 1k, 1.5KiB or 2M (k is 1024)");
  return static_cast<int>(bytes);
}

std::string list_of_names(const Texts& names) {
  Texts escaped = each(names, [&](const std::string& name) { return with_escapes(name, ","); });
  return shell_word(join(escaped, ","));
}

}  // namespace featherline::cli
