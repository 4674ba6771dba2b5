#pragma once

#include <Eigen/Core>

/// The algebra of the reference solver: spatial vectors, and L D L^T of a matrix.
///
/// Spatial vectors are 6-vectors [angular; linear], and their operators are dense 6x6 matrices, after R. Featherstone,
/// Rigid Body Dynamics Algorithms (RBDA), Springer 2008, chapter 2.
namespace featherline::reference {

template <class T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;
template <class T>
using Vector6 = Eigen::Matrix<T, 6, 1>;
template <class T>
using Matrix6 = Eigen::Matrix<T, 6, 6>;
template <class T>
using VectorX = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using MatrixX = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
// Matrices of one joint with nv <= 6 columns, on the stack: 6 x nv, nv x nv (for two joints of the mass matrix), nv.
template <class T>
using Subspace = Eigen::Matrix<T, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
template <class T>
using Block = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
template <class T>
using JointVector = Eigen::Matrix<T, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// [v]x: skew(v) w = v x w.
template <class T>
Matrix3<T> skew(const Vector3<T>& v) {
  Matrix3<T> S;
  S << T(0), -v[2], v[1], v[2], T(0), -v[0], -v[1], v[0], T(0);
  return S;
}

/// Motion vectors from P to B coordinates, for B at p_PB with axes R_PB (RBDA 2.24, E = R^T):
/// X_BP = [E 0; -E [p]x  E]. Forces go back from B to P by its transpose.
template <class T>
Matrix6<T> motion_transform(const Matrix3<T>& R, const Vector3<T>& p) {
  Matrix6<T> X;
  X.template topLeftCorner<3, 3>() = R.transpose();
  X.template topRightCorner<3, 3>().setZero();
  X.template bottomLeftCorner<3, 3>() = -R.transpose() * skew(p);
  X.template bottomRightCorner<3, 3>() = R.transpose();
  return X;
}

/// v x on motion vectors (RBDA 2.31), v = [w; u]: [[w]x 0; [u]x [w]x].
template <class T>
Matrix6<T> cross_motion(const Vector6<T>& v) {
  const Matrix3<T> w = skew<T>(v.template head<3>());
  Matrix6<T> C;
  C << w, Matrix3<T>::Zero(), skew<T>(v.template tail<3>()), w;
  return C;
}

/// v x* on force vectors (RBDA 2.32): -(v x)^T.
template <class T>
Matrix6<T> cross_force(const Vector6<T>& v) {
  return -cross_motion(v).transpose();
}

/// Inertia about the body origin (RBDA 2.63), with the first moment h = m c: [J [h]x; [h]x^T m 1].
template <class T>
Matrix6<T> spatial_inertia(const T& mass, const Vector3<T>& h, const Matrix3<T>& J) {
  Matrix6<T> I;
  I << J, skew(h), skew(h).transpose(), Matrix3<T>::Identity() * mass;
  return I;
}

/// A = L D L^T of a symmetric positive definite matrix (Golub and Van Loan, Matrix Computations, 4.1.2), without
/// pivoting. A singular A gives infinities or NaNs.
template <class Matrix>
class Ldlt {
 public:
  explicit Ldlt(const Matrix& A) : L_(A) {
    for (Eigen::Index j = 0; j < L_.cols(); ++j) {
      const auto pivot = L_(j, j);
      L_.col(j).tail(L_.rows() - j - 1) /= pivot;
      for (Eigen::Index k = j + 1; k < L_.cols(); ++k) {
        L_.col(k).tail(L_.rows() - k) -= L_.col(j).tail(L_.rows() - k) * (L_(k, j) * pivot);
      }
    }
  }

  /// A^-1 b for one or several right-hand sides. It is written in loops. Eigen's triangular solves would bring its
  /// blocked matrix products, which take half of the solver's compile time for each scalar.
  template <class Rhs>
  Rhs solve(Rhs b) const {
    for (Eigen::Index c = 0; c < b.cols(); ++c) {
      for (Eigen::Index j = 0; j < L_.cols(); ++j) {
        for (Eigen::Index i = j + 1; i < L_.rows(); ++i) b(i, c) -= L_(i, j) * b(j, c);
      }
      for (Eigen::Index j = L_.cols(); j-- > 0;) {
        b(j, c) /= L_(j, j);
        for (Eigen::Index i = j + 1; i < L_.rows(); ++i) b(j, c) -= L_(i, j) * b(i, c);
      }
    }
    return b;
  }

 private:
  Matrix L_;  // L strictly below the diagonal, D on it
};

template <class Matrix>
Matrix inverse(const Matrix& A) {
  using T = typename Matrix::Scalar;
  if (A.rows() == 1) return Matrix::Constant(1, 1, T(1) / A(0, 0));  // most joints, in aba: 50 -> 10 ns
  return Ldlt<Matrix>(A).template solve<Matrix>(Matrix::Identity(A.rows(), A.cols()));
}

}  // namespace featherline::reference
