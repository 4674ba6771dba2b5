#include "algorithms/dynamics/floating_base.hpp"

#include "joints/symbolic/joints.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

constexpr int num_coordinates = FloatingBase::columns_q;  // translations, then rotations
constexpr int num_translations = FloatingBase::columns_v;

bool is_turn(int k) { return k >= num_translations; }

/// Unit vector of base coordinate k, in the base's axes.
Vector3 unit(int k) { return to_vector(model::Vector3::Unit(k % 3)); }

void set_linear_rows(const Vector3& x, Scalar* column) {
  column[0] = x.x;
  column[1] = x.y;
  column[2] = x.z;
}

}  // namespace

bool has_floating_base(const model::Tree& tree) {
  const auto is_root = [](const model::Body& body) { return body.parent < 0; };
  return std::count_if(tree.bodies.begin(), tree.bodies.end(), is_root) == 1 &&
         tree.bodies.front().joint.type == model::JointType::floating;
}

FloatingBase::FloatingBase(Context& context, const Coordinates& v)
    : applies_(has_floating_base(context.full_tree()) && context.only_gravity_is_fixed_in_world()),
      n_(context.nv()) {
  if (!applies_) return;
  g_ = joint_motion(context, 0).R.to_child(context.gravity());
  w_ = {v[3], v[4], v[5]};
}

Vector3 FloatingBase::second_qq(int j, int k) const {
  if (!is_turn(j) || !is_turn(k)) return {Scalar(0.0), Scalar(0.0), Scalar(0.0)};
  return cross(cross(g_, unit(k)), unit(j));
}

Vector3 FloatingBase::second_vv(int j, int k) const {
  if (is_turn(j) == is_turn(k)) return {Scalar(0.0), Scalar(0.0), Scalar(0.0)};
  return is_turn(j) ? cross(unit(k), unit(j)) : cross(unit(j), unit(k));
}

Coordinates FloatingBase::linear_rows() const {
  Coordinates rows;
  const auto append = [&](const Vector3& x) { rows.insert(rows.end(), {x.x, x.y, x.z}); };
  for (int k = 0; applies_ && k < 3; ++k) append(cross(g_, unit(k)));
  for (int k = 0; applies_ && k < 3; ++k) append(-cross(w_, unit(k)));
  return rows;
}

void FloatingBase::set_columns(SquareMatrix& da_dq, SquareMatrix& da_dv) const {
  if (!applies_) return;
  const Coordinates none(index(n_), Scalar(0.0)), rows = linear_rows();
  for (int k = 0; k < 3; ++k) {
    for (const int column : {k, 3 + k}) da_dq.set_column(column, none);
    da_dv.set_column(k, none);
    for (int r = 0; r < 3; ++r) {
      da_dq(r, 3 + k) = rows[index(3 * k + r)];
      da_dv(r, k) = rows[index(9 + 3 * k + r)];
    }
  }
}

void FloatingBase::set_tensors(Tensor& dqdq, Tensor& dvdv, Tensor& dqdv, Tensor& dqdtau) const {
  if (!applies_) return;
  const auto clear = [&](Tensor& A, int j, int k) {
    for (int i = 0; i < n_; ++i) A(i, j, k) = Scalar(0.0);
  };
  for (int b = 0; b < num_coordinates; ++b) {
    for (int k = 0; k < n_; ++k) {
      for (Tensor* A : {&dqdq, &dqdv, &dqdtau}) clear(*A, b, k);
      clear(dqdq, k, b);
      if (is_turn(b)) continue;
      clear(dqdv, k, b);
      clear(dvdv, b, k);
      clear(dvdv, k, b);
    }
  }
  for (int j = 0; j < num_coordinates; ++j) {
    for (int k = 0; k < num_coordinates; ++k) {
      set_linear_rows(second_qq(j, k), &dqdq(0, j, k));
      if (is_turn(j) != is_turn(k)) set_linear_rows(second_vv(j, k), &dvdv(0, j, k));
    }
  }
}

void FloatingBase::set_hessian(const Coordinates& w, Coordinates& H) const {
  if (!applies_) return;
  const Vector3 weight{w[0], w[1], w[2]};
  const auto entry = [&](int row, int column) -> Scalar& { return H[index(row + 2 * n_ * column)]; };
  for (int b = 0; b < num_coordinates; ++b) {
    for (int k = 0; k < n_; ++k) {
      const bool own = k < num_coordinates;
      entry(b, k) = own ? dot(weight, second_qq(b, k)) : Scalar(0.0);
      entry(k, b) = own ? dot(weight, second_qq(k, b)) : Scalar(0.0);
      entry(b, n_ + k) = entry(n_ + k, b) = Scalar(0.0);
      if (is_turn(b)) continue;
      entry(k, n_ + b) = entry(n_ + b, k) = Scalar(0.0);
      entry(n_ + b, n_ + k) = entry(n_ + k, n_ + b) = own ? dot(weight, second_vv(b, k)) : Scalar(0.0);
    }
  }
}

}  // namespace featherline::algorithms
