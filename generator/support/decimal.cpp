#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace featherline {

namespace {

/// Rounds x to few decimals. The decimals are so few that a random number is as near to a rounded one only in about
/// one case of `coincidence`. Returns x itself if rounding would change it by more than `tolerance`.
double round_to_fewer_digits(double x, double tolerance, double coincidence) {
  constexpr int most_decimals = 30;
  const int decimals =
      std::clamp(static_cast<int>(-std::ceil(std::log10(coincidence * tolerance))), 0, most_decimals);
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::fixed, decimals).ptr;
  double rounded = x;
  std::from_chars(text.data(), end, rounded);
  return std::abs(rounded - x) <= tolerance ? rounded + 0.0 : x;  // no negative zero
}

}  // namespace

double round_number(double x, double scale) {
  constexpr double sums = 1.8e-15, product = 4.5e-16;  // relative rounding of a few operations, and of one
  if (!(scale * product > 0.0) || !std::isfinite(x) || !std::isfinite(scale)) return x;
  const double much_shorter = round_to_fewer_digits(x, sums * scale, 50.0);
  return much_shorter != x ? much_shorter : round_to_fewer_digits(x, product * scale, 5.0);
}

}  // namespace featherline
