#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

/// The one measure of error: max |x - ref| / max(1, max |ref|) of an array. The README promises that it is at most
/// 1e-10. Verification, `check`, `compare`, exact quarter turns and the tests measure with the functions below.
/// runtime/guide/verification.md has the table of what differs from the promise, and why.
namespace featherline::reference {

inline constexpr double promised_error = 1e-10;

/// What errors of an array are relative to: its largest magnitude, and no less than `least`.
template <class Numbers>
double error_scale(const Numbers& reference, double least = 1.0) {
  for (const auto& value : reference) least = std::max(least, std::abs(static_cast<double>(value)));
  return least;
}

/// |x - reference| / scale, infinite if that is not a number. So NaN never passes a comparison.
inline double relative_error(double x, double reference, double scale) {
  const double error = std::abs(x - reference) / scale;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

struct ArrayError {
  double relative = 0.0;
  std::size_t entry = 0;  ///< the worst one
};

/// The measure. Both arrays have the same size. Some errors are relative to no less than `least` in place of 1.
template <class Found, class Reference>
ArrayError array_error(const Found& x, const Reference& reference, double least = 1.0) {
  const double scale = error_scale(reference, least);
  ArrayError worst;
  std::size_t entry = 0;
  auto expected = reference.begin();
  for (const auto& found : x) {
    const double error = relative_error(static_cast<double>(found), static_cast<double>(*expected++), scale);
    if (error > worst.relative) worst = {error, entry};
    ++entry;
  }
  return worst;
}

}  // namespace featherline::reference
