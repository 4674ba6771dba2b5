#include "algorithms/routines/routine_calls.hpp"

#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/matrices.hpp"
#include "joints/symbolic/joints.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

/// The array `joints` (detail::PanelInputs).
Values joint_values(Context& c, const PanelLayout& layout) {
  Values values, sines;
  for (std::size_t b = 0; b < layout.bodies.size(); ++b) {
    const bool turns = layout.table.bodies[b].placement < 0 && c.parent(layout.bodies[b]) >= 0;
    const Scalar angle = turns ? joint_angle(c, layout.bodies[b]) : Scalar(0.0);
    values.push_back(turns ? cos(angle) : Scalar(1.0));
    sines.push_back(turns ? sin(angle) : Scalar(0.0));
  }
  values.insert(values.end(), sines.begin(), sines.end());
  for (const int root : layout.roots)
    append_entries(values, joint_motion(c, root).R.to_child(-c.felt_gravity()));
  for (const int i : layout.varying) {
    c.begin_section(i, "placement");
    const JointMotion X = joint_motion(c, i);
    append_entries(values, X.R.matrix().transposed());  // column by column
    append_entries(values, X.p);
  }
  return values;
}

/// Whether every call overwrites what it wrote before. Friction is added to entries that nothing else writes, and
/// panels of coupled joints add everything.
bool clears_second_order_once(const model::Tree& tree) { return !has_friction(tree) && has_no_mimic(tree); }

/// If once is not enough, panels add to the zeros.
void clear_outputs(Context& c, bool once) { c.clear_outputs(once, !once); }

/// The panels of one robot, for one or several calls of one kernel.
class Panels {
 public:
  /// Writes the local array that all routines read.
  explicit Panels(Context& context) : c_(context) {
    const PanelLayout layout(c_.tree());
    table_ = std::make_shared<ir::PanelTable>(layout.table);
    c_.local("joint_values", joint_values(c_, layout));
  }

  /// First derivatives of inverse dynamics, friction and springs included, into two arrays of the kernel, which hold
  /// zeros before. `a` names an array: an input, or a local one.
  void first_derivatives(const std::string& a, const std::string& dtau_dq, const std::string& dtau_dv) {
    call(Routine::panel_derivatives, {"v", a, "joint_values", dtau_dq, dtau_dv});
    SquareMatrix slopes(c_.nv()), springs(c_.nv());
    add_friction_derivative(c_, c_.input("v"), slopes);
    add_spring_derivative(c_, springs);
    add_to(Routine::add_to_diagonal, "friction", diagonal(slopes), {dtau_dv});
    add_to(Routine::add_to_diagonal, "springs", diagonal(springs), {dtau_dq});
  }
  /// Second derivatives of inverse dynamics, friction included, into four arrays of the kernel, which hold zeros
  /// before: dqdq, dvdv, dqdv, dM_dq.
  void second_derivatives(const std::string& a, const std::vector<std::string>& tensors) {
    std::vector<std::string> arguments{"v", a, "joint_values"};
    arguments.insert(arguments.end(), tensors.begin(), tensors.end());
    call(Routine::panel_second_derivatives, arguments);
    add_to(Routine::add_to_cube_diagonal, "second_friction", second_friction(), {tensors[1]});
  }
  /// Second derivatives of w^T tau, friction included, into H, which holds zeros before.
  void vector_hessian(const std::string& a, const std::string& w, const std::string& H) {
    call(Routine::panel_vector_hessian, {"v", a, w, "joint_values", H});
    add_to(Routine::add_to_hessian, "second_friction", second_friction(), {w, H});
  }
  /// d (M w)/dq, into an array that holds zeros before.
  void mass_matrix_vector_derivative(const std::string& w, const std::string& dMw_dq) {
    c_.local("rest", c_.nv());
    call(Routine::panel_mass_matrix_vector_derivative, {"rest", "rest", w, "joint_values", dMw_dq});
  }

 private:
  using Routine = ir::Routine;

  void call(Routine routine, const std::vector<std::string>& arguments) {
    c_.call({.routine = routine, .arguments = c_.arrays(arguments), .panels = table_});
  }
  static Values diagonal(const SquareMatrix& A) {
    Values entries;
    for (int k = 0; k < A.size(); ++k) entries.push_back(A(k, k));
    return entries;
  }
  Values second_friction() const { return friction_second_derivative(c_, c_.input("v")); }
  void add_to(Routine routine, const std::string& name, const Values& values,
              std::vector<std::string> arguments) {
    if (std::ranges::all_of(values, [](const Scalar& x) { return is_zero(x); })) return;
    c_.local(name, values);
    arguments.insert(arguments.begin(), name);
    call(routine, arguments);
  }

  Context& c_;
  std::shared_ptr<const ir::PanelTable> table_;
};

constexpr Routines unrolled = Routines::unrolled;

/// M^-1 and the acceleration of the state, to `Minv` and the local "acceleration".
Context call_acceleration(Context& c, const std::string& Minv, Inverse inverse = Inverse::alone) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  c.local("net", net_torque(c, c.input("v"), c.input("tau")));
  Context full = c.unfolded();
  if (!full.has_output("acceleration")) full.scratch("acceleration", full.nv());
  call_inverse(full, unrolled, inverse, "M", Minv);
  call_on_tree(full, unrolled, ir::Routine::solve, {Minv, "net", "acceleration"});
  return full;
}

