#include "verify/verify.hpp"

#include "ir/interpreter.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace featherline::verify {
namespace {

using Arrays = ir::KernelInterpreter<>::Arrays;
using Maps = std::vector<std::vector<passes::PackedEntry>>;

/// Puts packed values where they belong in the dense arrays.
Arrays spread(const Arrays& packed, const Maps& maps, const std::vector<int>& dense_sizes) {
  Arrays dense;
  for (std::size_t k = 0; k < maps.size(); ++k) {
    dense.emplace_back(static_cast<std::size_t>(dense_sizes.at(k)), 0.0);
    for (const passes::PackedEntry& entry : maps[k]) {
      const double value = packed.at(k).at(static_cast<std::size_t>(entry.packed_index));
      dense.back().at(static_cast<std::size_t>(entry.dense_index)) = entry.negated ? -value : value;
    }
  }
  return dense;
}

/// The results of the emitted function, as dense arrays. `before` is what the outputs held before the call. The
/// function does not clear it, if it has a form that need not.
Arrays run(const ir::Kernel& kernel, const Maps* maps, const std::vector<int>& dense_sizes,
           const reference::State& state, const Arrays& before, bool forces_calls = false) {
  const Arrays inputs = inputs_of(kernel, state);
  ir::KernelInterpreter<> interpreter(kernel, inputs);
  interpreter.forces_calls = forces_calls;
  if (maps != nullptr) return spread(interpreter.run(), *maps, dense_sizes);
  return kernel.has_nonzeros_form() && !before.empty() ? interpreter.run_nonzeros(before) : interpreter.run();
}

reference::Outputs named(const catalog::FunctionSpec& algorithm, Arrays arrays) {
  reference::Outputs outputs;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    outputs.push_back({algorithm.outputs[k].name, std::move(arrays[k])});
  return outputs;
}

void keep_worse(reference::OutputError& worst, const reference::OutputError& error) {
  if (error.relative > worst.relative) worst = error;
}

reference::OutputError compare(const Probe& found, const Eigen::VectorXd& expected, double unit) {
  if (found.values.size() != expected.size())
    throw InternalError("a probe of " + found.output + " has no match");
  const reference::ArrayError error =
      reference::array_error(found.values, expected, std::max(found.scale, unit));
  return {error.relative, found.output + "[" + std::to_string(error.entry) + "]"};
}

/// The least size that errors are relative to. The promise to the user says 1. If the robot weighs grams and measures
/// millimetres, its forces and inertias are small; then it is the robot's own m L^2.
double unit_of(const catalog::FunctionSpec& algorithm, const model::Tree& tree) {
  if (algorithm.inverts_inertia) return 1.0;
  constexpr double least = 1e-12;
  double mass = 0.0, length = model::robot_size(tree);
  for (const model::Link& link : tree.links) mass += link.body < 0 ? 0.0 : std::abs(link.mass);
  for (const model::Body& body : tree.bodies) length += body.joint.row().travels() ? 1.0 : 0.0;
  return std::clamp(mass * length * length, least, 1.0);
}

/// Errors of the equation that the outputs solve, such as M a + bias - tau. Each row is relative to its own terms.
/// Otherwise one large entry could hide wrong accelerations of heavy links.
reference::OutputError equation_error(const catalog::FunctionSpec& function, const model::Tree& tree,
                                      const reference::State& state, const reference::Outputs& outputs) {
  constexpr int most_coordinates = 300;  // for more coordinates, M and its product take too long
  reference::OutputError worst;
  const auto& residual = reference::find_outputs(function.name)->residual;
  if (!residual || tree.nv > most_coordinates) return worst;
  const reference::Residual left = residual(tree, state, outputs);
  for (std::size_t i = 0; i < left.values.size(); ++i) {
    const double size = std::max({left.sizes[i], left.factored[i], std::numeric_limits<double>::min()});
    keep_worse(worst, {reference::relative_error(left.values[i], 0.0, size),
                       left.name + "[" + std::to_string(i % static_cast<std::size_t>(tree.nv)) + "]"});
  }
  return worst;
}

/// How many states a function is verified at. A large function gets few, because more states find no more faults of a
/// formula.
int count_states(const ir::Kernel& kernel, const std::vector<int>& dense_sizes) {
  constexpr double most_operations = 1e6;
  double operations = 1.0 + kernel.graph.size();
  for (const int size : dense_sizes) operations += size;
  return std::clamp(static_cast<int>(most_operations / operations), 2, 5);
}

struct FunctionJudge {
  const catalog::FunctionSpec& algorithm;
  const model::UserTree& user;
  KeptProbes& kept;
  double unit = unit_of(algorithm, user);

