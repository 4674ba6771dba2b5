#include "algorithms/whole_body/whole_body.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "ir/interpreter.hpp"
#include "model/canonical.hpp"
#include "model/chosen_inputs.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace featherline::algorithms {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A column is a combination of others if less than this share of it is left when they are taken out. Rounding leaves
/// 1e-14 or so; a right angle written with eleven digits, as 1.57079632679, leaves 5e-12.
constexpr double least_share = 1e-9;
/// A joint sees its own body at every state, so each state tells one number of those that it can feel: ten or less of
/// the body, and those of columns of joints.
constexpr int states_per_parameter = 2;

std::vector<double> random_numbers(int count, double largest, std::mt19937& random) {
  std::vector<double> numbers(index(count));
  for (double& x : numbers) x = largest * (2.0 * static_cast<double>(random()) / 0x1p32 - 1.0);
  return numbers;
}

std::vector<double> random_positions(const model::Tree& tree, std::mt19937& random) {
  if (tree.clusters) {
    const std::optional<VectorXd> closed = model::random_closed_position(tree, *tree.clusters, random);
    if (!closed) throw InternalError("loops that were assembled once cannot be assembled again");
    return {closed->begin(), closed->end()};
  }
  std::vector<double> q = random_numbers(tree.nq, 3.0, random);
  for (const model::Body& body : tree.bodies) {
    const int first = body.joint.row().quaternion();
    if (first >= 0) Eigen::Map<Eigen::Vector4d>(&q[index(body.joint.idx_q + first)]).normalize();
  }
  return q;
}

ir::Kernel traced_regressor(const model::CanonicalTree& tree) {
  std::vector<ir::Buffer> inputs{{"q", tree.nq}, {"v", tree.nv}, {"a", tree.nv}};
  if (tree.chosen.gravity) inputs.push_back({parameters, tree.chosen.num_parameters()});
  return trace(tree, std::move(inputs), {{"Y", tree.nv * model::num_regressor_columns(tree)}},
               [](Context& c) {
                 if (!c.has_clusters()) return regressor(c);
                 AllJoints joints(c);
                 regressor(joints.context());
               });
}

/// The given columns of the regressor at random states, one state below the other. If gravity is an input, it is
/// random, too.
MatrixXd stacked(const model::CanonicalTree& tree, const std::vector<int>& columns) {
  const auto coupled =
      std::ranges::count_if(tree.bodies, [](const model::Body& body) { return body.joint.mimics >= 0; });
  const auto of_joints = tree.joint_columns.empty() ? 0 : std::ssize(model::joint_column_words());
  const Index states = states_per_parameter * (model::parameters_per_body + of_joints) * (1 + coupled);
  MatrixXd rows(states * tree.nv, static_cast<Index>(columns.size()));
  std::mt19937 random(1);
  const ir::Kernel kernel = traced_regressor(tree);
  for (Index k = 0; k < states; ++k) {
    std::vector<std::vector<double>> inputs{random_positions(tree, random),
                                            random_numbers(tree.nv, 3.0, random),
                                            random_numbers(tree.nv, 10.0, random)};
    if (tree.chosen.gravity)  // then no direction of it can hide a parameter
      inputs.push_back(random_numbers(tree.chosen.num_parameters(), 10.0, random));
    const std::vector<double> Y = ir::evaluate(kernel, inputs).front();
    const Eigen::Map<const MatrixXd> all(Y.data(), tree.nv, static_cast<Index>(Y.size()) / tree.nv);
    rows.middleRows(k * tree.nv, tree.nv) = all(Eigen::all, columns);
  }
  return rows;
}

/// Twelve digits: the rest is rounding, which depends on the compiler.
double rounded(double x) {
  if (std::abs(x) < 1e-10) return 0.0;
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", x);
  return std::strtod(text, nullptr);
}

/// Columns that are not combinations of columns before them, and those that are.
struct IndependentColumns {
  struct Combination {
    Index column;
    VectorXd of_kept;  ///< factors of the first columns kept
  };
  std::vector<Index> kept;
  std::vector<Combination> dependent;
};

IndependentColumns find_independent(const MatrixXd& columns) {
  IndependentColumns found;
  MatrixXd Q(columns.rows(), columns.cols()), R = MatrixXd::Zero(columns.cols(), columns.cols());
  const double largest = columns.colwise().norm().maxCoeff();
  for (Index k = 0; k < columns.cols(); ++k) {
    const auto count = static_cast<Index>(found.kept.size());
    VectorXd rest = columns.col(k), shares = VectorXd::Zero(count);
    for (int pass = 0; pass < 2; ++pass) {  // Gram-Schmidt, twice for orthogonality to rounding
      const VectorXd part = Q.leftCols(count).transpose() * rest;
      rest -= Q.leftCols(count) * part;
      shares += part;
    }
    const double norm = columns.col(k).norm();
    if (norm <= least_share * largest) {
      found.dependent.push_back({k, VectorXd::Zero(count)});
    } else if (rest.norm() <= least_share * norm) {
      const auto R_kept = R.topLeftCorner(count, count).triangularView<Eigen::Upper>();
      found.dependent.push_back({k, R_kept.solve(shares)});
    } else {
      R.col(count).head(count) = shares;
      R(count, count) = rest.norm();
      Q.col(count) = rest / rest.norm();
      found.kept.push_back(k);
    }
  }
  return found;
}

/// Each for itself: none is grouped with others yet.
void append_joint_columns(const model::Tree& tree, model::BaseParameters& base) {
  const auto count = std::ssize(tree.joint_columns);
  const Index rows = base.map.rows(), columns = base.map.cols();
  MatrixXd map = MatrixXd::Zero(rows + count, columns + count);
  map.topLeftCorner(rows, columns) = base.map;
  map.bottomRightCorner(count, count).setIdentity();
  base.map = map;
  for (Index k = 0; k < count; ++k) base.columns.push_back(static_cast<int>(columns + k));
}

}  // namespace

std::shared_ptr<const model::BaseParameters> find_base_parameters(const model::UserTree& tree) {
  model::BaseParameters grouped = model::group_parameters(tree);
  if (tree.nv == 0) return std::make_shared<model::BaseParameters>();
  append_joint_columns(tree, grouped);
  const auto [kept, dependent] =
      find_independent(stacked(model::canonicalise(tree, model::Frames::plain), grouped.columns));
  for (const auto& [column, of_kept] : dependent) {
    for (Index k = 0; k < of_kept.size(); ++k)
      grouped.map.row(kept[static_cast<std::size_t>(k)]) += rounded(of_kept[k]) * grouped.map.row(column);
  }
  model::BaseParameters base;
  base.map = grouped.map(kept, Eigen::all);
  for (const Index k : kept) base.columns.push_back(grouped.columns[static_cast<std::size_t>(k)]);
  return std::make_shared<model::BaseParameters>(std::move(base));
}

}  // namespace featherline::algorithms