/// First derivatives of inverse dynamics, to two arrays.
void call_first_derivatives(Context& full, Panels& panels) {
  const int entries = full.nv() * full.nv();
  full.local("dtau_dq", entries);
  full.local("dtau_dv", entries);
  panels.first_derivatives("acceleration", "dtau_dq", "dtau_dv");
}

/// M^-1 w, to the local "lambda".
void call_weights(Context& full) {
  full.scratch("lambda", full.nv());
  call_on_tree(full, unrolled, ir::Routine::solve, {"Minv", "w", "lambda"});
}

}  // namespace

bool has_plain_terms(const model::Tree& tree) {
  return !model::has_lifted(tree) && !model::has_damped_free_joint(tree) && !model::has_pose_springs(tree) &&
         tree.tendons.empty();
}

bool fits_panels(const model::Tree& tree) {
  // Inertias and placements are numbers in the panels' tables, and external forces are not implemented there.
  const bool only_gravity =
      tree.chosen.forces.empty() && tree.chosen.payloads.empty() && !tree.chosen.has_geometry();
  return only_gravity && has_plain_terms(tree) && tree.nv > 0 &&
         (tree.bodies.size() > 1 || !has_floating_base(tree));
}

bool fits_contracted_panels(const model::Tree& tree) {
  return fits_panels(tree) && std::ranges::all_of(tree.bodies, [&](const model::Body& body) {
           const bool is_base = has_floating_base(tree) && &body == &tree.bodies.front();
           return is_base || body.joint.nv == 1;
         });
}

void call_panel_derivatives(Context& c, const std::string& a, const std::string& dtau_dq,
                            const std::string& dtau_dv) {
  Panels(c).first_derivatives(a, dtau_dq, dtau_dv);
}

void rnea_derivatives_in_panels(Context& c) {
  // The diagonal, to which friction and springs are added, is written by every call.
  clear_outputs(c, has_no_mimic(c.tree()));
  Panels(c).first_derivatives("a", "dtau_dq", "dtau_dv");
}

void rnea_second_derivatives_in_panels(Context& c) {
  clear_outputs(c, clears_second_order_once(c.tree()));
  Panels(c).second_derivatives("a", c.output_names());
}

void rnea_vector_hessian_in_panels(Context& c) {
  clear_outputs(c, clears_second_order_once(c.tree()));
  Panels(c).vector_hessian("a", "w", "H");
}

void mass_matrix_vector_derivative_in_panels(Context& c) {
  clear_outputs(c, has_no_mimic(c.tree()));
  Panels(c).mass_matrix_vector_derivative("w", "dMw_dq");
}

void aba_derivatives_in_panels(Context& c) {
  // Panels leave out columns of a floating base that are zero. Products read them, unless they are known. Panels of
  // coupled joints add.
  constexpr bool once = false;
  if (!FloatingBase(c, c.input("v")).applies() || !has_no_mimic(c.tree())) c.clear_outputs(once);
  const Inverse inverse = inverse_for_products(c, unrolled);
  Context full = call_acceleration(c, "da_dtau", inverse);
  Panels(full).first_derivatives("acceleration", "da_dq", "da_dv");
  call_aba_derivatives(full, unrolled, inverse);
}

void aba_second_derivatives_in_panels(Context& c) {
  c.scratch("Minv", c.full_tree().nv * c.full_tree().nv);
  Context full = call_acceleration(c, "Minv");
  Panels panels(full);
  call_first_derivatives(full, panels);
  constexpr bool once = false;  // the solution fills in zeros
  full.clear_outputs(once);
  panels.second_derivatives("acceleration", full.output_names());
  call_with_outputs(full, unrolled, ir::Routine::solve_second_derivatives, {"Minv", "dtau_dq", "dtau_dv"});
}

void aba_vector_hessian_in_panels(Context& c) {
  c.scratch("Minv", c.full_tree().nv * c.full_tree().nv);
  Context full = call_acceleration(c, "Minv");
  call_weights(full);
  Panels panels(full);
  full.local("P", full.nv() * full.nv());  // panels leave zeros out
  full.local("H_tau", 4 * full.nv() * full.nv());
  call_first_derivatives(full, panels);
  panels.mass_matrix_vector_derivative("lambda", "P");
  panels.vector_hessian("acceleration", "lambda", "H_tau");
  call_aba_vector_hessian(full, unrolled);
}

void minv_vector_derivative_in_panels(Context& c) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  c.scratch("Minv", c.full_tree().nv * c.full_tree().nv);
  Context full = c.unfolded();
  const Inverse inverse = inverse_for_products(c, unrolled);
  call_inverse(full, unrolled, inverse, "M", "Minv");
  call_weights(full);
  constexpr bool once = false;  // the product overwrites zeros
  full.clear_outputs(once);
  Panels(full).mass_matrix_vector_derivative("lambda", "dMinvw_dq");
  call_negative_product(full, unrolled, inverse, "Minv", "dMinvw_dq");
}

}  // namespace featherline::algorithms