  reference::OutputError judge(const ir::Kernel& kernel, const Maps* maps,
                               const std::vector<int>& dense_sizes) const {
    std::mt19937 random(1);
    reference::OutputError worst;
    Arrays arrays;
    const auto calls = kernel.calls();
    const bool has_rare_calls =
        std::ranges::any_of(calls, [](const ir::Call* call) { return call->condition.has_value(); });
    // Large forces and payloads would hide errors of the robot's own numbers. So one more state has none of them.
    const bool has_chosen = catalog::inputs_of(algorithm, user).size() > algorithm.inputs.size();
    int number = 0;
    for (int left = count_states(kernel, dense_sizes) + (has_chosen ? 1 : 0); left > 0; --left, ++number) {
      reference::State state = reference::random_state(user, random);
      if (has_chosen && left == 1) reference::set_defaults(user, state);
      // Coefficients of a turn are computed in one way where it is short and in another one elsewhere
      // (featherline/stumpff.hpp; a planar joint's beyond 1.42 rad). So the steps of every other state are small.
      for (double& step : state.dv)
        step = number % 2 == 0 ? std::copysign(1.5 + 0.4 * std::abs(step), step) : 0.3 * step;
      // Numbers of a constraint matter only where it is active, and some numbers of the robot where none is.
      if (left <= 2) state.active.setConstant(left == 1 ? 1.0 : 0.0);
      const Directions directions = random_directions(user.nv, random);
      std::vector<Eigen::VectorXd>& expected = kept[{number, left <= 2 ? left : 0}];
      if (expected.empty()) expected = expected_probes(algorithm, user, state, directions);
      arrays = run(kernel, maps, dense_sizes, state, arrays);
      keep_worse(worst, error(named(algorithm, arrays), state, directions, expected));
      if (has_rare_calls) {
        const Arrays forced = run(kernel, maps, dense_sizes, state, {}, true);
        keep_worse(worst, error(named(algorithm, forced), state, directions, expected));
      }
    }
    return worst;
  }

  reference::OutputError error(const reference::Outputs& outputs, const reference::State& state,
                               const Directions& directions,
                               const std::vector<Eigen::VectorXd>& expected) const {
    const std::vector<Probe> found = probe(algorithm, state, directions, outputs);
    if (found.size() != expected.size())
      throw InternalError("verification expects other arrays of " + algorithm.name);
    const auto& more = reference::find_outputs(algorithm.name)->allowance;
    const double allowance = more ? more(user, state) : 1.0;
    reference::OutputError worst;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const reference::OutputError of_probe = compare(found[k], expected[k], unit);
      keep_worse(worst, {of_probe.relative / allowance, of_probe.entry});
    }
    keep_worse(worst, equation_error(algorithm, user, state, outputs));
    return worst;
  }
};

}  // namespace

reference::OutputError worst_error(const LoweredFunction& request, const model::UserTree& user) {
  KeptProbes kept;
  return worst_error(request, user, kept);
}

reference::OutputError worst_error(const LoweredFunction& request, const model::UserTree& user,
                                   KeptProbes& kept) {
  if (request.kernel.walk() != nullptr) {
    std::mt19937 random(1);
    return verify_kinematics(request.kernel, user, reference::random_state(user, random));
  }
  const auto& outputs = request.kernel.outputs;
  if (std::ranges::all_of(outputs, [](const ir::Buffer& output) { return output.size == 0; })) return {};
  const FunctionJudge judge{*request.spec, user, kept};
  const Maps* maps = request.packed_maps ? &*request.packed_maps : nullptr;
  reference::OutputError worst = judge.judge(request.kernel, maps, request.dense_sizes);
  if (request.device_form) keep_worse(worst, judge.judge(request.device_form->kernel, nullptr, {}));
  if (request.batch_form) {
    const PackedForm& form = *request.batch_form;
    keep_worse(worst, judge.judge(form.kernel, &form.maps, form.dense_sizes));
  }
  return worst;
}

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMatrix = Eigen::Map<const MatrixXd>;

