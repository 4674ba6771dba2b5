#include "algorithms/dynamics/dynamics.hpp"

#include "joints/symbolic/joints.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

// The base's coordinates are translations, then rotations.
bool is_translation(int k) { return k < 3; }
bool is_turn(int k) { return k >= 3 && k < 6; }

/// Unit vector of base coordinate k, in the base's axes.
Vector3 unit(int k) { return to_vector(model::Vector3::Unit(k % 3)); }

}  // namespace

bool has_floating_base(const model::Tree& tree) {
  return std::ranges::count(tree.bodies, -1, &model::Body::parent) == 1 &&
         tree.bodies.front().joint.type == model::JointType::floating;
}

FloatingBase::FloatingBase(Context& context, const Coordinates& v)
    : applies_(has_floating_base(context.full_tree()) && context.only_gravity_is_fixed_in_world()),
      n_(context.nv()) {
  if (!applies_) return;
  g_ = joint_motion(context, 0).R.to_child(context.felt_gravity());
  w_ = {v[3], v[4], v[5]};
}

Vector3 FloatingBase::first_q(int k) const { return is_turn(k) ? cross(g_, unit(k)) : Vector3(); }

Vector3 FloatingBase::first_v(int k) const { return -cross(w_, unit(k)); }

Vector3 FloatingBase::second_qq(int j, int k) const {
  return is_turn(j) ? cross(first_q(k), unit(j)) : Vector3();
}

Vector3 FloatingBase::second_vv(int j, int k) const {
  if (is_turn(j) && is_translation(k)) return cross(unit(k), unit(j));
  return is_translation(j) && is_turn(k) ? cross(unit(j), unit(k)) : Vector3();
}

Coordinates FloatingBase::linear_rows() const {
  Coordinates rows;
  const auto append = [&](const Vector3& x) { rows.insert(rows.end(), {x.x, x.y, x.z}); };
  for (int k = columns_v; applies_ && k < columns_q; ++k) append(first_q(k));
  for (int k = 0; applies_ && k < columns_v; ++k) append(first_v(k));
  return rows;
}

void FloatingBase::set_columns(SquareMatrix& da_dq, SquareMatrix& da_dv) const {
  const auto set = [&](SquareMatrix& A, int column, const Vector3& linear) {
    for (int r = 0; r < n_; ++r) A(r, column) = r < 3 ? linear[r] : Scalar(0.0);
  };
  for (int k = 0; applies_ && k < columns_q; ++k) set(da_dq, k, first_q(k));
  for (int k = 0; applies_ && k < columns_v; ++k) set(da_dv, k, first_v(k));
}

void FloatingBase::set_products(const Coordinates& w, Coordinates& wq, Coordinates& wv) const {
  if (!applies_) return;
  const Vector3 weight{w[0], w[1], w[2]};
  for (int k = 0; k < columns_q; ++k) wq[index(k)] = dot(weight, first_q(k));
  for (int k = 0; k < columns_v; ++k) wv[index(k)] = dot(weight, first_v(k));
}

void FloatingBase::set_tensors(Tensor& dqdq, Tensor& dvdv, Tensor& dqdv, Tensor& dqdtau) const {
  const auto set = [&](Tensor& A, int j, int k, const Vector3& linear) {
    for (int r = 0; r < n_; ++r) A(r, j, k) = r < 3 ? linear[r] : Scalar(0.0);
  };
  for (int b = 0; applies_ && b < columns_q; ++b) {
    for (int k = 0; k < n_; ++k) {
      set(dqdq, b, k, second_qq(b, k));
      set(dqdq, k, b, second_qq(k, b));
      set(dqdv, b, k, {});
      set(dqdtau, b, k, {});
      if (!is_translation(b)) continue;
      set(dqdv, k, b, {});
      set(dvdv, b, k, second_vv(b, k));
      set(dvdv, k, b, second_vv(k, b));
    }
  }
}

void FloatingBase::set_hessian(const Coordinates& w, Coordinates& H) const {
  if (!applies_) return;
  const Vector3 weight{w[0], w[1], w[2]};
  const auto entry = [&](int row, int column) -> Scalar& { return H[index(row + 2 * n_ * column)]; };
  for (int b = 0; b < columns_q; ++b) {
    for (int k = 0; k < n_; ++k) {
      entry(b, k) = dot(weight, second_qq(b, k));
      entry(k, b) = dot(weight, second_qq(k, b));
      entry(b, n_ + k) = entry(n_ + k, b) = Scalar(0.0);
      if (!is_translation(b)) continue;
      entry(k, n_ + b) = entry(n_ + b, k) = Scalar(0.0);
      entry(n_ + b, n_ + k) = entry(n_ + k, n_ + b) = dot(weight, second_vv(b, k));
    }
  }
}

}  // namespace featherline::algorithms
