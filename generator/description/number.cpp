#include "description/checks.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace featherline::description {
namespace {

/// find_first_of() of the library takes three times as long.
constexpr bool is_white_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

ParsedNumber refuse(std::string_view text, const std::string& problem, std::string remedy) {
  return {0.0, in_quotes(text) + ' ' + problem, std::move(remedy)};
}

ParsedNumber refuse_rest(std::string_view text, std::string_view rest) {
  if (rest[0] == ',') return refuse(text, "has a decimal comma", "write a decimal point");
  if (rest[0] == 'x' || rest[0] == 'X') return refuse(text, "is hexadecimal", "write a decimal number");
  return refuse(text, "is a number followed by " + in_quotes(rest),
                "write the plain number in SI units, without unit or expression");
}

}  // namespace

ParsedNumber parse_number(std::string_view text) {
  if (text.empty()) return refuse(text, "is not a number", "write a decimal number");
  std::string_view digits = text;
  if (digits[0] == '+' && digits.size() > 1 && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string_view rest = digits.substr(static_cast<std::size_t>(end - digits.data()));
  if (status == std::errc::invalid_argument) return refuse(text, "is not a number", "write a decimal number");
  if (!rest.empty()) return refuse_rest(text, rest);
  const bool lost_digits = value != 0.0 && std::abs(value) < std::numeric_limits<double>::min();
  if (status == std::errc::result_out_of_range || lost_digits) {
    return refuse(text, "is outside the range of a double", "write a number between 1e-300 and 1e300");
  }
  if (!std::isfinite(value)) return refuse(text, "is not finite", "write a finite number");
  return {value, {}, {}};
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    for (end = begin; end < text.size() && !is_white_space(text[end]);) ++end;
    if (end > begin) words.push_back(text.substr(begin, end - begin));
  }
  return words;
}

std::string to_text(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string to_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

}  // namespace featherline::description
