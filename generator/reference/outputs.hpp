#pragma once

#include "model/tree.hpp"

#include <Eigen/Core>

#include <functional>
#include <random>
#include <string>
#include <vector>

/// The outputs of every emitted function as the reference solver computes them: what `featherline check` and the
/// property tests compare with.
namespace featherline::reference {

/// Values for every input any emitted function has.
struct State {
  Eigen::VectorXd q, v, a, tau, b, w;
};

/// q: angles in +-pi, lengths and positions in +-1 m, uniform unit quaternions; |v| <= 10, |a| <= 50, |tau| <= 100,
/// |b|, |w| <= 10 entry by entry. Limits are not looked at: the equations hold beyond them.
State random_state(const model::Tree& tree, std::mt19937& random);

/// One array of an emitted function, dense, laid out as emitted (column-major).
struct OutputArray {
  std::string name;
  std::vector<double> values;
};
using Outputs = std::vector<OutputArray>;

struct OutputFunction {
  std::string name;  ///< of the algorithm
  std::function<Outputs(const model::Tree&, const State&)> compute;
  /// What of the outputs is compared, of the emitted ones and the reference's alike: empty, all entries. The Coriolis
  /// matrix C is not unique; C v and C + C^T = dM/dt are.
  std::function<Outputs(const State&, const Outputs&)> view;

  Outputs compared(const State& state, Outputs outputs) const {
    return view ? view(state, outputs) : outputs;
  }
};

/// The reference for one emitted function, in the order of its signature, or nullptr where there is none.
/// Kinematic functions give their outputs for all links one after the other; frame_jacobian gives that three times,
/// for LOCAL_WORLD_ALIGNED, LOCAL and WORLD.
const OutputFunction* find_outputs(const std::string& function);

/// The largest max |x - ref| / max(1, max |ref|) of the arrays, with the entry that is worst. NaN or infinity anywhere
/// in either, or arrays that do not match, give infinity.
struct OutputError {
  double relative = 0.0;
  std::string entry;  ///< "M[4]"
};
OutputError compare(const Outputs& x, const Outputs& reference);

}  // namespace featherline::reference
