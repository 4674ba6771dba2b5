#include "algorithms/lanes/limb_inverse.hpp"

#include "algorithms/derivatives/derivatives.hpp"

namespace featherline::algorithms {
namespace {

/// M^-1 and the derivatives of inverse dynamics at the acceleration of the state.
struct ForwardDerivatives {
  OwnFrames own_frames;
  LimbInverse inverse;
  Values a;
  FirstDerivatives id;
};

ForwardDerivatives forward_derivatives(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const FreeRobot free(c, own_frames);
  const LimbInverse inverse(c, free.M);
  c.begin_section("accelerations");
  const Values a = inverse.solve(free.net_torque);
  const FirstDerivatives id = first_derivatives(c, c.input("v"), a, own_frames);
  c.begin_section("products with the inverse of the inertia");
  return {own_frames, inverse, a, id};
}

struct Products {
  std::vector<StoredEntry> da_dq, da_dv;
};

/// A floating base's own columns are known (FloatingBase), and come before all others.
Products products(Context& c, const ForwardDerivatives& parts, LimbInverse::Columns which) {
  const FloatingBase base(c, c.input("v"));
  Matrix base_q(c.nv()), base_v(c.nv());
  base.set_columns(base_q, base_v);
  const auto derivative = [&](const Matrix& of_base, int num_known, const Matrix& dtau) {
    if (!base.applies()) num_known = 0;
    std::vector<StoredEntry> entries;
    for (int k = 0; k < num_known; ++k) {
      for (int row = 0; row < c.nv(); ++row) {
        if (!of_base(row, k).is_zero()) entries.push_back({{row + c.full_tree().nv * k}, of_base(row, k)});
      }
    }
    const std::vector<StoredEntry> more = parts.inverse.negative_product(dtau, num_known, which);
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
  };
  return {derivative(base_q, FloatingBase::columns_q, parts.id.dtau_dq),
          derivative(base_v, FloatingBase::columns_v, parts.id.dtau_dv)};
}

Matrix multiple(const Scalar& x, const Matrix& A) {
  Matrix product(A.size());
  for (int k = 0; k < A.size(); ++k) product.set_column(k, scaled(x, A.column(k)));
  return product;
}

/// An output, and where its columns begin there.
struct Place {
  std::string output;
  int begin = 0;
};
/// Makes the columns of all derivatives in limbs, times a number.
void run_all(LimbColumns& columns, const ForwardDerivatives& parts, const Scalar& factor, const Place& q,
             const Place& v, const Place& tau) {
  Matrix unit(parts.id.dtau_dq.size());
  for (int k = 0; k < unit.size(); ++k) unit(k, k) = factor;
  columns.add(q.output, multiple(-factor, parts.id.dtau_dq), q.begin);
  columns.add(v.output, multiple(-factor, parts.id.dtau_dv), v.begin);
  columns.add(tau.output, unit, tau.begin);
  columns.run();
}

struct ContractedInertia {
  LimbInverse inverse;
  Matrix P;  ///< d (M lambda) / dq, with lambda = M^-1 w
};

ContractedInertia contracted_inertia(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const LimbInverse inverse(c, first_derivatives(c, c.zeros(), c.zeros(), own_frames).M);
  const Matrix P = vector_hessian(c, c.zeros(), c.zeros(), inverse.solve(c.input("w")), own_frames).dMw_dq;
  c.begin_section("products with the inverse of the inertia");
  return {inverse, P};
}

}  // namespace

Coordinates acceleration_in_lanes(Context& c, const Coordinates& v, const Coordinates& tau) {
  const LimbInverse inverse(c, joint_space_inertia(c));
  return inverse.solve(net_torque(c, v, tau));
}

void aza_in_lanes(Context& c) { c.output("x", LimbInverse(c, joint_space_inertia(c)).solve(c.input("b"))); }

void minv_in_lanes(Context& c) { c.output("Minv", LimbInverse(c, joint_space_inertia(c)).inverse()); }

void minv_in_lanes_and_kernels(Context& c) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  Context full = c.unfolded();
  call_on_tree(full, Routines::unrolled, ir::Routine::minv, {"M", "Minv"});
}

