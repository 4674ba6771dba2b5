#pragma once

#include <string>

namespace featherline::emit {

/// The shortest decimal text that reads back as exactly `value`, always a floating literal: "1.0", not "1".
/// The only place that prints numbers into C++. Throws InternalError for infinities and NaN, which have no
/// literal.
std::string literal(double value);

/// As literal(), but +-infinity becomes a std::numeric_limits expression.
std::string literal_or_infinity(double value);

}  // namespace featherline::emit
