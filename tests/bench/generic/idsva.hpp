#pragma once

#include "generic/model.hpp"

#include <vector>

namespace featherline::bench::generic {

/// First-order derivatives of inverse dynamics by Algorithm 1 of paper 001 (IDSVA), in the ground frame with
/// dense 6x6 matrices; O(N d).
class Idsva {
 public:
  explicit Idsva(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;                          ///< in the ground
    Vector6 v, a, f;                 ///< f: composite after the backward sweep
    Vector6 phi, phi_dot, phi_ddot;  ///< joint axis and its derivatives in time
    Matrix6 I, B;                    ///< inertia and Coriolis matrix, composite after the backward sweep
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void inward(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  MatrixXd dtau_dq_, dtau_dv_;
};

/// Algorithm 1 of paper 001 (IDSVA) in body frames: what every link needs is constant or comes from its parent, but the
/// vectors t1 to t4 and the composite matrices have to be transformed at each step towards the root; O(N d).
/// One-degree-of-freedom joints only.
class IdsvaBody {
 public:
  explicit IdsvaBody(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;                     ///< in the parent
    Vector6 v, a, f;            ///< f: composite after the backward sweep
    Vector6 phi_dot, phi_ddot;  ///< of the joint's axis, whose coordinates are constant here
    Matrix6 I, B;               ///< composite after the backward sweep
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void inward(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }

  Model model_;
  std::vector<Body> bodies_;
  MatrixXd dtau_dq_, dtau_dv_;
};

/// First-order derivatives of inverse dynamics by Algorithm 1 of paper 000 (IDSVA), floating joints included, in the
/// ground frame with dense 6x6 matrices; O(N d). Without floating joints Idsva computes the same in three quarters of
/// the time: there S-dot is Psi-dot.
class IdsvaFloating {
 public:
  explicit IdsvaFloating(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const MatrixXd& dtau_dq() const { return dtau_dq_; }
  const MatrixXd& dtau_dv() const { return dtau_dv_; }

 private:
  struct Body {
    Pose X;           ///< in the ground
    Vector6 v, a, f;  ///< f: composite after the backward sweep
    Matrix6 I, B;     ///< inertia and Coriolis matrix, composite after the backward sweep
  };
  /// Column of a joint's S, of Psi-dot and Psi-ddot; `rates` is S-dot plus Psi-dot, which is all that S-dot is for.
  struct Axis {
    Vector6 s, psi_dot, psi_ddot, rates;
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  void column(int i, int p);
  void pass_on(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  Axis& axis(int coordinate) { return axes_[static_cast<std::size_t>(coordinate)]; }

  Model model_;
  std::vector<Body> bodies_;
  std::vector<Axis> axes_;  ///< by coordinate
  MatrixXd dtau_dq_, dtau_dv_;
};

/// n x n x n: data[i + n j + n^2 k], as emitted code lays it out.
struct Cube {
  int n = 0;
  std::vector<double> data;

  explicit Cube(int size) : n{size} {
    const auto side = static_cast<std::size_t>(size);
    data.resize(side * side * side);
  }
  double& operator()(int i, int j, int k) {
    return data[static_cast<std::size_t>(i) +
                static_cast<std::size_t>(n) * static_cast<std::size_t>(j + n * k)];
  }
};

/// Second-order derivatives of inverse dynamics by Algorithm 1 of paper 002 (IDSVA SO), floating joints included, in
/// the ground frame with dense 6x6 matrices; O(N d^2).
class IdsvaSecond {
 public:
  explicit IdsvaSecond(const Model& model);

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& a);

  const Cube& d2tau_dqdq() const { return dqdq_; }
  const Cube& d2tau_dvdv() const { return dvdv_; }
  const Cube& d2tau_dqdv() const { return dqdv_; }  ///< (i, j, k): d2 tau_i / (dq_j dv_k)
  const Cube& dM_dq() const { return dM_; }         ///< (i, j, k): dM(i,j) / dq_k

 private:
  struct Body {
    Pose X;           ///< in the ground
    Vector6 v, a, f;  ///< f: composite after the inward sweep
    Matrix6 I, B;     ///< composite after the inward sweep
  };
  /// Column of a joint's S, of Psi-dot and Psi-ddot; `rates` is S-dot plus Psi-dot, which is all that S-dot is for.
  struct Axis {
    Vector6 s, psi_dot, psi_ddot, rates;
  };
  /// One coordinate: its index, the link whose joint has it, and its axis.
  struct Coordinate {
    int index, link;
    const Axis& axis;
  };
  struct Matrices {
    Matrix6 B_s, A0, A1, A2, A3, A4, A5, A6, A7;
  };
  struct Vectors {
    Vector6 u1, u2, u3, u4, u5, u6, u7, u8, u9, u10, u11, u12;
  };

  void outward(int i, const VectorXd& q, const VectorXd& v, const VectorXd& a);
  Matrices matrices(const Body& b, const Axis& p) const;
  Vectors vectors(const Matrices& A, const Axis& t) const;
  void inner_loops(const Coordinate& p, const Matrices& A);
  void triple(const Coordinate& at_i, const Coordinate& at_j, const Coordinate& at_k, const Vectors& u);
  void pass_on(int i);
  Body& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  Axis& axis(int coordinate) { return axes_[static_cast<std::size_t>(coordinate)]; }
  template <class Visit>
  void for_each_coordinate(int link, Visit visit);

  Model model_;
  std::vector<Body> bodies_;
  std::vector<Axis> axes_;  ///< by coordinate
  Cube dqdq_, dvdv_, dqdv_, dM_;
};

}  // namespace featherline::bench::generic
