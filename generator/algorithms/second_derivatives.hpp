#pragma once

#include "algorithms/first_derivatives.hpp"

/// IDSVA, second order (paper 002, Algorithm 1), for joints with any number of degrees of freedom, in piecewise
/// common frames.
namespace featherline::algorithms {

/// n x n x n, T(i, j, k) at i + n j + n^2 k; structural zeros are the number 0.
class Tensor {
 public:
  explicit Tensor(int n) : n_(n), entries_(cube(n)) {}
  Scalar& operator()(int i, int j, int k) {
    return entries_[static_cast<std::size_t>(i + n_ * (j + n_ * k))];
  }
  const Scalar& operator()(int i, int j, int k) const {
    return entries_[static_cast<std::size_t>(i + n_ * (j + n_ * k))];
  }
  const std::vector<Scalar>& entries() const { return entries_; }

 private:
  static std::size_t cube(int n) {
    const auto s = static_cast<std::size_t>(n);
    return s * s * s;
  }
  int n_;
  std::vector<Scalar> entries_;
};

struct SecondDerivatives {
  Tensor dqdq;   ///< (i, j, k): d/dq_k (d tau_i / d q_j)
  Tensor dvdv;   ///< (i, j, k): d2 tau_i / (dv_j dv_k)
  Tensor dqdv;   ///< (i, j, k): d2 tau_i / (dq_j dv_k)
  Tensor dM_dq;  ///< (i, j, k): d M_ij / d q_k
};

SecondDerivatives second_derivatives(Tracer& tracer, const Coordinates& v, const Coordinates& a,
                                     FrameRoots roots);

/// Outputs 0 to 3, in the order of the members.
void store_all(Tracer& tracer, const SecondDerivatives& d);

ir::Function trace_rnea_second_derivatives(const model::CanonicalTree& tree, FrameChoice frames);

}  // namespace featherline::algorithms
