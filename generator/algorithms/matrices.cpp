#include "algorithms/matrices.hpp"

namespace featherline::algorithms {
namespace {

struct Indices {
  std::vector<int> list;
  int count;

  int operator[](int m) const { return list[static_cast<std::size_t>(m)]; }
};

/// Where rows of L are not known to be zero.
template <class T>
struct Pattern {
  const SquareMatrix<T>& L;

  Indices before(int k) const {
    using algebra::is_zero;  // of numbers; that of symbols is found beside them
    Indices found{{}, 0};
    for (int i = 0; i < k; ++i) {
      if (!is_zero(L(i, k))) found.list.push_back(i);
    }
    found.count = static_cast<int>(found.list.size());
    return found;
  }
};

/// Entry by entry: what is zero folds away.
template <class T>
struct EntryOps {
  static void subtract(const T* row, const T& l, T* to, int count) {
    for (int j = 0; j < count; ++j) to[j] -= l * row[j];
  }
  static void minus_combination(algebra::Rows<T> A, const T* b, const Indices& list, int count, T* x) {
    for (int j = 0; j < count; ++j) {
      x[j] = T(0.0);
      for (const int k : list.list) x[j] -= b[k] * A[k][j];
    }
  }
};

template <class T>
algebra::Rows<T> rows(SquareMatrix<T>& A) {
  return {A.data(), A.size()};
}

}  // namespace

template <class T>
SparseFactor<T>::SparseFactor(const SquareMatrix<T>& M)
    : L_(M), inverse_D_(static_cast<std::size_t>(M.size())) {
  algebra::factor_inertia<EntryOps<T>>(Pattern<T>{L_}, L_.size(), rows(L_), inverse_D_.data());
}

template <class T>
void SparseFactor<T>::label(Context<T>& context) const {
  for (int k = L_.size(); k-- > 0;) {
    context.label(inverse_D_[static_cast<std::size_t>(k)], "Dinv_" + std::to_string(k));
    for (int i = k; i-- > 0;) context.label(L_(i, k), "L_" + std::to_string(k) + "_" + std::to_string(i));
  }
}

template <class T>
Coordinates<T> SparseFactor<T>::half(Coordinates<T> b) const {
  for (int k = L_.size(); k-- > 0;) {
    for (int i = 0; i < k; ++i) b[static_cast<std::size_t>(i)] -= L_(i, k) * b[static_cast<std::size_t>(k)];
  }
  return b;
}

template <class T>
Coordinates<T> SparseFactor<T>::from_half(Coordinates<T> y) const {
  const auto at = [&](int k) -> T& { return y[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < L_.size(); ++k) {
    at(k) *= inverse_D_[static_cast<std::size_t>(k)];
    for (int i = 0; i < k; ++i) at(k) -= L_(i, k) * at(i);
  }
  return y;
}

template <class T>
T SparseFactor<T>::product(const Coordinates<T>& y, const Coordinates<T>& z) const {
  T sum(0.0);
  for (std::size_t k = 0; k < y.size(); ++k) sum += y[k] * inverse_D_[k] * z[k];
  return sum;
}

template <class T>
SquareMatrix<T> SparseFactor<T>::inverse() const {
  SquareMatrix<T> L = L_, Z(L_.size());
  Coordinates<T> x(static_cast<std::size_t>(L_.size()));
  algebra::invert_factored<EntryOps<T>>(Pattern<T>{L_}, L_.size(), rows(L), inverse_D_.data(), rows(Z),
                                        x.data());
  return Z;
}

template class SparseFactor<Scalar>;
template class SparseFactor<double>;

}  // namespace featherline::algorithms
