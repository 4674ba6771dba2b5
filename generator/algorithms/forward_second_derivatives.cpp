#include "algorithms/forward_second_derivatives.hpp"

#include "algorithms/forward_parts.hpp"
#include "algorithms/second_derivatives.hpp"

namespace featherline::algorithms {
namespace {

/// Y_j = M^-1 (dM/dq_j) M^-1 for all j; the upper triangle is mirrored.
std::vector<SquareMatrix> inertia_terms(const Tensor& dM_dq, const SquareMatrix& Minv) {
  const int n = Minv.size();
  std::vector<SquareMatrix> Y;
  for (int j = 0; j < n; ++j) {
    SquareMatrix dM(n), both(n);
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) dM(r, c) = dM_dq(r, c, j);
    }
    const SquareMatrix left = Minv * dM;
    for (int c = 0; c < n; ++c) {
      for (int r = c; r < n; ++r) both(r, c) = both(c, r) = entry_of_product(left, r, Minv, c);
    }
    Y.push_back(std::move(both));
  }
  return Y;
}

struct Unrolled {
  const SecondDerivatives& id2;
  const FirstDerivatives& id;
  const SparseFactor& factor;
  const std::vector<SquareMatrix>& Y;

  /// Y_j A(:, k).
  Coordinates turned(int j, const SquareMatrix& A, int k) const {
    Coordinates x;
    for (int i = 0; i < A.size(); ++i) x.push_back(entry_of_product(Y[static_cast<std::size_t>(j)], i, A, k));
    return x;
  }
  /// M^-1 T(:, j, k).
  Coordinates solved(const Tensor& T, int j, int k) const {
    Coordinates x;
    for (int i = 0; i < id.M.size(); ++i) x.push_back(T(i, j, k));
    return factor.solve(std::move(x));
  }
};

void write(Tensor& T, int j, int k, const Coordinates& x) {
  for (int i = 0; i < static_cast<int>(x.size()); ++i) T(i, j, k) = x[static_cast<std::size_t>(i)];
}

SecondDerivatives assemble(const Unrolled& u) {
  const int n = u.id.M.size();
  SecondDerivatives d{Tensor(n), Tensor(n), Tensor(n), Tensor(n)};
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      Coordinates qq = u.turned(j, u.id.dtau_dq, k), qv = u.turned(j, u.id.dtau_dv, k),
                  vv = u.solved(u.id2.dvdv, j, k);
      const Coordinates other = u.turned(k, u.id.dtau_dq, j), first = u.solved(u.id2.dqdq, j, k);
      const Coordinates mixed = u.solved(u.id2.dqdv, j, k);
      for (std::size_t i = 0; i < qq.size(); ++i) {
        qq[i] += other[i] - first[i];
        qv[i] -= mixed[i];
        vv[i] = -vv[i];
        d.dM_dq(static_cast<int>(i), j, k) = -u.Y[static_cast<std::size_t>(j)](static_cast<int>(i), k);
      }
      write(d.dqdq, j, k, qq);
      write(d.dqdv, j, k, qv);
      write(d.dvdv, j, k, vv);
    }
  }
  return d;
}

void set_rows(Tensor& T, int j, int k, const Vector3& linear) {
  for (int i = 0; i < 3; ++i) T(i, j, k) = linear[i];
}

/// What is known where one of the two coordinates is a floating base's (see forward_vector_hessian.cpp).
void set_floating_base(Tracer& t, SecondDerivatives& d) {
  if (!t.tree().floating_base) return;
  const int n = t.tree().nv;
  const Coordinates none = zero_coordinates(t);
  const Vector3 g = base_gravity(t);
  for (int b = 0; b < 6; ++b) {
    for (int k = 0; k < n; ++k) {
      for (Tensor* T : {&d.dqdq, &d.dqdv, &d.dM_dq}) write(*T, b, k, none);
      write(d.dqdq, k, b, none);
      if (b < 3) {
        write(d.dqdv, k, b, none);
        write(d.dvdv, b, k, none);
        write(d.dvdv, k, b, none);
      }
    }
  }
  for (int j = 3; j < 6; ++j) {
    for (int k = 0; k < 3; ++k) {
      set_rows(d.dqdq, j, 3 + k, g.cross(base_axis(3 + k)).cross(base_axis(j)));
      set_rows(d.dvdv, j, k, base_axis(k).cross(base_axis(j)));
      set_rows(d.dvdv, k, j, base_axis(k).cross(base_axis(j)));
    }
  }
}

}  // namespace

ir::Function trace_aba_second_derivatives(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv, n3 = n * n * n;
  Tracer t(heavy, "aba_second_derivatives", "", forward_state(tree),
           {{"d2a_dqdq", n3}, {"d2a_dvdv", n3}, {"d2a_dqdv", n3}, {"d2a_dqdtau", n3}});
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2);
  const FrameRoots roots = frames(tree);
  const auto [factor, a] = forward_dynamics(t, v, tau, roots);
  const FirstDerivatives id = first_derivatives(t, v, a, roots);
  const SecondDerivatives id2 = second_derivatives(t, v, a, roots);
  const std::vector<SquareMatrix> Y = inertia_terms(id2.dM_dq, factor.inverse());
  SecondDerivatives d = assemble({id2, id, factor, Y});
  set_floating_base(t, d);
  store_all(t, d);
  return t.take();
}

}  // namespace featherline::algorithms
