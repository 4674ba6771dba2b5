#include "algorithms/routines/routine_calls.hpp"

#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"

#include <featherline/detail/second_order_loops.hpp>

namespace featherline::algorithms {
namespace {

using ir::flops_of_products;
using ir::Routine;
using ir::size_of_product;

/// From zero to the tensors of inverse dynamics.
void call_pairs_and_triples(Context& c) {
  call_with_outputs(c, Routines::loops, Routine::rnea_second_derivatives, {"motion", "operators"});
  if (has_friction(c.tree())) call_with_outputs(c, Routines::loops, Routine::add_friction, {"friction"});
}

/// From second derivatives of inverse dynamics, which are the outputs, to those of forward dynamics.
void call_solution(Context& c, Routines by) {
  call_with_outputs(c, by, Routine::solve_second_derivatives, {"Minv", "dtau_dq", "dtau_dv"});
}

/// The array `motion`: a row for each entry of the axes' motions.
void write_motion(Context& c, CompositeMotion& motion) {
  std::vector<Values> by_axis;
  for (int i = 0; i < c.num_bodies(); ++i) {
    for (const Axis& s : motion.body(i).axes) {
      by_axis.emplace_back();
      for (const Motion& m : {s.S, s.Pd, s.Pdd, s.rate}) append_entries(by_axis.back(), m);
    }
  }
  Values by_row;
  for (std::size_t row = 0; row < detail::num_motion; ++row) {
    for (const Values& rows : by_axis) by_row.push_back(rows[row]);
  }
  c.local("motion", by_row);
}

/// The array `operators`, axis by axis.
void write_operators(Context& c, CompositeMotion& motion) {
  Values all;
  for (int i = c.num_bodies(); i-- > 0;) {
    c.begin_section(i, "second derivatives");
    motion.label_composite(i);
    const CompositeBody& body = motion.body(i);
    for (std::size_t k = body.axes.size(); k-- > 0;) {
      const AxisOperators A = algebra::axis_operators(body.I, body.B, body.F, body.axes[k]);
      Values entries;
      append_entries(entries, A.Bs);
      append_entries(entries, A.A3);
      append_entries(entries, A.t2);
      append_entries(entries, A.t3);
      append_entries(entries, A.t4);
      c.keep(entries);
      all.insert(all.begin(), entries.begin(), entries.end());
    }
    motion.add_to_parent(i);
  }
  c.local("operators", all);
}

/// What call_pairs_and_triples() reads.
void write_pairs_and_triples(Context& c, const Values& a, const OwnFrames& own_frames) {
  const Values& v = c.input("v");
  CompositeMotion motion(c, v, a, own_frames);
  write_motion(c, motion);
  write_operators(c, motion);
  if (has_friction(c.tree())) c.local("friction", friction_second_derivative(c, v));
}

/// The inverse of M, to the local "Minv".
void write_inverse(Context& c, Routines by, Inverse inverse, const SquareMatrix& M) {
  c.local("M", M.column_major());
  c.scratch("Minv", c.nv() * c.nv());
  call_inverse(c, by, inverse, "M", "Minv");
}

void write_first_derivatives(Context& c, Routines by, const FirstDerivatives& id) {
  c.local("dtau_dq", id.dtau_dq.column_major());
  c.local("dtau_dv", id.dtau_dv.column_major());
  write_inverse(c, by, Inverse::alone, id.M);
}

/// Forward dynamics without the factor of M.
Values acceleration(Context& c, const Solve& solve) {
  return solve(net_torque(c, c.input("v"), c.input("tau")));
}

}  // namespace

double unrolled_flops(const model::Tree& tree, const UnrolledFlops& per) {
  if (per == UnrolledFlops{}) return 0.0;
  const ir::AxisTable axes = axis_table(tree);
  const std::vector<double> related = axes.num_related(), connected = axes.num_connected();
  double products = 0.0;
  for (std::size_t k = has_floating_base(tree) ? FloatingBase::columns_q : 0; k < related.size(); ++k)
    products += flops_of_products(connected[k], related[k]);
  return per.pairs * axes.num_related_pairs() + per.triples * axes.num_triples() +
         per.minv_products * size_of_product(axes) + per.tensor_products * products;
}

void minv_in_loops(Context& c, Routines by) {
  c.local("M", joint_space_inertia(c).column_major());
  call_on_tree(c, by, Routine::minv, {"M", "Minv"});
}

void aba_derivatives_in_loops(Context& c, Routines by) {
  const Values a = acceleration(c, linear_solver(c));
  const FirstDerivatives id = first_derivatives(c, c.input("v"), a, chosen_frames(c.tree()));
  c.output_acceleration(a);
  c.local("M", id.M.column_major());
  c.output("da_dq", id.dtau_dq.column_major());
  c.output("da_dv", id.dtau_dv.column_major());
  const Inverse inverse = inverse_for_products(c, by);
  call_inverse(c, by, inverse, "M", "da_dtau");
  call_aba_derivatives(c, by, inverse);
}

void aba_vector_hessian_in_loops(Context& c, Routines by) {
  const Values& v = c.input("v");
  const Solve solve = linear_solver(c);
  const Values a = acceleration(c, solve);
  const OwnFrames own_frames = chosen_frames(c.tree());
  write_first_derivatives(c, by, first_derivatives(c, v, a, own_frames));
  const VectorHessian h = vector_hessian(c, v, a, solve(c.input("w")), own_frames);
  c.local("P", h.dMw_dq.column_major());  // d(M lambda)/dq with lambda = M^-1 w
  c.local("H_tau", hessian_entries(h));
  call_aba_vector_hessian(c, by);
}

void minv_vector_derivative_in_loops(Context& c, Routines by) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const SquareMatrix M = first_derivatives(c, c.zeros(), c.zeros(), own_frames).M;
  c.output("dMinvw_dq", vector_hessian(c, c.zeros(), c.zeros(), linear_solver(c)(c.input("w")), own_frames)
                            .dMw_dq.column_major());
  const Inverse inverse = inverse_for_products(c, by);
  write_inverse(c, by, inverse, M);
  call_negative_product(c, by, inverse, "Minv", "dMinvw_dq");
}

