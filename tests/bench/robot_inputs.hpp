#pragma once

#include "model/tree.hpp"

#include <map>
#include <string>
#include <vector>

namespace featherline::bench {

/// The tree of a URDF with independent mimic joints, as the benches generate their robots. Throws std::runtime_error
/// if the file cannot be read.
model::UserTree read_tree(const std::string& urdf, bool floating_base);

/// The link with most joints between it and the world.
int deepest_link(const model::Tree& tree);

/// One input of inverse dynamics, in the conventions of emitted code.
struct State {
  std::vector<double> q, v, a;
};

/// `count` random states of `tree`, the same ones in every run: angles within +-pi, lengths within +-1 m,
/// unit quaternions, |v| <= 10, |a| <= 50.
std::vector<State> random_states(const model::Tree& tree, int count);

/// What the manifest says of an emitted function.
struct Facts {
  int flops = 0, sincos = 0;
  std::string formulation;
};

/// By function. Throws std::runtime_error if the file cannot be read.
std::map<std::string, Facts> read_facts(const std::string& manifest);

}  // namespace featherline::bench
