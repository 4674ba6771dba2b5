#include "algorithms/sparse_factor.hpp"

namespace featherline::algorithms {

SparseFactor::SparseFactor(const SquareMatrix& M)
    : L_(M.size()), inverse_D_(static_cast<std::size_t>(M.size())) {
  SquareMatrix H = M;  // lower triangle in use
  for (int k = size(); k-- > 0;) {
    const Scalar inverse = Scalar(1.0) / H(k, k);  // one division a joint, products from there on
    inverse_D_[static_cast<std::size_t>(k)] = inverse;
    for (int i = k; i-- > 0;) {
      if (H(k, i).is_zero()) continue;
      L_(k, i) = H(k, i) * inverse;
      for (int j = 0; j <= i; ++j) H(i, j) -= L_(k, i) * H(k, j);
    }
  }
}

Coordinates SparseFactor::solve(Coordinates b) const {
  const auto at = [&](int k) -> Scalar& { return b[static_cast<std::size_t>(k)]; };
  for (int k = size(); k-- > 0;) {
    for (int i = 0; i < k; ++i) at(i) -= L_(k, i) * at(k);
  }
  for (int k = 0; k < size(); ++k) {
    at(k) *= inverse_D_[static_cast<std::size_t>(k)];
    for (int i = 0; i < k; ++i) at(k) -= L_(k, i) * at(i);
  }
  return b;
}

SquareMatrix SparseFactor::inverse() const {
  SquareMatrix Z(size());
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      Scalar z = i == j ? inverse_D_[static_cast<std::size_t>(i)] : Scalar(0.0);
      for (int k = 0; k < i; ++k) z -= L_(i, k) * Z(k, j);
      Z(i, j) = Z(j, i) = z;
    }
  }
  return Z;
}

}  // namespace featherline::algorithms
