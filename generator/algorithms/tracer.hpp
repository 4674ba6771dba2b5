#pragma once

#include "ir/function.hpp"
#include "model/tree.hpp"

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace featherline::algorithms {

using ir::Matrix3;
using ir::Scalar;
using ir::Vector3;

/// What every algorithm needs while it is traced: the tree, the function under construction, and names that a
/// roboticist recognises. Bodies are numbered from 1 in emitted names, like the joints of Pinocchio.
class Tracer {
 public:
  Tracer(const model::CanonicalTree& tree, std::string name, std::string formulation,
         std::vector<ir::Parameter> inputs, std::vector<ir::Parameter> outputs);

  const model::CanonicalTree& tree() const { return tree_; }
  int num_bodies() const { return static_cast<int>(tree_.bodies.size()); }
  const model::Body& body(int i) const { return tree_.bodies[static_cast<std::size_t>(i)]; }

  Scalar input(int parameter, int entry) { return function_.input(parameter, entry); }
  void store(int parameter, int entry, const Scalar& x) { function_.store(parameter, entry, x); }

  /// Stores entry k of an output from values[k], for all k.
  void store_all(int parameter, const std::vector<Scalar>& values);

  /// Opens the section of body i; `what` says which sweep this is ("motion", "force").
  void begin_section(int i, const std::string& what);

  /// Names x "<quantity><body>", e.g. label(s, "tau", 3).
  Scalar label(const Scalar& x, const std::string& quantity, int i);
  /// Names the components "<quantity><body>_x", "_y", "_z".
  Vector3 label(const Vector3& x, const std::string& quantity, int i);
  /// Names the six distinct entries "<quantity><body>_xx", "_xy", ...
  Matrix3 label_symmetric(const Matrix3& x, const std::string& quantity, int i);

  ir::Function take() { return std::move(function_); }

 private:
  const model::CanonicalTree& tree_;
  ir::Function function_;
};

/// [v]x: cross(v) * u = v x u.
Matrix3 cross(const Vector3& v);
/// Numbers as symbolic constants.
template <class Derived>
auto to_scalar(const Eigen::MatrixBase<Derived>& m) {
  return ir::Matrix<Derived::RowsAtCompileTime, Derived::ColsAtCompileTime>(m.template cast<Scalar>());
}

}  // namespace featherline::algorithms
