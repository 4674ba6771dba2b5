#include "emit/literal.hpp"

#include "support/diagnostic.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace featherline::emit {

std::string literal(double value) {
  if (!std::isfinite(value)) throw InternalError("a number to be emitted is not finite");
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  const std::size_t exponent = text.find('e');
  const std::size_t mantissa = exponent == std::string::npos ? text.size() : exponent;
  if (text.find('.') == std::string::npos) text.insert(mantissa, ".0");
  return text;
}

std::string literal_or_infinity(double value) {
  if (!std::isinf(value)) return literal(value);
  return std::string(value < 0.0 ? "-" : "") + "std::numeric_limits<double>::infinity()";
}

}  // namespace featherline::emit
