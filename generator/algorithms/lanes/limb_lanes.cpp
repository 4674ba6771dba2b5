#include "algorithms/lanes/limb_lanes.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/dynamics/floating_base.hpp"
#include "algorithms/lanes/limb_columns.hpp"
#include "algorithms/lanes/limb_inverse.hpp"
#include "algorithms/routines/routine_calls.hpp"

namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Matrix = SquareMatrix;

/// The first `columns` columns of A, whose other rows than those of the trunk are zero.
void append_base_columns(const Context& c, const Matrix& A, int columns, std::vector<StoredEntry>& entries) {
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < A.size(); ++row) {
      if (!A(row, column).is_zero()) entries.push_back({{row + c.full_tree().nv * column}, A(row, column)});
    }
  }
}

void append(std::vector<StoredEntry>& entries, const std::vector<StoredEntry>& more) {
  entries.insert(entries.end(), more.begin(), more.end());
}

struct Products {
  int known_q, known_v;  ///< how many columns are known, before all others
  std::vector<StoredEntry> da_dq, da_dv;
};

/// A floating base's own columns of the derivatives (FloatingBase).
Products known_columns(Context& c) {
  using Base = FloatingBase;
  const Base base(c, c.input("v"));
  Products products{base.applies() ? Base::columns_q : 0, base.applies() ? Base::columns_v : 0, {}, {}};
  Matrix base_q(c.nv()), base_v(c.nv());
  base.set_columns(base_q, base_v);
  append_base_columns(c, base_q, products.known_q, products.da_dq);
  append_base_columns(c, base_v, products.known_v, products.da_dv);
  return products;
}

/// M^-1 and the derivatives of inverse dynamics at the acceleration of the state.
struct ForwardDerivatives {
  explicit ForwardDerivatives(Context& c)
      : own_frames(chosen_frames(c.tree())),
        at_rest(first_derivatives(c, c.input("v"), c.zeros(), own_frames)),
        inverse(c, at_rest.M),
        a(accelerations(c)),
        id(first_derivatives(c, c.input("v"), a, own_frames)) {
    c.begin_section("products with the inverse of the inertia");
  }

  OwnFrames own_frames;
  FirstDerivatives at_rest;
  LimbInverse inverse;
  Values a;
  FirstDerivatives id;

 private:
  Values accelerations(Context& c) const {
    Values net = c.input("tau");
    for (std::size_t k = 0; k < net.size(); ++k) net[k] -= at_rest.tau[k];
    c.begin_section("accelerations");
    return inverse.solve(net);
  }
};

}  // namespace

void aba_in_lanes(Context& c) {
  const LimbInverse inverse(c, joint_space_inertia(c));
  c.output("a", inverse.solve(net_torque(c, c.input("v"), c.input("tau"))));
}

void aza_in_lanes(Context& c) { c.output("x", LimbInverse(c, joint_space_inertia(c)).solve(c.input("b"))); }

void minv_in_lanes(Context& c) { c.output("Minv", LimbInverse(c, joint_space_inertia(c)).inverse()); }

void minv_in_lanes_and_kernels(Context& c) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  Context full = c.unfolded();
  call_on_tree(full, Routines::unrolled, ir::Routine::minv, {"M", "Minv"});
}

void aba_derivatives_in_lanes(Context& c) {
  const ForwardDerivatives parts(c);
  Products products = known_columns(c);
  append(products.da_dq, parts.inverse.negative_product(parts.id.dtau_dq, products.known_q));
  append(products.da_dv, parts.inverse.negative_product(parts.id.dtau_dv, products.known_v));
  c.output("da_dq", products.da_dq);
  c.output("da_dv", products.da_dv);
  c.begin_section("inverse of the inertia");
  c.output("da_dtau", parts.inverse.inverse());
}

void aba_derivatives_in_lanes_and_kernels(Context& c) {
  const ForwardDerivatives parts(c);
  c.output("da_dtau", parts.inverse.inverse());
  c.output("da_dq", parts.id.dtau_dq.column_major(), matrix);
  c.output("da_dv", parts.id.dtau_dv.column_major(), matrix);
  Context full = c.unfolded();
  call_aba_derivatives(full, Routines::unrolled);
}

void aba_vector_hessian_in_lanes_and_kernels(Context& c) {
  const ForwardDerivatives parts(c);
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
  const ForwardDerivatives parts(c);
  LimbColumns columns(c, parts.inverse);
  columns.add_negative_product("da_dq", parts.id.dtau_dq);
  columns.add_negative_product("da_dv", parts.id.dtau_dv);
  columns.add_inverse("da_dtau");
  columns.run();
  Products of_trunk = known_columns(c);
  append(of_trunk.da_dq, parts.inverse.negative_product_of_trunk(parts.id.dtau_dq, of_trunk.known_q));
  append(of_trunk.da_dv, parts.inverse.negative_product_of_trunk(parts.id.dtau_dv, of_trunk.known_v));
  columns.write("da_dq", of_trunk.da_dq);
  columns.write("da_dv", of_trunk.da_dv);
  c.begin_section("inverse of the inertia");
  columns.write("da_dtau", parts.inverse.inverse_of_trunk());
}

namespace {

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

void minv_vector_derivative_in_lanes(Context& c) {
  const ContractedInertia parts = contracted_inertia(c);
  c.output("dMinvw_dq", parts.inverse.negative_product(parts.P));
}

void minv_vector_derivative_by_limb_columns(Context& c) {
  const ContractedInertia parts = contracted_inertia(c);
  LimbColumns columns(c, parts.inverse);
  columns.add_negative_product("dMinvw_dq", parts.P);
  columns.run();
  columns.write("dMinvw_dq", parts.inverse.negative_product_of_trunk(parts.P));
}

}  // namespace featherline::algorithms