VectorXd contract_tensor(const std::vector<double>& T, const Directions& d) {
  const Index n = d.x.size();
  VectorXd sum = VectorXd::Zero(n);
  for (Index k = 0; k < n; ++k) sum += d.y[k] * (ConstMatrix(T.data() + n * n * k, n, n) * d.x);
  return sum;
}

VectorXd contract_hessian(const std::vector<double>& values, const Directions& d) {
  const Index n = d.x.size();
  const ConstMatrix H(values.data(), 2 * n, 2 * n);
  VectorXd products(4);
  for (Index row = 0; row < 2; ++row) {
    for (Index column = 0; column < 2; ++column)
      products[2 * row + column] = d.x.dot(H.block(row * n, column * n, n, n) * d.y);
  }
  return products;
}

VectorXd contract(const std::vector<double>& values, const catalog::Shape& shape, const Directions& d) {
  using catalog::nv;
  const Index n = d.x.size();
  if (shape == catalog::Shape{nv, nv}) return ConstMatrix(values.data(), n, n) * d.x;
  if (shape == catalog::Shape{nv, nv, nv}) return contract_tensor(values, d);
  if (shape == catalog::Shape{2 * nv, 2 * nv}) return contract_hessian(values, d);
  if (shape == catalog::Shape{2 * nv, nv}) return ConstMatrix(values.data(), 2 * n, n) * d.x;
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

const reference::OutputFunction& reference_of(const catalog::FunctionSpec& function) {
  const reference::OutputFunction* found = reference::find_outputs(function.name);
  if (found == nullptr) throw InternalError("verification has nothing to compare " + function.name + " with");
  return *found;
}

}  // namespace

std::vector<std::vector<double>> inputs_of(const ir::Kernel& function, const catalog::State& state) {
  std::vector<std::vector<double>> values;
  for (const ir::Buffer& parameter : function.inputs) {
    const VectorXd& value = state.*catalog::input_in_states(parameter.name).in_state;
    values.emplace_back(value.begin(), value.end());
  }
  return values;
}

Directions random_directions(int nv, std::mt19937& random) {
  Directions d{reference::uniform_vector(nv, 1.0, random), reference::uniform_vector(nv, 1.0, random)};
  for (VectorXd* direction : {&d.x, &d.y}) {
    // The magnitude is between 0.5 and 1.5. The sign is random.
    for (double& entry : *direction) entry += entry < 0.0 ? -0.5 : 0.5;
    direction->normalize();
  }
  return d;
}

std::vector<Probe> probe(const catalog::FunctionSpec& function, const reference::State& state,
                         const Directions& directions, const reference::Outputs& outputs) {
  const reference::OutputFunction& expected = reference_of(function);
  const std::vector<catalog::Argument>& arrays = expected.compared_arrays(function.outputs);
  const reference::Outputs compared = expected.compared(state, outputs);
  double largest = 0.0;
  for (const reference::OutputArray& array : outputs) largest = reference::error_scale(array.values, largest);
  std::vector<Probe> probes;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    const std::vector<double>& values = compared[k].values;
    probes.push_back({arrays[k].name, contract(values, arrays[k].shape, directions),
                      expected.view ? largest : reference::error_scale(values, 0.0)});
  }
  return probes;
}

std::vector<VectorXd> expected_probes(const catalog::FunctionSpec& function, const model::Tree& tree,
                                      const reference::State& state, const Directions& directions) {
  const reference::OutputFunction& expected = reference_of(function);
  if (expected.probes) return expected.probes(tree, state, directions);
  std::vector<VectorXd> probes;
  for (Probe& p : probe(function, state, directions, expected.compute(tree, state)))
    probes.push_back(std::move(p.values));
  return probes;
}

}  // namespace featherline::verify
