#include "algorithms/matrices.hpp"

namespace featherline::algorithms {
namespace {

using Rows = algebra::Rows<Scalar>;

struct Indices {
  std::vector<int> list;
  int count = 0;

  int operator[](int m) const { return list[index(m)]; }
};

/// Where rows of L are not known to be zero.
struct Pattern {
  const SquareMatrix& L;
  const Context* names;  ///< of a factorisation: row k of D L is complete when it is asked for

  Indices before(int k) const {
    if (names != nullptr) {
      const std::string row = std::to_string(k);
      names->hint(L(k, k), "D_" + row);
      for (int i = 0; i < k; ++i) names->hint(L(i, k), "DL_" + row + "_" + std::to_string(i));
    }
    Indices found;
    for (int i = 0; i < k; ++i) {
      if (!is_zero(L(i, k))) found.list.push_back(i);
    }
    found.count = static_cast<int>(found.list.size());
    return found;
  }
};

/// Entry by entry: what is zero folds away.
struct EntryOps {
  static void subtract(const Scalar* row, const Scalar& l, Scalar* to, int count) {
    for (int j = 0; j < count; ++j) to[j] -= l * row[j];
  }
  static void minus_combination(Rows A, const Scalar* b, const Indices& list, int count, Scalar* x) {
    for (int j = 0; j < count; ++j) {
      x[j] = Scalar(0.0);
      for (const int k : list.list) x[j] -= b[k] * A[k][j];
    }
  }
};

Rows rows(SquareMatrix& A) { return {A.data(), A.size()}; }

}  // namespace

SparseFactor::SparseFactor(const SquareMatrix& M, Context* names) : L_(M), inverse_D_(index(M.size())) {
  algebra::factor_inertia<EntryOps>(Pattern{L_, names}, L_.size(), rows(L_), inverse_D_.data());
  for (int k = L_.size(); names != nullptr && k-- > 0;) {
    names->label(inverse_D_[index(k)], "Dinv_" + std::to_string(k));
    for (int i = k; i-- > 0;) names->label(L_(i, k), "L_" + std::to_string(k) + "_" + std::to_string(i));
  }
}

Coordinates SparseFactor::solve(const Context& names, Coordinates b, int side) const {
  const auto named = [&](const Coordinates& x, const std::string& letter) {
    for (std::size_t k = 0; k < x.size(); ++k)
      names.hint(x[k], letter + "_" + std::to_string(k) + "_" + std::to_string(side));
    return x;
  };
  return named(from_half(named(half(std::move(b)), "y")), "x");
}

Coordinates SparseFactor::half(Coordinates b) const {
  for (int k = L_.size(); k-- > 0;) {
    for (int i = 0; i < k; ++i) b[index(i)] -= L_(i, k) * b[index(k)];
  }
  return b;
}

Coordinates SparseFactor::from_half(Coordinates y) const {
  const auto at = [&](int k) -> Scalar& { return y[index(k)]; };
  for (int k = 0; k < L_.size(); ++k) {
    at(k) *= inverse_D_[index(k)];
    for (int i = 0; i < k; ++i) at(k) -= L_(i, k) * at(i);
  }
  return y;
}

Scalar SparseFactor::product(const Coordinates& y, const Coordinates& z) const {
  Scalar sum(0.0);
  for (std::size_t k = 0; k < y.size(); ++k) sum += y[k] * inverse_D_[k] * z[k];
  return sum;
}

Coordinates SparseFactor::over_D(Coordinates y) const {
  for (std::size_t k = 0; k < y.size(); ++k) y[k] *= inverse_D_[k];
  return y;
}

SquareMatrix SparseFactor::inverse() const {
  SquareMatrix L = L_, Z(L_.size());
  Coordinates x(index(L_.size()));
  algebra::invert_factored<EntryOps>(Pattern{L_, nullptr}, L_.size(), rows(L), inverse_D_.data(), rows(Z),
                                     x.data());
  return Z;
}

}  // namespace featherline::algorithms
