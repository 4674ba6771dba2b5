#include "algorithms/limb_lanes.hpp"

#include "algorithms/floating_base.hpp"
#include "algorithms/forward_dynamics.hpp"
#include "algorithms/limb_inverse.hpp"
#include "algorithms/mass_matrix.hpp"
#include "algorithms/vector_hessian.hpp"

namespace featherline::algorithms {
namespace {

using Values = Coordinates<Scalar>;
using Matrix = SquareMatrix<Scalar>;

/// The first `columns` columns of A, whose other rows than those of the trunk are zero.
void append_base_columns(const Context<Scalar>& c, const Matrix& A, int columns,
                         std::vector<StoredEntry>& entries) {
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < A.size(); ++row) {
      if (!A(row, column).is_zero()) entries.push_back({{row + c.full_tree().nv * column}, A(row, column)});
    }
  }
}

/// -M^-1 of both matrices. A floating base's own columns are known (FloatingBase).
void write_products(Context<Scalar>& c, const LimbInverse& inverse, const FirstDerivatives<Scalar>& id) {
  const bool known = c.tree().floating_base && c.only_gravity_is_fixed_in_world();
  const int known_q = known ? 6 : 0, known_v = known ? 3 : 0;
  c.begin_section("products with the inverse of the inertia");
  std::vector<StoredEntry> da_dq = inverse.negative_product(id.dtau_dq, known_q);
  std::vector<StoredEntry> da_dv = inverse.negative_product(id.dtau_dv, known_v);
  Matrix base_q(c.nv()), base_v(c.nv());
  FloatingBase<Scalar>(c, c.input("v")).set_columns(base_q, base_v);
  append_base_columns(c, base_q, known_q, da_dq);
  append_base_columns(c, base_v, known_v, da_dv);
  c.output("da_dq", da_dq);
  c.output("da_dv", da_dv);
}

}  // namespace

void aba_in_lanes(Context<Scalar>& c) {
  const LimbInverse inverse(c, joint_space_inertia(c));
  c.output("a", inverse.solve(net_torque(c, c.input("v"), c.input("tau"))));
}

void aza_in_lanes(Context<Scalar>& c) {
  c.output("x", LimbInverse(c, joint_space_inertia(c)).solve(c.input("b")));
}

void minv_in_lanes(Context<Scalar>& c) { c.output("Minv", LimbInverse(c, joint_space_inertia(c)).inverse()); }

void aba_derivatives_in_lanes(Context<Scalar>& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const Values &v = c.input("v"), &tau = c.input("tau");
  const FirstDerivatives<Scalar> at_rest = first_derivatives(c, v, c.zeros(), own_frames);
  const LimbInverse inverse(c, at_rest.M);
  Values net = tau;
  for (std::size_t k = 0; k < net.size(); ++k) net[k] -= at_rest.tau[k];
  c.begin_section("accelerations");
  const Values a = inverse.solve(net);
  write_products(c, inverse, first_derivatives(c, v, a, own_frames));
  c.begin_section("inverse of the inertia");
  c.output("da_dtau", inverse.inverse());
}

void minv_vector_derivative_in_lanes(Context<Scalar>& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const LimbInverse inverse(c, first_derivatives(c, c.zeros(), c.zeros(), own_frames).M);
  const Matrix P = vector_hessian(c, c.zeros(), c.zeros(), inverse.solve(c.input("w")), own_frames).dMw_dq;
  c.begin_section("products with the inverse of the inertia");
  c.output("dMinvw_dq", inverse.negative_product(P));
}

}  // namespace featherline::algorithms