void rnea_second_derivatives_in_loops(Context& c) {
  write_pairs_and_triples(c, c.input("a"), root_body_frames(c.tree()));
  const bool once = has_no_mimic(c.tree());  // those of coupled joints are sums
  c.clear_outputs(once, !once);
  call_pairs_and_triples(c);
}

void aba_second_derivatives_in_loops(Context& c, Routines by) {
  const OwnFrames own_frames = root_body_frames(c.tree());
  const Values a = acceleration(c, linear_solver(c));
  const FirstDerivatives id = first_derivatives(c, c.input("v"), a, own_frames);
  write_pairs_and_triples(c, a, own_frames);
  write_first_derivatives(c, by, id);
  constexpr bool once = false;  // the solution fills in zeros
  c.clear_outputs(once);
  call_pairs_and_triples(c);
  call_solution(c, by);
}

void aba_second_derivatives_unrolled_with_calls(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const Values& v = c.input("v");
  const Values a = acceleration(c, linear_solver(c));
  write_first_derivatives(c, Routines::unrolled, first_derivatives(c, v, a, own_frames));
  const SecondDerivatives d = second_derivatives(c, v, a, own_frames, FirstOrder::present);
  c.output("d2a_dqdq", d.dqdq.entries());
  c.output("d2a_dvdv", d.dvdv.entries());
  c.output("d2a_dqdv", d.dqdv.entries());
  c.output("d2a_dqdtau", d.dM_dq.entries());
  call_solution(c, Routines::unrolled);
}

}  // namespace featherline::algorithms
