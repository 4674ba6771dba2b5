#include "support/text.hpp"

#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <span>
#include <sstream>

namespace featherline {
namespace {

std::size_t length_from_first_byte(unsigned char c) {
  return c < 0x80 ? 1 : c < 0xc0 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 0;
}

std::uint32_t code_point(std::string_view character) {
  static constexpr unsigned char first_byte_mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t value = static_cast<unsigned char>(character[0]) & first_byte_mask[character.size()];
  for (const char c : character.substr(1)) value = (value << 6) | (static_cast<unsigned char>(c) & 0x3fu);
  return value;
}

struct Range {
  std::uint32_t first, last;
};

/// Marks that stand on the character before them.
constexpr Range marks[] = {{0x300, 0x36f}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}};

/// Characters as wide as two: those of East Asian scripts, and emoji. The larger blocks of the table
/// EastAsianWidth.txt of Unicode.
constexpr Range wide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},  {0x3400, 0x4dbf},
                          {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
                          {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
                          {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

/// Characters that control the output and are not visible: C0; DEL and C1; zero-width ones; line and paragraph
/// separators and bidirectional overrides.
constexpr Range controls[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x200b, 0x200f},
                              {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}};

bool is_in(std::span<const Range> ranges, std::uint32_t value) {
  return std::ranges::any_of(ranges,
                             [=](const Range& range) { return value >= range.first && value <= range.last; });
}

/// The optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, replaced});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

/// Rounds x to few decimals. The decimals are so few that a random number is as near to a rounded one only in about
/// one case of `coincidence`. Returns x itself if rounding would change it by more than `tolerance`.
double round_to_fewer_digits(double x, double tolerance, double coincidence) {
  constexpr int most_decimals = 30;
  const int decimals =
      std::clamp(static_cast<int>(-std::ceil(std::log10(coincidence * tolerance))), 0, most_decimals);
  const double rounded = *finite_number(fmt::format("{:.{}f}", x, decimals));
  return std::abs(rounded - x) <= tolerance ? rounded + 0.0 : x;  // no negative zero
}

/// The candidate that begins with `start`, if there is exactly one.
std::string only_longer_name(const std::string& start, const std::vector<std::string>& candidates) {
  const auto begins = [&](const std::string& candidate) {
    return in_lower_case(candidate).starts_with(start);
  };
  const auto found = std::ranges::find_if(candidates, begins);
  return std::ranges::count_if(candidates, begins) == 1 ? *found : std::string();
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t length = length_from_first_byte(static_cast<unsigned char>(text[0]));
  if (length == 0 || length > text.size()) return 0;
  for (const char c : text.substr(1, length - 1)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return 0;
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}, largest = 0x10ffff;
  const std::uint32_t value = code_point(text.substr(0, length));
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  return value < least[length] || value > largest || is_surrogate ? 0 : length;
}

bool is_control(std::string_view character) { return is_in(controls, code_point(character)); }

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::uint32_t character = length == 0 ? 0 : code_point(text.substr(0, length));
    width += is_in(marks, character) ? 0 : is_in(wide, character) ? 2 : 1;
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return width;
}

NamedTexts read_texts(std::string_view path) {
  NamedTexts texts;
  std::string name;
  for (const std::string& line : split_at(std::string(skeleton(path)), '\n')) {
    if (line.starts_with('[') && line.ends_with(']'))
      name = line.substr(1, line.size() - 2);
    else if (!name.empty() && !line.empty() && !line.starts_with('#'))
      (texts[name] += texts[name].empty() ? "" : " ") += trimmed(line);
  }
  return texts;
}

const std::string& text_of(const NamedTexts& texts, const std::string& name) {
  const auto found = texts.find(name);
  if (found == texts.end()) throw InternalError("templates/words says nothing of " + name);
  return found->second;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == separator) {
      parts.emplace_back();
      continue;
    }
    parts.back() += text[i];
    if (text[i] == '\\' && i + 1 < text.size()) parts.back() += text[++i];
  }
  return parts;
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string without_escapes(const std::string& text, std::string_view separators) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes =
        text[i] == '\\' && i + 1 < text.size() && separators.find(text[i + 1]) != std::string_view::npos;
    plain += text[escapes ? ++i : i];
  }
  return plain;
}

std::string with_escapes(const std::string& text, std::string_view separators) {
  std::string escaped;
  for (const char c : text) {
    if (separators.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::optional<double> finite_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    constexpr std::string_view special = "&<>\"'";
    constexpr const char* entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    const std::size_t k = special.find(c);
    escaped += k == special.npos ? std::string(1, c) : entities[k];
  }
  return escaped;
}

std::string shown_name(std::string_view name) {
  std::string text = in_quotes(name);
  text.erase(text.rfind('"'), 1);
  return text.substr(1);
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string shell_word(const std::string& text) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::optional<std::string> read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  in.peek();  // a folder can be opened, but not read
  if (in.fail()) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 80;  // the distance is quadratic, and nobody types longer names by hand
  if (name.size() > longest) return {};
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(2, name.size() / 3) + 1;
  const std::string wanted = in_lower_case(name);
  for (const std::string& candidate : candidates) {
    if (candidate.size() >= name.size() + fewest) continue;
    const std::size_t edits = edit_distance(wanted, in_lower_case(candidate));
    if (edits < fewest && edits < std::max(name.size(), candidate.size())) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest.empty() && name.size() > 2 ? only_longer_name(wanted, candidates) : nearest;
}

std::string refuse_word(std::string_view word, const std::vector<std::string>& valid,
                        const std::string& suggestion) {
  const std::string nearest = suggestion.empty() ? nearest_name(word, valid) : suggestion;
  return in_quotes(word) + " is not one of " + join(valid) +
         (nearest.empty() ? "" : "; did you mean " + in_quotes(nearest) + "?");
}

std::string no_such(const std::string& kind, std::string_view name, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(name, names);
  return "there is no " + kind + " " + in_quotes(name) + "; " +
         (nearest.empty() ? "featherline inspect lists the " + kind + "s"
                          : "did you mean " + in_quotes(nearest) + "?");
}

double round_number(double x, double scale) {
  constexpr double sums = 1.8e-15, product = 4.5e-16;  // relative rounding of a few operations, and of one
  if (!(scale * product > 0.0) || !std::isfinite(x) || !std::isfinite(scale)) return x;
  const double much_shorter = round_to_fewer_digits(x, sums * scale, 50.0);
  return much_shorter != x ? much_shorter : round_to_fewer_digits(x, product * scale, 5.0);
}

}  // namespace featherline
