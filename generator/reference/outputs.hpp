#pragma once

#include "catalog/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <random>
#include <string>
#include <vector>

/// Random states, and arrays of results and how far they are apart.
namespace featherline::reference {

using catalog::State;

/// q: angles in +-pi, lengths and positions in +-1 m, uniform unit quaternions; every other input entry by entry up to
/// catalog::largest_random(). Limits are not looked at: the equations hold beyond them.
State random_state(const model::Tree& tree, std::mt19937& random);

/// One array of an emitted function, dense, laid out as emitted (column-major).
struct OutputArray {
  std::string name;
  std::vector<double> values;
};
using Outputs = std::vector<OutputArray>;

/// The largest max |x - ref| / max(1, max |ref|) of the arrays, with the entry that is worst. NaN or infinity anywhere
/// in either, or arrays that do not match, give infinity.
struct OutputError {
  double relative = 0.0;
  std::string entry;  ///< "M[4]"
};
OutputError compare(const Outputs& x, const Outputs& reference);

}  // namespace featherline::reference
