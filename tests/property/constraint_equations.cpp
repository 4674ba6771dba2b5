// The equations that accelerations, forces, velocities and impulses of constrained robots solve, and derivatives by
// complex step through the code itself: without the judge.
#include "constrained_robots.hpp"
#include "reference/solver.hpp"
#include "selection/choose.hpp"
#include "support/complex_step.hpp"
#include "support/dense.hpp"
#include "support/graph_values.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

#include <complex>

namespace property::constraint_equations {

using namespace featherline;
using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Constraint;
using test::matrix;
using test::relative_error;

namespace {

template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// q, v and tau, or steps of them.
template <class T>
struct Motion {
  Vector<T> q, v, tau;
};

/// Frames at the contacts.
model::ChosenFrames frames_at_contacts(const model::UserTree& tree) {
  model::ChosenFrames frames;
  int row = 0;
  for (const Constraint& constraint : tree.constraints.all) {
    if (!constraint.is_contact()) continue;
    const model::Anchor& anchor = constraint.anchors.front();
    frames.chosen.push_back(
        {anchor, constraint.name, constraint.type == model::ConstraintType::contact_point, row});
    row += frames.chosen.back().num_rows();
  }
  return frames;
}

/// Straight-line code of a robot's functions, run on numbers of any kind.
class Functions {
 public:
  explicit Functions(model::UserTree tree) : tree_(std::move(tree)) {
    tree_.frames = frames_at_contacts(tree_);
    const model::CanonicalTree traced = in_chosen_frames(tree_, false);
    for (const char* name : {"constrained_dynamics", "impulse_dynamics", "constraint_residual", "frame_poses",
                             "frame_velocities", "mass_matrix", "bias"}) {
      const catalog::FunctionSpec& spec = *catalog::find(name);
      REQUIRE_FALSE(spec.uses_common_frames);
      kernels_.emplace(name, catalog::trace(spec, *test::formulations(spec, traced).front(), traced));
    }
  }

  const model::UserTree& tree() const { return tree_; }
  const model::Constraints& constraints() const { return tree_.constraints; }

  /// An output, found by its name. Inputs but q, v and tau are those of `x`.
  template <class T>
  Vector<T> run(const std::string& function, const std::string& output, const Motion<T>& at,
                const reference::State& x) const {
    const ir::Kernel& kernel = kernels_.at(function);
    std::vector<std::vector<T>> inputs;
    for (const ir::Buffer& input : kernel.inputs) {
      const VectorXd& values = x.*catalog::input_in_states(input.name).in_state;
      inputs.emplace_back(values.begin(), values.end());
      if (input.name == "q") inputs.back() = {at.q.begin(), at.q.end()};
      if (input.name == "v") inputs.back() = {at.v.begin(), at.v.end()};
      if (input.name == "tau") inputs.back() = {at.tau.begin(), at.tau.end()};
    }
    const auto arrays = test::graph_values<T, T>(kernel, inputs);
    std::size_t k = 0;
    while (kernel.outputs.at(k).name != output) ++k;
    return Eigen::Map<const Vector<T>>(arrays[k].data(), static_cast<Index>(arrays[k].size()));
  }
  VectorXd run(const std::string& function, const std::string& output, const reference::State& x) const {
    return run<double>(function, output, {x.q, x.v, x.tau}, x);
  }

  /// How an output changes along a step.
  VectorXd derivative(const std::string& function, const std::string& output, const reference::State& x,
                      const Motion<double>& along) const {
    return run<Complex>(function, output, moved(x, along), x).imag() / step;
  }

  /// Velocities of all rows: of contacts those of frames, of the others those of their residual.
  VectorXd speeds(const reference::State& x) const {
    return joined(contact_speeds<double>({x.q, x.v, x.tau}, x), run("constraint_residual", "de", x));
  }
  VectorXd errors(const reference::State& x) const {
    const VectorXd e = run("constraint_residual", "e", x);
    return joined(contact_errors(x), e);
  }
  VectorXd rates_of_speeds(const reference::State& x, const VectorXd& a) const {
    const Motion<double> along{x.v, a, VectorXd::Zero(tree_.nv)};
    return joined(contact_speeds(moved(x, along), x).imag() / step,
                  derivative("constraint_residual", "de", x, along));
  }
  MatrixXd jacobian(reference::State x) const {
    MatrixXd J(constraints().num_rows(), tree_.nv);
    for (int k = 0; k < tree_.nv; ++k) {
      x.v = VectorXd::Unit(tree_.nv, k);
      J.col(k) = speeds(x);
    }
    return J;
  }
  MatrixXd mass_matrix(const reference::State& x) const {
    return matrix(run("mass_matrix", "M", x), tree_.nv);
  }

 private:
  static VectorXd joined(const VectorXd& a, const VectorXd& b) {
    VectorXd all(a.size() + b.size());
    all << a, b;
    return all;
  }

