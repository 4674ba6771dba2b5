#include "model/base_parameters.hpp"

#include "model/canonical.hpp"
#include "model/regroup.hpp"
#include "model/tree.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace featherline::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Square = Eigen::Matrix<double, parameters_per_body, parameters_per_body>;

/// The matrix of a linear map of inertias.
template <class Map>
Square matrix_of(const Map& map) {
  Square M;
  for (int k = 0; k < parameters_per_body; ++k)
    M.col(k) = parameters_of(map(inertia_of(Parameters::Unit(k))));
  return M;
}

/// Takes out of a body's parameters what its joint does not feel.
struct Removal {
  std::vector<int> dropped;  ///< columns that become zero
  MatrixXd part;             ///< 10 x 10: the unfelt combination of a body's parameters that makes them zero
};

/// `unfelt` spans the parameters that the joint does not feel. Columns are dropped where they are largest.
Removal removal(const Square& unfelt) {
  // Full pivoting: the rows of the pivots are columns of the regressor that the others can stand for.
  const Eigen::FullPivLU<Square> lu(unfelt);
  const Eigen::PermutationMatrix<parameters_per_body> rows = lu.permutationP().inverse();
  Removal result;
  for (Index k = 0; k < lu.rank(); ++k) result.dropped.push_back(rows.indices()[k]);
  MatrixXd basis(parameters_per_body, lu.rank()), at_dropped(lu.rank(), lu.rank());
  for (Index k = 0; k < lu.rank(); ++k) basis.col(k) = unfelt.col(lu.permutationQ().indices()[k]);
  MatrixXd selects = MatrixXd::Zero(lu.rank(), parameters_per_body);
  for (Index k = 0; k < lu.rank(); ++k) {
    at_dropped.row(k) = basis.row(result.dropped[static_cast<std::size_t>(k)]);
    selects(k, result.dropped[static_cast<std::size_t>(k)]) = 1.0;
  }
  result.part = lu.rank() == 0 ? MatrixXd(Square::Zero()) : MatrixXd(basis * at_dropped.inverse() * selects);
  return result;
}

}  // namespace

Parameters parameters_of(const Inertia& inertia) {
  const Matrix3& J = inertia.J;
  Parameters p;
  p << inertia.mass, inertia.h, J(0, 0), J(0, 1), J(1, 1), J(0, 2), J(1, 2), J(2, 2);
  return p;
}

Inertia inertia_of(const Parameters& p) {
  Inertia inertia{p[0], p.segment<3>(1), {}};
  inertia.J << p[4], p[5], p[7], p[5], p[6], p[8], p[7], p[8], p[9];
  return inertia;
}

BaseParameters group_parameters(const Tree& tree) {
  const std::vector<Placement> axes = plain_frames(tree);
  const auto count = static_cast<Index>(tree.bodies.size());
  // Rows: the parameters of each body, grouped. Columns: the robot's parameters.
  MatrixXd grouped = MatrixXd::Identity(parameters_per_body * count, parameters_per_body * count);
  std::vector<bool> kept(static_cast<std::size_t>(parameters_per_body * count), true);
  for (Index i = count; i-- > 0;) {
    const Body& body = tree.bodies[static_cast<std::size_t>(i)];
    const Placement& axis = axes[static_cast<std::size_t>(i)];
    const Removal removed = removal(matrix_of([&](const Inertia& inertia) {
      const Inertia seen = inertia.expressed_in(axis.inverse());
      return unidentifiable_part(body.joint, seen, Grouping::J_xx).expressed_in(axis);
    }));
    const MatrixXd part = removed.part * grouped.middleRows<parameters_per_body>(parameters_per_body * i);
    grouped.middleRows<parameters_per_body>(parameters_per_body * i) -= part;
    for (const int k : removed.dropped) kept[static_cast<std::size_t>(parameters_per_body * i + k)] = false;
    if (body.parent < 0) continue;  // what moves into the ground vanishes
    grouped.middleRows<parameters_per_body>(Index{parameters_per_body} * body.parent) +=
        matrix_of([&](const Inertia& inertia) { return inertia.expressed_in(body.joint.placement); }) * part;
  }
  BaseParameters result;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k]) result.columns.push_back(static_cast<int>(k));
  }
  result.map.resize(result.count(), grouped.cols());
  for (Index k = 0; k < result.count(); ++k)
    result.map.row(k) = grouped.row(result.columns[static_cast<std::size_t>(k)]);
  result.map = round_entries(result.map, 1.0);
  return result;
}

}  // namespace featherline::model
