#pragma once

#include <cstddef>

namespace featherline {

/// A number that is not negative, as the standard library counts.
constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace featherline
