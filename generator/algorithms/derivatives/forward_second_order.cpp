#include "algorithms/derivatives/derivatives.hpp"

#include "algorithms/dynamics/dynamics.hpp"

namespace featherline::algorithms {
namespace {

/// Every coordinate may be related to every other: what is zero folds away.
struct FullPattern {
  struct List {
    int count;

    int operator[](int m) const { return m; }
  };
  List related(int) const { return {n}; }

  int n;
};

/// M^-1 by its factor, and products of small matrices, each value kept as soon as it exists.
class SymbolicProducts {
 public:
  SymbolicProducts(Context& context, const SparseFactor& factor)
      : c_(context), n_(context.nv()), factor_(factor), product_(n_) {}

  template <class List>
  void solve(const Scalar* b, const List&, Scalar* x) {
    keep(factor_.solve(c_, Coordinates(b, b + n_), ++num_sides_), x);
  }
  /// Y is symmetric: the lower triangle is mirrored.
  template <class List>
  void sandwich(Scalar* D, const List&) {
    if (!inverse_) {
      inverse_ = factor_.inverse();
      for (int c = 0; c < n_; ++c) {
        for (int r = c; r < n_; ++r)
          c_.hint((*inverse_)(r, c), "Minv_" + std::to_string(r) + "_" + std::to_string(c));
      }
    }
    SquareMatrix left(n_);
    for (int c = 0; c < n_; ++c) keep(*inverse_ * Coordinates(D + n_ * c, D + n_ * (c + 1)), &left(0, c));
    for (int c = 0; c < n_; ++c) {
      for (int r = c; r < n_; ++r) {
        Scalar sum(0.0);
        for (int k = 0; k < n_; ++k) sum += left(r, k) * (*inverse_)(k, c);
        c_.keep(product_(r, c) = product_(c, r) = sum);
      }
    }
    std::copy_n(product_.data(), n_ * n_, D);
  }
  template <class List>
  void times_Y(const Scalar* b, const List&, Scalar* x) const {
    keep(product_ * Coordinates(b, b + n_), x);
  }
  void keep_row(int k, const Scalar* x) {
    for (int m = 0; m < n_; ++m) product_(k, m) = x[m];
  }
  template <class List>
  void times_Q(const Scalar* b, const List& list, Scalar* x) const {
    times_Y(b, list, x);
  }

 private:
  void keep(const Coordinates& y, Scalar* x) const {
    for (std::size_t k = 0; k < y.size(); ++k) c_.keep(x[k] = y[k]);
  }

  Context& c_;
  int n_;
  const SparseFactor& factor_;
  std::optional<SquareMatrix> inverse_;
  SquareMatrix product_;
  int num_sides_ = 0;
};

}  // namespace

void aba_second_derivatives(Context& c, const OwnFrames& own_frames) {
  const Coordinates& v = c.input("v");
  const auto [factor, a] = forward_dynamics(c, v, c.input("tau"), own_frames);
  const FirstDerivatives id = first_derivatives(c, v, a, own_frames);
  SecondDerivatives d = second_derivatives(c, v, a, own_frames, FirstOrder::present);
  c.begin_section("products with the inverse of the inertia");
  SymbolicProducts products(c, factor);
  Coordinates x = c.zeros();
  algebra::solve_second_derivatives(products, FullPattern{c.nv()}, c.nv(), id.dtau_dq.data(),
                                    id.dtau_dv.data(), d.dqdq.data(), d.dvdv.data(), d.dqdv.data(),
                                    d.dM_dq.data(), x.data());
  FloatingBase(c, v).set_tensors(d.dqdq, d.dvdv, d.dqdv, d.dM_dq);
  c.output("d2a_dqdq", d.dqdq.entries());
  c.output("d2a_dvdv", d.dvdv.entries());
  c.output("d2a_dqdv", d.dqdv.entries());
  c.output("d2a_dqdtau", d.dM_dq.entries());
}

void aba_vector_hessian(Context& c, const OwnFrames& own_frames) {
  const Coordinates &v = c.input("v"), &w = c.input("w");
  const auto [factor, a] = forward_dynamics(c, v, c.input("tau"), own_frames);
  const FirstDerivatives id = first_derivatives(c, v, a, own_frames);
  const VectorHessian h = vector_hessian(c, v, a, factor.solve(w), own_frames);
  c.begin_section("products with the inverse of the inertia");
  SymbolicProducts products(c, factor);
  const Coordinates H_tau = hessian_entries(h);
  Coordinates x = c.zeros(), H(H_tau.size());
  algebra::solve_hessian(products, FullPattern{c.nv()}, c.nv(), id.dtau_dq.data(), id.dtau_dv.data(),
                         h.dMw_dq.data(), H_tau.data(), H.data(), x.data());
  FloatingBase(c, v).set_hessian(w, H);
  c.output("H", H);
}

void minv_vector_derivative(Context& c, const OwnFrames& own_frames) {
  const SparseFactor factor = factor_in_section(c, first_derivatives(c, c.zeros(), c.zeros(), own_frames).M);
  const Coordinates lambda = factor.solve(c.input("w"));
  const SquareMatrix P = vector_hessian(c, c.zeros(), c.zeros(), lambda, own_frames).dMw_dq;
  c.begin_section("products with the inverse of the inertia");
  c.output("dMinvw_dq", negative_solution(c, P, numbered_solver(c, factor)).column_major());
}

}  // namespace featherline::algorithms
