#pragma once

#include <Eigen/Core>

/// The algebra of the reference solver: spatial vectors, and L D L^T of a matrix.
///
/// Spatial vectors are 6-vectors [angular; linear], and their operators are dense 6x6 matrices, after R. Featherstone,
/// Rigid Body Dynamics Algorithms (RBDA), Springer 2008, chapter 2.
namespace featherline::reference {

template <class T, int rows, int columns>
using Matrix = Eigen::Matrix<T, rows, columns>;
template <class T>
using Vector3 = Matrix<T, 3, 1>;
template <class T>
using Matrix3 = Matrix<T, 3, 3>;
template <class T>
using Vector6 = Matrix<T, 6, 1>;
template <class T>
using Matrix6 = Matrix<T, 6, 6>;
template <class T>
using VectorX = Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using MatrixX = Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// Sums and products of whole matrices are these loops. The compiler prefers them to the operators of Eigen, whose
// expressions over hyper-dual numbers would take three times as long to compile.

template <class T, int m, int n>
Matrix<T, m, n> operator+(Matrix<T, m, n> A, const Matrix<T, m, n>& B) {
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] += B.data()[i];
  return A;
}
template <class T, int m, int n>
Matrix<T, m, n> operator-(Matrix<T, m, n> A, const Matrix<T, m, n>& B) {
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] -= B.data()[i];
  return A;
}
template <class T, int m, int n>
Matrix<T, m, n> operator*(Matrix<T, m, n> A, const T& factor) {
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] *= factor;
  return A;
}
template <class T, int m, int inner, int n>
Matrix<T, m, n> operator*(const Matrix<T, m, inner>& A, const Matrix<T, inner, n>& B) {
  Matrix<T, m, n> C(A.rows(), B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      T sum(0);
      for (Eigen::Index k = 0; k < B.rows(); ++k) sum += A(i, k) * B(k, j);
      C(i, j) = sum;
    }
  }
  return C;
}
template <class T, int m, int n>
Matrix<T, n, m> transposed(const Matrix<T, m, n>& A) {
  return A.transpose();
}
template <class T, int n>
T dot(const Matrix<T, n, 1>& a, const Matrix<T, n, 1>& b) {
  T sum(0);
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

template <class T>
Vector6<T> spatial(const Vector3<T>& angular, const Vector3<T>& linear) {
  return {angular[0], angular[1], angular[2], linear[0], linear[1], linear[2]};
}
template <class T>
Vector3<T> angular(const Vector6<T>& v) {
  return {v[0], v[1], v[2]};
}
template <class T>
Vector3<T> linear(const Vector6<T>& v) {
  return {v[3], v[4], v[5]};
}

/// [v]x: skew(v) w = v x w.
template <class T>
Matrix3<T> skew(const Vector3<T>& v) {
  Matrix3<T> S;
  S << T(0), -v[2], v[1], v[2], T(0), -v[0], -v[1], v[0], T(0);
  return S;
}

/// [A B; C D].
template <class T>
Matrix6<T> blocks(const Matrix3<T>& A, const Matrix3<T>& B, const Matrix3<T>& C, const Matrix3<T>& D) {
  Matrix6<T> X;
  X << A, B, C, D;
  return X;
}

/// Motion vectors from P to B coordinates, for B at p_PB with axes R_PB (RBDA 2.24, E = R^T):
/// X_BP = [E 0; -E [p]x  E]. Forces go back from B to P by its transpose.
template <class T>
Matrix6<T> motion_transform(const Matrix3<T>& R, const Vector3<T>& p) {
  const Matrix3<T> E = transposed(R);
  return blocks<T>(E, Matrix3<T>::Zero(), E * transposed(skew(p)), E);
}

/// v x on motion vectors (RBDA 2.31), v = [w; u]: [[w]x 0; [u]x [w]x].
template <class T>
Matrix6<T> cross_motion(const Vector6<T>& v) {
  const Matrix3<T> w = skew(angular(v));
  return blocks<T>(w, Matrix3<T>::Zero(), skew(linear(v)), w);
}

/// v x* on force vectors (RBDA 2.32): -(v x)^T.
template <class T>
Matrix6<T> cross_force(const Vector6<T>& v) {
  return transposed(cross_motion(v)) * T(-1);
}

/// Inertia about the body origin (RBDA 2.63), with the first moment h = m c: [J [h]x; [h]x^T m 1].
template <class T>
Matrix6<T> spatial_inertia(const T& mass, const Vector3<T>& h, const Matrix3<T>& J) {
  return blocks<T>(J, skew(h), transposed(skew(h)), Matrix3<T>::Identity() * mass);
}

/// A^-1 b for one or several right-hand sides and a symmetric positive definite A, by L D L^T without pivoting (Golub
/// and Van Loan, Matrix Computations, 4.1.2). A singular A gives infinities or NaNs.
template <class T>
MatrixX<T> solve_definite(MatrixX<T> A, MatrixX<T> b) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {  // L strictly below the diagonal, D on it
    for (Eigen::Index i = j + 1; i < n; ++i) A(i, j) /= A(j, j);
    for (Eigen::Index k = j + 1; k < n; ++k) {
      const T factor = A(k, j) * A(j, j);
      for (Eigen::Index i = k; i < n; ++i) A(i, k) -= A(i, j) * factor;
    }
  }
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    for (Eigen::Index j = 0; j < n; ++j) {
      for (Eigen::Index i = j + 1; i < n; ++i) b(i, c) -= A(i, j) * b(j, c);
    }
    for (Eigen::Index j = n; j-- > 0;) {
      b(j, c) /= A(j, j);
      for (Eigen::Index i = j + 1; i < n; ++i) b(j, c) -= A(i, j) * b(i, c);
    }
  }
  return b;
}

}  // namespace featherline::reference
