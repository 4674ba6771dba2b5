#include "verify/probes.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::verify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ConstMatrix = Eigen::Map<const MatrixXd>;

double largest_entry(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

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

/// The shape as the registry declares it: sizes alone do not tell, with one coordinate or four.
VectorXd contract(const reference::OutputArray& array, const std::string& declared, const Directions& d) {
  const Index n = d.x.size();
  const std::string shape = declared.substr(0, declared.find(','));
  if (shape == "nv") return Eigen::Map<const VectorXd>(array.values.data(), n);
  if (shape == "nv x nv") return ConstMatrix(array.values.data(), n, n) * d.x;
  if (shape == "nv x nv x nv") return contract_tensor(array.values, d);
  if (shape == "2*nv x 2*nv") return contract_hessian(array.values, d);
  throw InternalError("verification does not know the shape of " + array.name + ": " + declared);
}

std::vector<Probe> probe_coriolis(const reference::State& state, const Directions& d,
                                  const reference::OutputArray& array) {
  const Index n = d.x.size();
  const ConstMatrix C(array.values.data(), n, n);
  const double scale = largest_entry(array.values);
  // C v is what users compute with C; velocities of up to 10 make it larger than C.
  const VectorXd Cv = C * state.v;
  return {{array.name, Cv, std::max(scale, Cv.lpNorm<Eigen::Infinity>())},
          {array.name, C * d.x + C.transpose() * d.x, scale}};
}

}  // namespace

Directions random_directions(int nv, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.5, 1.5);
  std::bernoulli_distribution minus(0.5);
  Directions d{VectorXd(nv), VectorXd(nv)};
  for (VectorXd* direction : {&d.x, &d.y}) {
    for (double& entry : *direction) entry = size(random) * (minus(random) ? -1.0 : 1.0);
    direction->normalize();
  }
  return d;
}

std::vector<Probe> probe(const algorithms::Algorithm& function, const reference::State& state,
                         const Directions& directions, const reference::Outputs& outputs) {
  if (function.name == "coriolis_matrix") return probe_coriolis(state, directions, outputs.front());
  std::vector<Probe> probes;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const reference::OutputArray& array = outputs[k];
    probes.push_back(
        {array.name, contract(array, function.outputs[k].shape, directions), largest_entry(array.values)});
  }
  return probes;
}

}  // namespace featherline::verify
