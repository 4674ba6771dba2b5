#include "support/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace featherline {

double without_rounding(double x, double scale) {
  constexpr double rounding = 1.8e-15;  // 8 units in the last place: sums of a few products
  constexpr double coincidence =
      100.0;  // two decimals less than that hides: one number in 50 has them by chance
  constexpr int most_decimals = 30;
  const double tolerance = rounding * scale;
  if (!(tolerance > 0.0) || !std::isfinite(x) || !std::isfinite(tolerance)) return x;
  const int decimals =
      std::clamp(static_cast<int>(-std::ceil(std::log10(coincidence * tolerance))), 0, most_decimals);
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::fixed, decimals).ptr;
  double rounded = x;
  std::from_chars(text.data(), end, rounded);
  return std::abs(rounded - x) <= tolerance ? rounded + 0.0 : x;  // no negative zero
}

}  // namespace featherline
