#pragma once

#include "generic/articulated.hpp"

namespace featherline::bench::generic {

/// M^-1 times an N x 2N matrix, as derivatives of forward dynamics need it, by either method.
struct Products {
  ArticulatedFactor factor;
  MatrixXd M_inverse, partials, result;

  Products(const Model& model, const VectorXd& q)
      : factor{model}, partials{MatrixXd::Random(model.nv, 2 * model.nv)}, result{partials} {
    factor.factor(q);
    M_inverse = factor.inverse();
  }
  void dmm() { result.noalias() = -M_inverse * partials; }
  void aza() {
    for (Eigen::Index j = 0; j < partials.cols(); ++j) factor.solve(partials.col(j), result.col(j));
  }
};

}  // namespace featherline::bench::generic
