#pragma once

#include "algorithms/context.hpp"

#include <functional>
#include <string>
#include <vector>

namespace featherline::algorithms {

/// An array in the emitted signature. `shape` is what the doc comment says: "nq", "nv", "nv x nv, column-major".
struct Argument {
  std::string name;
  std::string shape;
  std::string doc;  ///< meaning and units
};

/// One of several equivalent ways to compute the same outputs; the cheapest in flops is kept.
struct Formulation {
  std::string name;                                                ///< e.g. "link frames"
  std::function<void(Context<Scalar>&)> run;     ///< reads the inputs by name, writes the outputs in their order
  std::function<bool(const model::Tree&)> applies = {};            ///< empty: to every tree
  /// Flops, known to within a factor of two without tracing, for the size policy; empty: few enough.
  std::function<double(const model::Tree&)> unrolled_flops = {};
  bool in_loops = false;  ///< results come out of runtime loops
};

/// What the generator can emit.
struct Algorithm {
  std::string name;    ///< emitted function name: "rnea"
  std::string group;   ///< "dynamics", "derivatives", "second-order", "kinematics"
  std::string brief;   ///< one sentence for the doc comment
  std::string source;  ///< paper and equations
  std::vector<Argument> inputs, outputs;
  std::vector<Formulation> formulations;  ///< empty: assembled from the steps of kinematics.hpp, link by link
  bool inverts_inertia = false;           ///< exists only where M is not singular
};

/// Whether there is a form with packed outputs, emitted as packed_name(): all outputs are matrices or tensors.
bool has_packed_form(const Algorithm& algorithm);
std::string packed_name(const Algorithm& algorithm);

/// Runs a formulation on symbols.
ir::Function trace(const Algorithm& algorithm, const Formulation& formulation, const model::CanonicalTree& tree);

/// All algorithms, in the order they are listed to the user.
const std::vector<Algorithm>& registry();

}  // namespace featherline::algorithms
