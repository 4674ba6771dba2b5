#pragma once

#include "arrays/arguments.hpp"
#include "model/tree.hpp"

#include <Eigen/Core>

#include <random>
#include <string>
#include <vector>

/// Random states, arrays of results, and how far such arrays are apart.
namespace featherline::reference {

using catalog::State;

/// q has angles in +-pi, lengths and positions in +-1 m, and uniform unit quaternions. Every entry of another input is
/// at most catalog::largest_random(); steps in time are up to 20 ms. Joint limits are ignored, because the equations
/// hold beyond them.
State random_state(const model::Tree& tree, std::mt19937& random);

/// Sets the inputs that the user chose so that they leave the robot as it is: no forces, no payloads, its own gravity.
void set_defaults(const model::Tree& tree, State& state);

/// Entries between -largest and largest. Like random states, they are the same with every standard library.
Eigen::VectorXd uniform_vector(int size, double largest, std::mt19937& random);

/// One array of an emitted function. It is dense and laid out as emitted (column-major).
struct OutputArray {
  std::string name;
  std::vector<double> values;
};
using Outputs = std::vector<OutputArray>;

/// The largest error of the arrays (error.hpp), and the entry that is worst. It is infinite if either side has NaN or
/// infinity anywhere, or if the arrays do not match.
struct OutputError {
  double relative = 0.0;
  std::string entry;  ///< "M[4]"
};
OutputError compare(const Outputs& x, const Outputs& reference);

}  // namespace featherline::reference
