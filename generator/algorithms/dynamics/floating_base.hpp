#pragma once

#include "algorithms/matrices.hpp"

/// Derivatives of forward dynamics with respect to the coordinates of a floating base. They need no solution with M:
///  - The position of the base has no effect.
///  - A rotation of the base only rotates gravity in its axes.
///  - A uniform velocity has an effect only because a is the componentwise derivative of v.
/// The torques depend on a_lin only through a_lin + w x v_lin - R^T g. So they stay the same if
///   d a_lin / d q_k = (R^T g) x e_k for the rotations,  d a_lin / d v_k = -w x e_k for the translations.
/// Second derivatives depend only on the coordinates of the base. All this holds only if nothing but gravity is fixed
/// in the world (Context::only_gravity_is_fixed_in_world).
namespace featherline::algorithms {

/// Whether the tree is one floating body and what it carries. The base's coordinates are then the first ones. A folded
/// tree does not know: several floating limbs are one there.
bool has_floating_base(const model::Tree& tree);

class FloatingBase {
 public:
  /// How many columns of da/dq and of da/dv are known: those of all coordinates, and of the translations. They are the
  /// first ones.
  static constexpr int columns_q = 6, columns_v = 3;

  /// `v`: joint velocities; not read where only second derivatives are asked for.
  FloatingBase(Context& context, const Coordinates& v);

  /// Whether these columns are known.
  bool applies() const { return applies_; }

  /// Writes the columns of da/dq and da/dv that are known.
  void set_columns(SquareMatrix& da_dq, SquareMatrix& da_dv) const;
  /// The entries of these columns that are not zero, the linear rows: those of the rotations in da/dq, then of the
  /// translations in da/dv, column by column. Nothing if the columns are not known.
  Coordinates linear_rows() const;
  /// Writes the known entries of w^T da/dq and w^T da/dv.
  void set_products(const Coordinates& w, Coordinates& wq, Coordinates& wv) const;
  /// Writes the known entries of the tensors of forward dynamics. The last tensor is d2a_dqdtau.
  void set_tensors(Tensor& dqdq, Tensor& dvdv, Tensor& dqdv, Tensor& dqdtau) const;
  /// Writes the known entries of the Hessian of w^T a, 2 nv x 2 nv, column-major.
  void set_hessian(const Coordinates& w, Coordinates& H) const;

 private:
  /// d a_lin / dq_k and d a_lin / dv_k.
  Vector3 first_q(int k) const;
  Vector3 first_v(int k) const;
  /// d2 a_lin / dq_j dq_k, in that order. Zero if j or k is not a coordinate of the base.
  Vector3 second_qq(int j, int k) const;
  /// d2 a_lin / dv_j dv_k.
  Vector3 second_vv(int j, int k) const;

  bool applies_;
  int n_;
  Vector3 g_, w_;  ///< R^T g; angular velocity of the base
};

}  // namespace featherline::algorithms
