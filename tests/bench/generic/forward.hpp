#pragma once

#include "generic/aba.hpp"
#include "generic/idsva.hpp"
#include "generic/rnea.hpp"

namespace featherline::bench::generic {

/// How M^-1 meets the derivatives of inverse dynamics: by a dense product (DMM) or column by column (AZA).
enum class Product { dmm, aza };

/// Derivatives of forward dynamics as -M^-1 times those of inverse dynamics (001 eq. 5). With Derivatives =
/// ChainRuleRnea and DMM this is the paper's FDCR, with Idsva its FDSVA. Acceleration and M^-1 are included.
template <class Derivatives>
class InversePartial {
 public:
  InversePartial(const Model& model, Product product)
      : product_{product},
        rnea_{model},
        factor_{model},
        inverse_dynamics_{model},
        zero_{VectorXd::Zero(model.size())},
        a_{zero_},
        da_dq_{MatrixXd::Zero(model.size(), model.size())},
        da_dv_{da_dq_} {}

  void derivatives(const VectorXd& q, const VectorXd& v, const VectorXd& tau) {
    factor_.factor(q);
    a_ = tau - rnea_.inverse_dynamics(q, v, zero_);
    factor_.solve(a_, a_);
    inverse_dynamics_.derivatives(q, v, a_);
    const MatrixXd& M_inverse = factor_.inverse();
    if (product_ == Product::dmm) {
      da_dq_.noalias() = -M_inverse * inverse_dynamics_.dtau_dq();
      da_dv_.noalias() = -M_inverse * inverse_dynamics_.dtau_dv();
    } else {
      solve_columns(inverse_dynamics_.dtau_dq(), da_dq_);
      solve_columns(inverse_dynamics_.dtau_dv(), da_dv_);
    }
  }

  const VectorXd& acceleration() const { return a_; }
  const MatrixXd& da_dq() const { return da_dq_; }
  const MatrixXd& da_dv() const { return da_dv_; }
  const MatrixXd& da_dtau() const { return factor_.last_inverse(); }

 private:
  void solve_columns(const MatrixXd& dtau, MatrixXd& da) {
    da = -dtau;
    for (Eigen::Index j = 0; j < da.cols(); ++j) factor_.solve(da.col(j), da.col(j));
  }

  Product product_;
  ChainRuleRnea rnea_;
  ArticulatedFactor factor_;
  Derivatives inverse_dynamics_;
  VectorXd zero_, a_;
  MatrixXd da_dq_, da_dv_;
};

/// M^-1 times an N x 2N matrix, as derivatives of forward dynamics need it, by either method.
struct Products {
  ArticulatedFactor factor;
  MatrixXd M_inverse, partials, result;

  Products(const Model& model, const VectorXd& q)
      : factor{model}, partials{MatrixXd::Random(model.nv, 2 * model.nv)}, result{partials} {
    factor.factor(q);
    M_inverse = factor.inverse();
  }
  void dmm() { result.noalias() = -M_inverse * partials; }
  void aza() {
    for (Eigen::Index j = 0; j < partials.cols(); ++j) factor.solve(partials.col(j), result.col(j));
  }
};

}  // namespace featherline::bench::generic
