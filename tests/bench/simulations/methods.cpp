#include "simulations/methods.hpp"

#include "catalog/functions.hpp"
#include "ir/interpreter.hpp"
#include "passes/simplify.hpp"
#include "selection/choose.hpp"
#include "support/dense.hpp"
#include "verify/verify.hpp"

#include <memory>

namespace featherline::bench {
namespace {

using catalog::Formulation;
using catalog::State;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

/// A function of one array, by one formulation.
using Function = std::function<VectorXd(const State&)>;

const Formulation* find(const std::string& function, const std::string& name) {
  for (const Formulation& formulation : catalog::find(function)->formulations) {
    if (formulation.name == name) return &formulation;
  }
  return nullptr;
}

class Formulations {
 public:
  Formulations(const model::UserTree& user, RowVectorXd row)
      : tree_(in_chosen_frames(user, true)), row_(std::move(row)) {}

  std::vector<Method> all() const {
    std::vector<Method> methods;
    if (row_.size() == 0) {
      for (const std::string& name : unrolled("rnea")) methods.push_back({"rnea: " + name, by_columns(name)});
    }
    for (const std::string& name : unrolled("mass_matrix")) {
      if (find("coriolis_matrix", name) != nullptr)
        methods.push_back({"M, C, g: " + name, by_matrices(name)});
    }
    const std::string direct = row_.size() > 0 ? "constrained_dynamics" : "aba";
    for (const std::string& name : unrolled(direct))
      methods.push_back({direct + ": " + name, run(direct, name)});
    return methods;
  }

 private:
  /// Formulations in straight-line code that apply.
  std::vector<std::string> unrolled(const std::string& function) const {
    std::vector<std::string> names;
    for (const Formulation& f : catalog::find(function)->formulations) {
      if (!f.in_lanes() && !f.in_loops() && f.applies(tree_)) names.push_back(f.name);
    }
    return names;
  }

  Function run(const std::string& function, const std::string& name) const {
    const ir::Kernel kernel =
        passes::simplify(catalog::trace(*catalog::find(function), *find(function, name), tree_));
    return [kernel](const State& x) {
      const std::vector<double> values = ir::evaluate(kernel, verify::inputs_of(kernel, x)).front();
      return VectorXd(Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
    };
  }

  Function by_columns(const std::string& name) const {
    return [rnea = run("rnea", name), n = tree_.nv](const State& x) {
      State at = x;
      at.a.setZero(n);
      const VectorXd bias = rnea(at);
      MatrixXd M(n, n);
      for (int k = 0; k < n; ++k) {
        at.a = VectorXd::Unit(n, k);
        M.col(k) = rnea(at) - bias;
      }
      return VectorXd(test::solve_definite(M, x.tau - bias));
    };
  }

  Function by_matrices(const std::string& name) const {
    const std::string gravity = find("gravity", name) != nullptr ? name : "link frames";  // DeNOC has no own
    return [M_of = run("mass_matrix", name), C_of = run("coriolis_matrix", name),
            g_of = run("gravity", gravity), n = tree_.nv, A = row_](const State& x) {
      const VectorXd entries_of_M = M_of(x), entries_of_C = C_of(x);
      const MatrixXd M = Eigen::Map<const MatrixXd>(entries_of_M.data(), n, n);
      const MatrixXd C = Eigen::Map<const MatrixXd>(entries_of_C.data(), n, n);
      const VectorXd Q = x.tau - C * x.v - g_of(x);
      return A.size() > 0 ? constrained(M, Q, A) : VectorXd(test::solve_definite(M, Q));
    };
  }

  /// Eqs. (59), (60) of paper 004 with b = 0: M a = Q - M^(1/2) D^+ A M^-1 Q, D = A M^(-1/2).
  static VectorXd constrained(const MatrixXd& M, const VectorXd& Q, const RowVectorXd& A) {
    const MatrixXd inverse_root = test::inverse(test::square_root(M));
    const VectorXd free = test::solve_definite(M, Q);
    const RowVectorXd D = A * inverse_root;
    const VectorXd pseudo_inverse = D.transpose() / D.squaredNorm();
    return free - inverse_root * pseudo_inverse * A.dot(free);
  }

  model::CanonicalTree tree_;
  RowVectorXd row_;
};

}  // namespace

std::vector<Method> acceleration_methods(const model::UserTree& tree, const RowVectorXd& row) {
  return Formulations(tree, row).all();
}

}  // namespace featherline::bench
