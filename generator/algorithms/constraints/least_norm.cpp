#include "algorithms/constraints/least_norm.hpp"

#include <map>

namespace featherline::algorithms {
namespace {

/// By coordinate of the tree.
std::vector<bool> turning_coordinates(const model::Tree& tree) {
  std::vector<bool> turns(index(tree.nv));
  for (const model::Body& body : tree.bodies) {
    for (int k = 0; k < body.joint.nv; ++k)
      turns[index(body.joint.idx_v + k)] = body.joint.row().motions[index(k)].turns();
  }
  return turns;
}

Values scales_of(const model::Tree& tree) {
  const std::vector<bool> turns = turning_coordinates(tree);
  Values scales;
  for (const int k : tree.constraints.without_motor)
    scales.emplace_back(turns[index(k)] ? 1.0 / tree.constraints.length : 1.0);
  return scales;
}

/// W s.
Values weights_of(const Context& c, const std::vector<ConstraintMotion>& motions) {
  Values weights;
  for (const ConstraintMotion& motion : motions) {
    const Scalar active = c.entry(active_constraints, motion.folded().constraints);
    for (int r = 0; r < motion.num_rows(); ++r) {
      weights.push_back(active);
      if (r >= motion.constraint().num_linear_rows()) weights.back() *= c.full_tree().constraints.length;
    }
  }
  return weights;
}

/// By coordinate of the tree that is walked.
std::vector<int> coordinates_without_motor(const Context& c) {
  return each(c.full_tree().constraints.without_motor, [&](int k) { return c.folding().velocity_alone(k); });
}

/// By row of G: what is left of it is compared with its own entry, and with a part of that of a free body.
Values sizes_of(const Matrix& G) {
  Values sizes;
  for (int k = 0; k < G.size(); ++k) sizes.push_back(G(k, k) + Scalar(model::least_row));
  return sizes;
}

ConstraintFactor factor_of(Context& c, const Matrix& G) {
  return {c, "factor of these products, G = L E L^T", G, sizes_of(G), Values(index(G.size()), Scalar(1.0))};
}

/// 1 where the row is dropped, else 0. 1 / E is 1 / G_kk or more where a row is kept.
Values dropped_rows(Context& c, const Matrix& G, const ConstraintFactor& factor) {
  constexpr double above_every_tolerance = 1e13;  // times that of featherline/pivot.hpp, far above 1
  Values dropped;
  for (int k = 0; k < G.size(); ++k)
    dropped.push_back(
        pivot_inverse(Scalar(1.0), factor.inverse_pivots()[index(k)] * G(k, k) * above_every_tolerance));
  return c.keep(dropped);
}

std::vector<Values> inverse_of_L(const ConstraintFactor& factor, int n) {
  std::vector<Values> rows(index(n), Values(index(n)));
  for (int k = 0; k < n; ++k) {
    Values unit(index(n));
    unit[index(k)] = 1.0;
    const Values column = factor.half(unit);
    for (int r = 0; r < n; ++r) rows[index(r)][index(k)] = column[index(r)];
  }
  return rows;
}

SparseFactor factor_of_Z(Context& c, const std::vector<Values>& ZT, const Values& dropped) {
  c.begin_section("what no forces of constraints reach");
  Matrix H(static_cast<int>(ZT.size()));
  for (int i = 0; i < H.size(); ++i) {
    const Scalar& is_dropped = dropped[index(i)];
    for (int k = 0; k < i; ++k)
      H(i, k) = H(k, i) = is_dropped * dropped[index(k)] * dot(ZT[index(i)], ZT[index(k)]);
    H(i, i) = is_dropped * dot(ZT[index(i)], ZT[index(i)]) + (Scalar(1.0) - is_dropped);
  }
  return SparseFactor(H);
}

std::vector<Values> columns_without_motor(const LeastNormForces& forces, const std::vector<Values>& J,
                                          std::size_t count) {
  std::vector<Values> B(count);
  for (std::size_t r = 0; r < J.size(); ++r) {
    const Values row = forces.without_motor(J[r]);
    for (std::size_t k = 0; k < count; ++k) B[k].push_back(row[k]);
  }
  for (Values& column : B) column = forces.by_row(column);
  return B;
}

}  // namespace

LeastNormForces::LeastNormForces(Context& c, const std::vector<ConstraintMotion>& motions,
                                 const std::vector<Values>& J)
    : nv_(c.nv()),
      rows_(limb_rows(c, motions)),
      coordinates_(coordinates_without_motor(c)),
      row_weights_(weights_of(c, motions)),
      scales_(scales_of(c.full_tree())),
      B_(columns_without_motor(*this, J, coordinates_.size())),
      G_(products(c)),
      factor_(factor_of(c, G_)),
      dropped_(dropped_rows(c, G_, factor_)),
      ZT_(inverse_of_L(factor_, static_cast<int>(B_.size()))),
      of_Z_(factor_of_Z(c, ZT_, dropped_)) {}

Matrix LeastNormForces::products(Context& c) const {
  c.begin_section("products of the columns of J without motors");
  Matrix G(static_cast<int>(B_.size()));
  for (int i = 0; i < G.size(); ++i) {
    for (int k = 0; k <= i; ++k) G(i, k) = G(k, i) = product(B_[index(i)], B_[index(k)]);
  }
  c.keep(G.column_major());
  return G;
}

Values LeastNormForces::without_motor(const Values& x) const {
  Values y;
  for (const int k : coordinates_) y.push_back(x[index(k)] * scales_[y.size()]);
  return y;
}

Values LeastNormForces::by_coordinate(const Values& y) const {
  Values x(index(nv_));
  for (std::size_t k = 0; k < y.size(); ++k) x[index(coordinates_[k])] = y[k] * scales_[k];
  return x;
}

Values LeastNormForces::by_row(Values x) const {
  for (std::size_t r = 0; r < x.size(); ++r) x[r] *= row_weights_[r];
  return x;
}

Scalar LeastNormForces::product(const Values& x, const Values& y) const {
  std::map<std::size_t, Scalar> sums;  // by lanes
  for (std::size_t r = 0; r < x.size(); ++r) sums[rows_.places[r].size()] += x[r] * y[r];
  Scalar all;
  for (const auto& [lanes, sum] : sums) all += lane_sum(sum, static_cast<int>(lanes));
  return all;
}

Values LeastNormForces::products(const std::vector<Values>& rows, const Values& x) const {
  return each(rows, [&](const Values& row) { return product(row, x); });
}

Values LeastNormForces::solve_once(const Values& y) const {
  Values x(row_weights_.size());
  const Values z = factor_.solve(y - out_of_reach(y));
  for (std::size_t k = 0; k < z.size(); ++k) add_multiple(x, z[k], B_[k]);
  return x;
}

Values LeastNormForces::solve(const Values& y) const {
  const Values x = solve_once(y);
  return x + solve_once(y - products(B_, x));
}

Values LeastNormForces::out_of_reach(const Values& y) const {
  Values along, part(y.size());
  for (std::size_t k = 0; k < y.size(); ++k) along.push_back(dropped_[k] * dot(ZT_[k], y));
  along = of_Z_.solve(along);
  for (std::size_t k = 0; k < y.size(); ++k) add_multiple(part, dropped_[k] * along[k], ZT_[k]);
  return part;
}

}  // namespace featherline::algorithms
