#pragma once

#include "reference/derivatives.hpp"
#include "reference/outputs.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

/// What every emitted function should give, by the reference solver: one entry a function, for verification,
/// `featherline check` and the property tests.
namespace featherline::reference {

/// What is compared in the place of outputs that are not unique: other arrays, made of them.
struct View {
  std::vector<catalog::Argument> arrays;  ///< their names and shapes
  std::function<Outputs(const State&, const Outputs&)> make;
};

struct OutputFunction {
  using Compute = std::function<Outputs(const model::Tree&, const State&)>;

  std::string name;
  /// All entries, in the order of the signature. Functions that take a link give their outputs for all links one after
  /// the other; those that take a frame give that three times, for LOCAL_WORLD_ALIGNED, LOCAL and WORLD.
  Compute compute;
  /// The products that verification compares (verify/probes.hpp), where they take less than all entries do.
  std::function<std::vector<Eigen::VectorXd>(const model::Tree&, const State&, const Directions&)> probes =
      {};
  /// The equation that the outputs solve.
  std::function<Residual(const model::Tree&, const State&, const Outputs&)> residual = {};
  std::optional<View> view = {};
  /// Sizes of the terms that entries are made of, where outputs do not show them: as compared.
  Compute term_sizes = {};

  Outputs compared(const State& state, Outputs outputs) const {
    return view ? view->make(state, outputs) : std::move(outputs);
  }
  /// Names and shapes of what is compared; `outputs` are those of the function.
  const std::vector<catalog::Argument>& compared_arrays(const std::vector<catalog::Argument>& outputs) const {
    return view ? view->arrays : outputs;
  }
};

/// The entry of a function, or nullptr where there is none.
const OutputFunction* find_outputs(const std::string& function);

}  // namespace featherline::reference
