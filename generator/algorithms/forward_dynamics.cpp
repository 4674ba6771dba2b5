#include "algorithms/forward_dynamics.hpp"

#include "algorithms/articulated_bodies.hpp"
#include "algorithms/floating_base.hpp"
#include "algorithms/inverse_dynamics.hpp"
#include "algorithms/mass_matrix.hpp"

namespace featherline::algorithms {
namespace {

/// M^-1 from a solver, its lower triangle mirrored.
template <class T>
SquareMatrix<T> inverse_by_columns(Context<T>& context, const Solve<T>& solve) {
  const int n = context.nv();
  SquareMatrix<T> Z(n);
  for (int c = 0; c < n; ++c) {
    Coordinates<T> unit = context.zeros();
    unit[static_cast<std::size_t>(c)] = T(1.0);
    const Coordinates<T> x = solve(unit);
    for (int r = c; r < n; ++r) Z(r, c) = Z(c, r) = x[static_cast<std::size_t>(r)];
  }
  return Z;
}

template <class T>
SquareMatrix<T> inverse_in_section(Context<T>& context, const SparseFactor<T>& factor) {
  context.begin_section("inverse of the inertia, from the factor");
  SquareMatrix<T> Minv = factor.inverse();
  for (int c = 0; c < Minv.size(); ++c) {  // columns are computed one by one
    for (int r = c; r < Minv.size(); ++r)
      context.label(Minv(r, c), "Minv_" + std::to_string(r) + "_" + std::to_string(c));
  }
  return Minv;
}

template <class T>
SquareMatrix<T> negative_solution(Context<T>& context, const SquareMatrix<T>& B, const Solve<T>& solve) {
  SquareMatrix<T> C(B.size());
  for (int c = 0; c < B.size(); ++c) {
    Coordinates<T> x = solve(B.column(c));
    for (T& e : x) {
      e = -e;
      context.keep(e);
    }
    C.set_column(c, x);
  }
  return C;
}

/// -M^-1 B.
template <class T>
using Product = std::function<SquareMatrix<T>(const SquareMatrix<T>& B)>;
/// From M^-1 and the factor, both of which live on.
template <class T>
using MakeProduct =
    std::function<Product<T>(Context<T>&, const SquareMatrix<T>& Minv, const SparseFactor<T>&)>;

template <class T>
void derivatives(Context<T>& c, const MakeProduct<T>& make_product) {
  const Coordinates<T>&v = c.input("v"), &tau = c.input("tau");
  const OwnFrames own_frames = chosen_frames(c.tree());
  const auto [factor, a] = forward_dynamics(c, v, tau, own_frames);
  const SquareMatrix<T> Minv = inverse_in_section(c, factor);
  const FirstDerivatives<T> id = first_derivatives(c, v, a, own_frames);
  c.begin_section("products with the inverse of the inertia");
  const Product<T> product = make_product(c, Minv, factor);
  SquareMatrix<T> da_dq = product(id.dtau_dq), da_dv = product(id.dtau_dv);
  FloatingBase<T>(c, v).set_columns(da_dq, da_dv);
  c.output("da_dq", da_dq.column_major());
  c.output("da_dv", da_dv.column_major());
  c.output("da_dtau", Minv.column_major());
}

}  // namespace

template <class T>
Coordinates<T> net_torque(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& tau) {
  Coordinates<T> net = inverse_dynamics(context, v, context.zeros());
  for (std::size_t k = 0; k < net.size(); ++k) net[k] = tau[k] - net[k];
  return net;
}

template <class T>
SparseFactor<T> factor_in_section(Context<T>& context, const SquareMatrix<T>& M) {
  context.begin_section("factor of the inertia, M = L^T D L");
  SparseFactor<T> factor(M);
  factor.label(context);
  return factor;
}

template <class T>
ForwardDynamics<T> forward_dynamics(Context<T>& context, const Coordinates<T>& v, const Coordinates<T>& tau,
                                    const OwnFrames& own_frames) {
  SparseFactor<T> factor =
      factor_in_section(context, first_derivatives(context, v, context.zeros(), own_frames).M);
  const Coordinates<T> net = net_torque(context, v, tau);
  context.begin_section("accelerations from the factor");
  Coordinates<T> a = factor.solve(net);
  for (const T& x : a) context.keep(x);
  return {std::move(factor), std::move(a)};
}

template <class T>
Solve<T> factor_solver(Context<T>& context) {
  return
      [&context, factor = factor_in_section(context, joint_space_inertia(context))](const Coordinates<T>& b) {
        context.begin_section("solution by the factor");
        return factor.solve(b);
      };
}

template <class T>
Solve<T> articulated_solver(Context<T>& context) {
  return [bodies = ArticulatedBodies<T>(context)](const Coordinates<T>& b) { return bodies.solve(b); };
}

template <class T>
Solve<T> linear_solver(Context<T>& context) {
  return has_own_coordinates(context.tree()) ? articulated_solver(context) : factor_solver(context);
}

namespace {

template <class T>
void forward(Context<T>& c, const Solve<T>& solve) {
  c.output("a", solve(net_torque(c, c.input("v"), c.input("tau"))));
}

}  // namespace

template <class T>
void aba_by_factor(Context<T>& c) {
  forward(c, factor_solver(c));
}

template <class T>
void aba_by_articulated_bodies(Context<T>& c) {
  forward(c, articulated_solver(c));
}

template <class T>
void aza_by_factor(Context<T>& c) {
  c.output("x", factor_solver(c)(c.input("b")));
}

template <class T>
void aza_by_articulated_bodies(Context<T>& c) {
  c.output("x", articulated_solver(c)(c.input("b")));
}

template <class T>
void minv_by_factor(Context<T>& c) {
  c.output("Minv", inverse_in_section(c, factor_in_section(c, joint_space_inertia(c))).column_major());
}

template <class T>
void minv_by_aza(Context<T>& c) {
  c.output("Minv", inverse_by_columns(c, articulated_solver(c)).column_major());
}

template <class T>
void aba_derivatives_by_dmm(Context<T>& context) {
  derivatives<T>(context, [](Context<T>&, const SquareMatrix<T>& Minv, const SparseFactor<T>&) -> Product<T> {
    return [&Minv](const SquareMatrix<T>& B) { return negative_product(Minv, B); };
  });
}

template <class T>
void aba_derivatives_by_factor(Context<T>& context) {
  derivatives<T>(
      context, [](Context<T>& c, const SquareMatrix<T>&, const SparseFactor<T>& factor) -> Product<T> {
        return [&](const SquareMatrix<T>& B) {
          return negative_solution<T>(c, B, [&](const Coordinates<T>& b) { return factor.solve(b); });
        };
      });
}

template <class T>
void aba_derivatives_by_aza(Context<T>& context) {
  derivatives<T>(context, [](Context<T>& c, const SquareMatrix<T>&, const SparseFactor<T>&) -> Product<T> {
    return [&c, solve = articulated_solver(c)](const SquareMatrix<T>& B) {
      return negative_solution(c, B, solve);
    };
  });
}

#define FEATHERLINE_INSTANTIATE(T)                                                                        \
  template Coordinates<T> net_torque(Context<T>&, const Coordinates<T>&, const Coordinates<T>&);          \
  template SparseFactor<T> factor_in_section(Context<T>&, const SquareMatrix<T>&);                        \
  template ForwardDynamics<T> forward_dynamics(Context<T>&, const Coordinates<T>&, const Coordinates<T>&, \
                                               const OwnFrames&);                                         \
  template Solve<T> linear_solver(Context<T>&);                                                           \
  template void aba_by_factor(Context<T>&);                                                               \
  template void aba_by_articulated_bodies(Context<T>&);                                                   \
  template void aza_by_factor(Context<T>&);                                                               \
  template void aza_by_articulated_bodies(Context<T>&);                                                   \
  template void minv_by_factor(Context<T>&);                                                              \
  template void minv_by_aza(Context<T>&);                                                                 \
  template void aba_derivatives_by_dmm(Context<T>&);                                                      \
  template void aba_derivatives_by_factor(Context<T>&);                                                   \
  template void aba_derivatives_by_aza(Context<T>&)
FEATHERLINE_INSTANTIATE(Scalar);
FEATHERLINE_INSTANTIATE(double);
#undef FEATHERLINE_INSTANTIATE

}  // namespace featherline::algorithms
