#pragma once

#include "catalog/functions.hpp"
#include "emit/identifiers.hpp"

#include <string>
#include <vector>

namespace featherline::test {

/// The sizes of arrays as a list of C++: "{nq, nv, nv * nv}".
inline std::string argument_sizes(const std::vector<catalog::Argument>& arguments) {
  std::vector<std::string> list;
  for (const catalog::Argument& a : arguments) list.push_back(a.shape.expression());
  return "{" + featherline::join(list, ", ") + "}";
}

}  // namespace featherline::test