  static constexpr double step = 1e-100;

  Motion<Complex> moved(const reference::State& x, const Motion<double>& along) const {
    const Complex i_step(0.0, step);
    return {test::complex_step(tree_, x.q, along.q, step),
            x.v.cast<Complex>() + i_step * along.v.cast<Complex>(),
            x.tau.cast<Complex>() + i_step * along.tau.cast<Complex>()};
  }

  /// How far contacts are from their anchors: along the axes of their rows, zero without anchors and for angles.
  VectorXd contact_errors(const reference::State& x) const {
    VectorXd errors = VectorXd::Zero(constraints().num_rows() - constraints().num_residual_rows());
    const VectorXd p = run("frame_poses", "p", x), R = run("frame_poses", "R", x);
    for (std::size_t k = 0; k < tree_.chosen.anchors.size(); ++k) {
      const Constraint& contact = constraints().all[k];
      const Index at = static_cast<Index>(k);
      const Eigen::Vector3d d = p.segment(3 * at, 3) - x.p.segment(tree_.chosen.first_of_anchor(k), 3);
      const auto along = [&]() -> Eigen::Vector3d { return axes_of(contact, R, k).transpose() * d; };
      if (!model::kind_of(contact.type).has_axis)
        errors.segment(contact.first_row, 3) = d;
      else if (contact.num_rows() == 1)
        errors[contact.first_row] = along().z();
      else
        errors.segment(contact.first_row, 2) = along().head(2);
    }
    return errors;
  }

  template <class T>
  static Eigen::Matrix<T, 3, 3> axes_of(const Constraint& contact, const Vector<T>& R, std::size_t k) {
    if (contact.world_axes) return contact.world_axes->template cast<T>();
    return Eigen::Map<const Eigen::Matrix<T, 3, 3>>(R.data() + 9 * k);
  }

  /// Velocities of the frames at contacts: all of them, or those along axes.
  template <class T>
  Vector<T> contact_speeds(const Motion<T>& at, const reference::State& x) const {
    const Vector<T> V = run("frame_velocities", "V", at, x), R = run("frame_poses", "R", at, x);
    Vector<T> speeds(constraints().num_rows() - constraints().num_residual_rows());
    for (std::size_t k = 0; k < tree_.frames.chosen.size(); ++k) {
      const Constraint& contact = constraints().all[k];
      auto rows = speeds.segment(contact.first_row, contact.num_rows());
      rows = V.segment(tree_.frames.chosen[k].first_row, contact.num_rows());
      if (!model::kind_of(contact.type).has_axis) continue;
      const Vector<T> along =
          axes_of(contact, R, k).transpose() * V.segment(tree_.frames.chosen[k].first_row, 3);
      rows = contact.num_rows() == 1 ? along.tail(1) : along.head(2);
    }
    return speeds;
  }

  model::UserTree tree_;
  std::map<std::string, ir::Kernel> kernels_;
};

/// 1 for rows of active constraints, else 0.
VectorXd active_rows(const model::Constraints& constraints, const VectorXd& active) {
  VectorXd rows(constraints.num_rows());
  for (int k = 0; k < constraints.count(); ++k) {
    const Constraint& constraint = constraints.all[static_cast<std::size_t>(k)];
    rows.segment(constraint.first_row, constraint.num_rows()).setConstant(active[k]);
  }
  return rows;
}

double largest(const MatrixXd& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0; }

/// Checks that J a + gamma is zero in active rows, if none of them depends on others. Returns whether it did.
bool check_rows(const Functions& functions, const reference::State& x, const VectorXd& a, const MatrixXd& J,
                const MatrixXd& M, const VectorXd& active) {
  const MatrixXd rows = active.asDiagonal() * J;
  const MatrixXd delassus = rows * test::solve_definite(M, rows.transpose());
  const VectorXd unit =
      delassus.diagonal().cwiseSqrt().unaryExpr([](double size) { return size > 1e-9 ? 1.0 / size : 0.0; });
  const MatrixXd D = unit.asDiagonal() * delassus * unit.asDiagonal();
  if (active.sum() == 0.0) return false;
  if (static_cast<double>(test::rank(D, 1e-9)) < active.sum()) return false;
  const model::Constraints gains = model::with_values(functions.tree(), x.fext, x.p).constraints;
  const VectorXd gamma_and_a =
      functions.rates_of_speeds(x, a) + gains.kp * functions.errors(x) + gains.kd * functions.speeds(x);
  const double terms = std::max(1.0, largest(J.cwiseAbs() * a.cwiseAbs()));
  CHECK(largest(active.cwiseProduct(gamma_and_a)) <= 1e-10 * terms);
  return true;
}

}  // namespace

TEST_CASE("accelerations and forces solve the equations of motion, and hold the constraints") {
  int held = 0;
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    CAPTURE(seed);
    const Functions functions(test::constrained_robot(seed));
    const reference::State x = test::state_of(functions.tree(), seed);
    const VectorXd a = functions.run("constrained_dynamics", "a", x),
                   lambda = functions.run("constrained_dynamics", "lambda", x),
                   active = active_rows(functions.constraints(), x.active);
    const MatrixXd J = functions.jacobian(x), M = functions.mass_matrix(x);
    const VectorXd left = M * a + functions.run("bias", "tau", x) - x.tau - J.transpose() * lambda;
    const double terms = std::max(
        {1.0, largest(M.cwiseAbs() * a.cwiseAbs()), largest(J.cwiseAbs().transpose() * lambda.cwiseAbs())});
    CHECK(largest(left) <= 1e-10 * terms);
    for (Index r = 0; r < lambda.size(); ++r) {
      if (active[r] == 0.0) CHECK(lambda[r] == 0.0);
    }
    if (test::condition_of(functions.tree(), x) <= 1e6 && check_rows(functions, x, a, J, M, active)) ++held;
  }
  CHECK(held >= 15);
}

