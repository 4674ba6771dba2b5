#pragma once

#include <vector>

#include "model/tree.hpp"

namespace featherline::bench {

/// One input of inverse dynamics, in the conventions of emitted code.
struct State {
  std::vector<double> q, v, a;
};

/// `count` random states of `tree`, the same ones in every run: angles within +-pi, lengths within +-1 m,
/// unit quaternions, |v| <= 10, |a| <= 50.
std::vector<State> random_states(const model::Tree& tree, int count);

}  // namespace featherline::bench
