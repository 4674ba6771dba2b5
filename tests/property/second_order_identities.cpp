// Identities between emitted functions of second order, by the interpreter on random robots: no reference solver.
#include "catalog/functions.hpp"
#include "ir/interpreter.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "support/random_robot.hpp"
#include "support/relative_error.hpp"
#include "verify/verify.hpp"

#include <doctest/doctest.h>
#include <Eigen/Core>

#include <map>

namespace property::second_order_identities {

using namespace featherline;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::relative_error;

namespace {

constexpr double agreement = 1e-10;

/// One robot and one state; functions evaluated by name.
class Evaluator {
 public:
  explicit Evaluator(std::uint64_t seed, const std::vector<model::JointType>& types = {}) {
    test::RobotOptions robot;
    robot.joints = 4 + static_cast<int>(seed % 5);
    robot.types = types;
    robot.mimic = seed % 3 == 2 ? 0.4 : 0.0;
    model::BuildOptions build;
    build.floating_base = types.empty() && seed % 2 == 1;
    tree_ = in_chosen_frames(test::random_tree(seed, robot, build), true);
  }

  int n() const { return tree_.nv; }
  /// Input arrays have the same values whatever the function.
  VectorXd input(const std::string& name) {
    std::mt19937 random(static_cast<std::uint32_t>(seed_of(name)));
    const reference::State state = reference::random_state(tree_, random);
    ir::Kernel any;
    any.inputs = {{name, 0}};
    const std::vector<double> values = verify::inputs_of(any, state).front();
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  std::vector<std::vector<double>> outputs(const std::string& name,
                                           const std::map<std::string, VectorXd>& given = {}) {
    for (const catalog::FunctionSpec& algorithm : catalog::functions()) {
      if (algorithm.name != name) continue;
      const ir::Kernel function = catalog::trace(algorithm, algorithm.formulations.front(), tree_);
      std::vector<std::vector<double>> inputs;
      for (const ir::Buffer& parameter : function.inputs) {
        const auto value = given.find(parameter.name);
        const VectorXd x = value == given.end() ? input(parameter.name) : value->second;
        inputs.emplace_back(x.begin(), x.end());
      }
      return ir::evaluate(function, inputs);
    }
    FAIL("no such function");
    return {};
  }
  MatrixXd matrix(const std::vector<double>& entries) const {
    const auto size = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(entries.size()))));
    return Eigen::Map<const MatrixXd>(entries.data(), size, size);
  }
  /// T(:, :, k).
  MatrixXd slice(const std::vector<double>& T, int k) const {
    return Eigen::Map<const MatrixXd>(T.data() + k * n() * n(), n(), n());
  }
  /// Sum over i of w_i T(i, :, :).
  MatrixXd contract(const std::vector<double>& T, const VectorXd& w) const {
    MatrixXd sum(n(), n());
    for (int k = 0; k < n(); ++k) sum.col(k) = slice(T, k).transpose() * w;
    return sum;
  }

 private:
  /// Different for each: with front() + size() v would be tau.
  static int seed_of(const std::string& name) {
    int sum = 0;
    for (const char c : name) sum += c;
    return sum;
  }
  model::CanonicalTree tree_;
};

/// [qq, qv; qv^T, vv].
MatrixXd hessian(const MatrixXd& qq, const MatrixXd& qv, const MatrixXd& vv) {
  MatrixXd H(2 * qq.rows(), 2 * qq.rows());
  H << qq, qv, qv.transpose(), vv;
  return H;
}

}  // namespace

TEST_CASE("contractions equal contracted tensors") {
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    CAPTURE(seed);
    Evaluator robot(seed);
    const VectorXd w = robot.input("w");
    for (const std::string id : {"rnea", "aba"}) {
      CAPTURE(id);
      const auto T = robot.outputs(id + "_second_derivatives");
      const MatrixXd H = robot.matrix(robot.outputs(id + "_vector_hessian").front());
      CHECK(relative_error(H, hessian(robot.contract(T[0], w), robot.contract(T[2], w),
                                      robot.contract(T[1], w))) <= agreement);
    }
    const auto T = robot.outputs("rnea_second_derivatives"), A = robot.outputs("aba_second_derivatives");
    CHECK(relative_error(robot.matrix(robot.outputs("mass_matrix_vector_derivative").front()),
                         robot.contract(T[3], w)) <= agreement);
    // d2a_dqdtau(i, j, k) = d(M^-1)_ik / dq_j: contracted, its transpose is d(M^-1 w)/dq.
    CHECK(relative_error(robot.matrix(robot.outputs("minv_vector_derivative").front()),
                         robot.contract(A[3], w).transpose()) <= agreement);
  }
}

TEST_CASE("dM_dq is consistent with the Coriolis matrix and with the rate of M") {
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    CAPTURE(seed);
    Evaluator robot(seed);
    const auto dM_dq = robot.outputs("rnea_second_derivatives")[3];
    const MatrixXd C = robot.matrix(robot.outputs("coriolis_matrix").front());
    const VectorXd v = robot.input("v");
    MatrixXd rate = MatrixXd::Zero(robot.n(), robot.n());
    for (int k = 0; k < robot.n(); ++k) rate += robot.slice(dM_dq, k) * v[k];
    CHECK(relative_error(C + C.transpose(), rate) <= agreement);
    CHECK(relative_error(robot.matrix(robot.outputs("mass_matrix_rate").front()), rate) <= agreement);
  }
}

TEST_CASE("the rate of the torques is made of their derivatives with respect to q, v and a") {
  for (std::uint64_t seed = 0; seed < 9; ++seed) {
    CAPTURE(seed);
    Evaluator robot(seed);
    const auto d = robot.outputs("rnea_derivatives");
    const MatrixXd M = robot.matrix(robot.outputs("mass_matrix").front());
    const VectorXd rate = robot.matrix(d[0]) * robot.input("v") + robot.matrix(d[1]) * robot.input("a") +
                          M * robot.input("jerk");
    const std::vector<double> found = robot.outputs("rnea_rate").front();
    CHECK(relative_error(VectorXd::Map(found.data(), robot.n()), rate) <= agreement);
  }
}

TEST_CASE("velocity terms are Christoffel symbols of M where joints have one degree of freedom") {
  using model::JointType;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    Evaluator robot(seed,
                    {JointType::revolute, JointType::prismatic, JointType::continuous, JointType::helical});
    const auto T = robot.outputs("rnea_second_derivatives");
    const MatrixXd C = robot.matrix(robot.outputs("coriolis_matrix").front());
    const VectorXd v = robot.input("v");
    VectorXd torque = VectorXd::Zero(robot.n());
    for (int k = 0; k < robot.n(); ++k) {
      MatrixXd symbols(robot.n(), robot.n());  // dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i
      for (int j = 0; j < robot.n(); ++j) {
        for (int i = 0; i < robot.n(); ++i) {
          symbols(i, j) =
              robot.slice(T[3], k)(i, j) + robot.slice(T[3], j)(i, k) - robot.slice(T[3], i)(j, k);
        }
      }
      CHECK(relative_error(robot.slice(T[1], k), symbols) <= agreement);
      torque += 0.5 * symbols * v * v[k];
    }
    CHECK(relative_error(C * v, torque) <= agreement);
  }
}

}  // namespace property::second_order_identities
