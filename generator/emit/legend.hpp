#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What the names in emitted code mean.
namespace featherline::emit {

struct Quantity {
  std::vector<std::string> letters;  ///< what names begin with; the body's number follows
  const char* meaning;
};

/// In the order they are computed. All that an algorithm gives as a label stands here.
const std::vector<Quantity>& legend();

/// The place in the legend of what a label speaks of, its end if of nothing: "A3_2K_xx" is an A3_, not an A.
std::size_t place_in_legend(std::string_view label);

}  // namespace featherline::emit
