#pragma once

namespace featherline {

/// The number with few decimals that `x` stands for: 0.0004 for 0.00039999999999995595. `scale` is the size of the
/// numbers that x was computed from, so its rounding error is about 1e-16 of the scale. If no short number is within
/// rounding of x, as for the sine of an angle, x stays as it is. Nothing changes by more than 2e-15 of the scale.
double round_number(double x, double scale);

}  // namespace featherline
