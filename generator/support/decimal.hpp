#pragma once

namespace featherline {

/// The number with few decimals that `x` stands for: 0.0004 for 0.00039999999999995595. `scale` is the size of what x
/// was computed from, so that rounding amounts to some 1e-16 of it. Numbers that are not within rounding of a short
/// one, such as the sine of an angle, stay as they are; nothing changes by more than 2e-15 of the scale.
double without_rounding(double x, double scale);

}  // namespace featherline
