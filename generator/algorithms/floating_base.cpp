#include "algorithms/floating_base.hpp"

#include "algorithms/joints.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

constexpr int num_coordinates = FloatingBase<double>::columns_q;  // translations, then rotations
constexpr int num_translations = FloatingBase<double>::columns_v;

bool is_turn(int k) { return k >= num_translations; }

/// Unit vector of base coordinate k, in the base's axes.
template <class T>
Vector3<T> unit(int k) {
  return to_vector<T>(model::Vector3::Unit(k % 3));
}

template <class T>
void set_linear_rows(const Vector3<T>& x, T* column) {
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

template <class T>
FloatingBase<T>::FloatingBase(Context<T>& context, const Coordinates<T>& v)
    : applies_(has_floating_base(context.full_tree()) && context.only_gravity_is_fixed_in_world()),
      n_(context.nv()) {
  if (!applies_) return;
  g_ = joint_motion(context, 0).R.to_child(context.gravity());
  w_ = {v[3], v[4], v[5]};
}

template <class T>
Vector3<T> FloatingBase<T>::second_qq(int j, int k) const {
  if (!is_turn(j) || !is_turn(k)) return {T(0.0), T(0.0), T(0.0)};
  return cross(cross(g_, unit<T>(k)), unit<T>(j));
}

template <class T>
Vector3<T> FloatingBase<T>::second_vv(int j, int k) const {
  if (is_turn(j) == is_turn(k)) return {T(0.0), T(0.0), T(0.0)};
  return is_turn(j) ? cross(unit<T>(k), unit<T>(j)) : cross(unit<T>(j), unit<T>(k));
}

template <class T>
Coordinates<T> FloatingBase<T>::linear_rows() const {
  Coordinates<T> rows;
  const auto append = [&](const Vector3<T>& x) { rows.insert(rows.end(), {x.x, x.y, x.z}); };
  for (int k = 0; applies_ && k < 3; ++k) append(cross(g_, unit<T>(k)));
  for (int k = 0; applies_ && k < 3; ++k) append(-cross(w_, unit<T>(k)));
  return rows;
}

template <class T>
void FloatingBase<T>::set_columns(SquareMatrix<T>& da_dq, SquareMatrix<T>& da_dv) const {
  if (!applies_) return;
  const Coordinates<T> none(static_cast<std::size_t>(n_), T(0.0)), rows = linear_rows();
  for (int k = 0; k < 3; ++k) {
    for (const int column : {k, 3 + k}) da_dq.set_column(column, none);
    da_dv.set_column(k, none);
    for (int r = 0; r < 3; ++r) {
      da_dq(r, 3 + k) = rows[static_cast<std::size_t>(3 * k + r)];
      da_dv(r, k) = rows[static_cast<std::size_t>(9 + 3 * k + r)];
    }
  }
}

template <class T>
void FloatingBase<T>::set_tensors(Tensor<T>& dqdq, Tensor<T>& dvdv, Tensor<T>& dqdv,
                                  Tensor<T>& dqdtau) const {
  if (!applies_) return;
  const auto clear = [&](Tensor<T>& A, int j, int k) {
    for (int i = 0; i < n_; ++i) A(i, j, k) = T(0.0);
  };
  for (int b = 0; b < num_coordinates; ++b) {
    for (int k = 0; k < n_; ++k) {
      for (Tensor<T>* A : {&dqdq, &dqdv, &dqdtau}) clear(*A, b, k);
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

template <class T>
void FloatingBase<T>::set_hessian(const Coordinates<T>& w, Coordinates<T>& H) const {
  if (!applies_) return;
  const Vector3<T> weight{w[0], w[1], w[2]};
  const auto entry = [&](int row, int column) -> T& {
    return H[static_cast<std::size_t>(row + 2 * n_ * column)];
  };
  for (int b = 0; b < num_coordinates; ++b) {
    for (int k = 0; k < n_; ++k) {
      const bool own = k < num_coordinates;
      entry(b, k) = own ? dot(weight, second_qq(b, k)) : T(0.0);
      entry(k, b) = own ? dot(weight, second_qq(k, b)) : T(0.0);
      entry(b, n_ + k) = entry(n_ + k, b) = T(0.0);
      if (is_turn(b)) continue;
      entry(k, n_ + b) = entry(n_ + b, k) = T(0.0);
      entry(n_ + b, n_ + k) = entry(n_ + k, n_ + b) = own ? dot(weight, second_vv(b, k)) : T(0.0);
    }
  }
}

template class FloatingBase<Scalar>;
template class FloatingBase<double>;

}  // namespace featherline::algorithms