void aba_derivatives_in_lanes(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  const auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::all);
  c.output("da_dq", da_dq);
  c.output("da_dv", da_dv);
  c.begin_section("inverse of the inertia");
  c.output("da_dtau", parts.inverse.inverse());
}

StoredDynamics stored_dynamics_in_lanes(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::all);
  c.begin_section("inverse of the inertia");
  return {parts.a, std::move(da_dq), std::move(da_dv), parts.inverse.inverse()};
}

void aba_derivatives_in_lanes_and_kernels(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  c.output("da_dtau", parts.inverse.inverse());
  c.output("da_dq", parts.id.dtau_dq.column_major(), matrix);
  c.output("da_dv", parts.id.dtau_dv.column_major(), matrix);
  Context full = c.unfolded();
  call_aba_derivatives(full, Routines::unrolled);
}

void aba_vector_hessian_in_lanes_and_kernels(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.local("Minv", c.full_tree().nv * c.full_tree().nv, parts.inverse.inverse());
  c.local("dtau_dq", parts.id.dtau_dq.column_major(), matrix);
  c.local("dtau_dv", parts.id.dtau_dv.column_major(), matrix);
  const Values lambda = parts.inverse.solve(c.input("w"));
  const VectorHessian h = vector_hessian(c, c.input("v"), parts.a, lambda, parts.own_frames);
  c.local("P", h.dMw_dq.column_major(), matrix);
  c.local("H_tau", hessian_entries(h), hessian);
  Context full = c.unfolded();
  call_aba_vector_hessian(full, Routines::unrolled);
}

void aba_derivatives_by_limb_columns(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  LimbColumns columns(c, parts.inverse, c.full_tree().nv);
  run_all(columns, parts, 1.0, {"da_dq"}, {"da_dv"}, {"da_dtau"});
  const auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::of_trunk);
  columns.write("da_dq", da_dq);
  columns.write("da_dv", da_dv);
  c.begin_section("inverse of the inertia");
  columns.write("da_dtau", parts.inverse.inverse_of_trunk());
}

void rates_of_step_by_limb_columns(Context& c) {
  const int n = c.full_tree().nv, by_v = 2 * n * n;
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  LimbColumns columns(c, parts.inverse, 2 * n);
  run_all(columns, parts, c.dt(), {"A", n}, {"A", by_v + n}, {"B", n});
  std::set<int> rows_of_q;
  for (int place = 0; place < 4 * n * n; ++place) {
    if (place % (2 * n) < n) rows_of_q.insert(place);
  }
  const auto place = [&](std::vector<StoredEntry> rates, int column, std::vector<StoredEntry>& entries) {
    for (StoredEntry& e : rates) c.keep(e.value = c.dt() * e.value);
    place_block(rates, n, n, column, 2 * n, entries);
  };
  const auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::of_trunk);
  std::vector<StoredEntry> A, B;
  place(da_dq, 0, A);
  place(da_dv, n, A);
  columns.write("A", A, rows_of_q);
  c.begin_section("inverse of the inertia");
  place(parts.inverse.inverse_of_trunk(), 0, B);
  rows_of_q.erase(rows_of_q.lower_bound(by_v), rows_of_q.end());
  columns.write("B", B, rows_of_q);
}

void minv_vector_derivative_in_lanes(Context& c) {
  const ContractedInertia parts = contracted_inertia(c);
  c.output("dMinvw_dq", parts.inverse.negative_product(parts.P));
}

void minv_vector_derivative_by_limb_columns(Context& c) {
  const ContractedInertia parts = contracted_inertia(c);
  LimbColumns columns(c, parts.inverse, c.full_tree().nv);
  columns.add("dMinvw_dq", multiple(-1.0, parts.P));
  columns.run();
  columns.write("dMinvw_dq", parts.inverse.negative_product(parts.P, 0, LimbInverse::Columns::of_trunk));
}

}  // namespace featherline::algorithms