TEST_CASE("an impact leaves no velocity in active rows, whether they depend on others or not") {
  for (std::uint64_t seed = 160; seed < 200; ++seed) {
    CAPTURE(seed);
    const Functions functions(test::constrained_robot(seed));
    const reference::State x = test::state_of(functions.tree(), seed);
    const VectorXd after = functions.run("impulse_dynamics", "v_after", x),
                   impulse = functions.run("impulse_dynamics", "impulse", x),
                   active = active_rows(functions.constraints(), x.active);
    const MatrixXd J = functions.jacobian(x), M = functions.mass_matrix(x);
    const double terms = std::max({1.0, largest(M.cwiseAbs() * after.cwiseAbs()),
                                   largest(J.cwiseAbs().transpose() * impulse.cwiseAbs())});
    CHECK(largest(M * (after - x.v) - J.transpose() * impulse) <= 1e-10 * terms);
    if (test::condition_of(functions.tree(), x) > 1e6) continue;
    CHECK(largest(active.cwiseProduct(J * after)) <=
          1e-10 * std::max(1.0, largest(J.cwiseAbs() * x.v.cwiseAbs())));
  }
}

TEST_CASE("velocity errors are the rates of position errors") {
  for (std::uint64_t seed = 200; seed < 230; ++seed) {
    CAPTURE(seed);
    const Functions functions(test::constrained_robot(seed));
    const reference::State x = test::state_of(functions.tree(), seed);
    const VectorXd zero = VectorXd::Zero(functions.tree().nv),
                   e = functions.run("constraint_residual", "e", x),
                   de = functions.run("constraint_residual", "de", x),
                   rate = functions.derivative("constraint_residual", "e", x, {x.v, zero, zero});
    for (const Constraint& constraint : functions.constraints().all) {
      const int first = constraint.first_residual;
      if (constraint.is_loop())
        CHECK(relative_error(rate.segment(first, 3), de.segment(first, 3)) <= 1e-10);
      else
        CHECK(e.segment(first, constraint.num_residual_rows()).isZero(0.0));
    }
  }
}

TEST_CASE("derivatives are those of the code of accelerations and forces, by complex step") {
  for (std::uint64_t seed = 300; seed < 330; ++seed) {
    CAPTURE(seed);
    const Functions functions(test::constrained_robot(seed));
    const model::UserTree& tree = functions.tree();
    const reference::State x = test::state_of(tree, seed);
    const double condition = test::condition_of(tree, x);
    if (condition > 1e8) continue;
    test::Values expected;
    const int n = tree.nv;
    for (const auto& [output, rows] : {std::pair("a", n), std::pair("lambda", tree.constraints.num_rows())}) {
      MatrixXd D(rows, 3 * n);
      for (int k = 0; k < 3 * n; ++k) {
        const VectorXd unit = VectorXd::Unit(3 * n, k);
        D.col(k) = functions.derivative("constrained_dynamics", output, x,
                                        {unit.head(n), unit.segment(n, n), unit.tail(n)});
      }
      expected[std::string("d") + output + "_dq"] = test::flat(D.leftCols(n));
      expected[std::string("d") + output + "_dv"] = test::flat(D.middleCols(n, n));
      expected[std::string("d") + output + "_dtau"] = test::flat(D.rightCols(n));
    }
    for (const test::Values& found : test::all_ways("constrained_dynamics_derivatives", tree, x)) {
      for (const auto& output : expected) {
        CAPTURE(output.first);
        CHECK(relative_error(found.at(output.first), output.second) <= test::allowed_at(condition));
      }
    }
  }
}

}  // namespace property::constraint_equations
