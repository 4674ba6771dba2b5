#include "verify/probes.hpp"

#include "reference/error.hpp"
#include "support/diagnostic.hpp"

namespace featherline::verify {
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
