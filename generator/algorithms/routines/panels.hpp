#pragma once

#include "algorithms/context.hpp"

/// Derivatives in panels, for large trees with branches and for long chains. Straight-line code computes sines,
/// cosines, gravity and the placements of rare joints. Routines of the runtime (featherline/panels.hpp) do everything
/// else. They work on four degrees of freedom at a time.
namespace featherline::algorithms {

/// Whether panels can compute derivatives of this robot: there has to be more than a floating base,
/// and neither external forces nor payloads among the chosen inputs.
bool fits_panels(const model::Tree& tree);

/// The same for contracted derivatives. Behind the root, each joint needs to have one axis. Among several axes of one
/// joint, entries that are zero would come out as rounding.
bool fits_contracted_panels(const model::Tree& tree);

/// The panels of one robot, for one or several calls of one kernel.
class Panels {
 public:
  /// Writes the local array that all routines read.
  explicit Panels(Context& context);

  /// First derivatives of inverse dynamics, friction included, into two arrays of the kernel, which hold zeros
  /// before. `a` names an array: an input, or a local one.
  void first_derivatives(const std::string& a, const std::string& dtau_dq, const std::string& dtau_dv);
  /// Second derivatives of inverse dynamics, friction included, into four arrays of the kernel, which hold zeros
  /// before: dqdq, dvdv, dqdv, dM_dq.
  void second_derivatives(const std::string& a, const std::vector<std::string>& tensors);
  /// Second derivatives of w^T tau, friction included, into H, which holds zeros before.
  void vector_hessian(const std::string& a, const std::string& w, const std::string& H);
  /// d (M w)/dq, into an array that holds zeros before.
  void mass_matrix_vector_derivative(const std::string& w, const std::string& dMw_dq);

 private:
  ir::Call call(const std::string& routine, std::vector<std::string> arguments) const;
  void add_friction(const std::string& routine, const std::string& name, const Coordinates& friction,
                    std::vector<std::string> arguments);
  /// Slots in ranges of the table.
  int count(int begin, int end) const;
  /// Of slots on one path, each slot with itself included.
  double num_pairs() const;
  double flops_of_tensors() const;
  /// What routines of contracted derivatives cost.
  void set_hessian_costs(ir::Call& call, int code_bytes, int flops_of_one_pair, double ns_of_flop) const;

  Context& c_;
  std::shared_ptr<const ir::PanelTable> table_;
};

void rnea_derivatives_in_panels(Context& context);
void rnea_second_derivatives_in_panels(Context& context);
void rnea_vector_hessian_in_panels(Context& context);
void mass_matrix_vector_derivative_in_panels(Context& context);

}  // namespace featherline::algorithms
