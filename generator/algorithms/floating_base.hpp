#pragma once

#include "algorithms/matrices.hpp"

/// What is known of forward dynamics where one of the coordinates is a floating base's. The place of the base does not
/// matter; turning it only turns gravity in its axes; a uniform velocity of everything is only felt through the
/// componentwise derivative of v. So with base acceleration a_lin + w x v_lin - R^T g the torques stay the same where
///   d a_lin / d q_k = (R^T g) x e_k for the rotations,  d a_lin / d v_k = -w x e_k for the translations,
/// and what is left of second derivatives depends on the base's own coordinates alone. All of it rests on nothing but
/// gravity being fixed in the world (Context::only_gravity_is_fixed_in_world).
namespace featherline::algorithms {

template <class T>
class FloatingBase {
 public:
  /// `v`: joint velocities; not read where only second derivatives are asked for.
  FloatingBase(Context<T>& context, const Coordinates<T>& v);

  /// Writes the columns of da/dq and da/dv that are known.
  void set_columns(SquareMatrix<T>& da_dq, SquareMatrix<T>& da_dv) const;
  /// Writes what is known of the tensors of forward dynamics; the last is d2a_dqdtau.
  void set_tensors(Tensor<T>& dqdq, Tensor<T>& dvdv, Tensor<T>& dqdv, Tensor<T>& dqdtau) const;
  /// Writes what is known of the Hessian of w^T a, 2 nv x 2 nv, column-major.
  void set_hessian(const Coordinates<T>& w, Coordinates<T>& H) const;

 private:
  /// d2 a_lin / dq_j dq_k, in that order, of base coordinates j and k.
  Vector3<T> second_qq(int j, int k) const;
  /// d2 a_lin / dv_j dv_k.
  Vector3<T> second_vv(int j, int k) const;

  bool applies_;
  int n_;
  Vector3<T> g_, w_;  ///< R^T g; angular velocity of the base
};

}  // namespace featherline::algorithms
