#include "algorithms/lanes/limb_inverse.hpp"

#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Matrix = SquareMatrix;

constexpr int all_lanes = -1;

Matrix block(const Matrix& M, const std::vector<int>& coordinates) {
  Matrix part(static_cast<int>(coordinates.size()));
  for (int r = 0; r < part.size(); ++r) {
    for (int k = 0; k < part.size(); ++k) part(r, k) = M(coordinates[index(r)], coordinates[index(k)]);
  }
  return part;
}

}  // namespace

LimbCoordinates limb_coordinates(const Context& context) {
  const model::Folding& folding = context.folding();
  return {folding.velocities, folding.group_of_velocity, context.full_tree().nv};
}

LimbInverse::LimbInverse(Context& context, const Matrix& M, LimbCoordinates coordinates)
    : c_(context), coordinates_(std::move(coordinates)) {
  const int num_groups = 1 + *std::max_element(coordinates_.group.begin(), coordinates_.group.end());
  std::vector<std::vector<int>> members(index(num_groups));
  for (int k = 0; k < coordinates_.count(); ++k) {
    const int group = coordinates_.group[index(k)];
    (group < 0 ? trunk_ : members[index(group)]).push_back(k);
  }
  c_.begin_section("limbs eliminated from the inertia");
  Matrix S = block(M, trunk_);
  for (const std::vector<int>& limb : members) {
    const auto lanes = static_cast<int>(coordinates_.places[index(limb.front())].size());
    Group group{limb, lanes, SparseFactor(block(M, limb)), {}, {}};
    for (const int t : trunk_) {
      group.M_lt.push_back(restricted(M.column(t), group.coordinates));
      group.W.push_back(kept(group.factor.solve(group.M_lt.back())));
    }
    for (int r = 0; r < S.size(); ++r) {
      for (int k = 0; k <= r; ++k) {
        Scalar sum(0.0);
        const Values &row = group.M_lt[index(r)], &column = group.W[index(k)];
        for (std::size_t i = 0; i < row.size(); ++i) sum += row[i] * column[i];
        S(r, k) -= ir::lane_sum(sum, group.lanes);
        S(k, r) = S(r, k);
        c_.keep(S(r, k));
      }
    }
    groups_.push_back(std::move(group));
  }
  c_.begin_section("factor of what the trunk feels");
  if (!trunk_.empty()) trunk_factor_.emplace_back(S);
}

Scalar LimbInverse::inverse_pivot(int coordinate) const {
  for (const Group& group : groups_) {
    const auto found = std::find(group.coordinates.begin(), group.coordinates.end(), coordinate);
    if (found != group.coordinates.end())
      return group.factor.inverse_pivot(static_cast<int>(found - group.coordinates.begin()));
  }
  throw InternalError("coordinate " + std::to_string(coordinate) + " belongs to no limb");
}

Values LimbInverse::restricted(const Values& b, const std::vector<int>& coordinates) const {
  Values part;
  for (const int k : coordinates) part.push_back(b[index(k)]);
  return part;
}

Values LimbInverse::kept(Values x) const {
  for (const Scalar& entry : x) c_.keep(entry);
  return x;
}

Values LimbInverse::at_trunk(const Group& group, const Values& y) {
  Values sums;
  for (const Values& column : group.M_lt) {
    Scalar sum(0.0);
    for (std::size_t i = 0; i < y.size(); ++i) sum += column[i] * y[i];
    sums.push_back(sum);
  }
  return sums;
}

Values LimbInverse::in_limb(const Group& group, int lane, Values y, const Values& x_t) {
  for (std::size_t t = 0; t < x_t.size(); ++t) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      const Scalar& w = group.W[t][i];
      y[i] -= (lane == all_lanes ? w : ir::lane(w, lane)) * x_t[t];
    }
  }
  return y;
}

Values LimbInverse::solve(const Values& b) const {
  Values x(b.size(), Scalar(0.0)), x_t = restricted(b, trunk_);
  std::vector<Values> y;
  for (const Group& group : groups_) {
    y.push_back(kept(group.factor.solve(restricted(b, group.coordinates))));
    const Values felt = at_trunk(group, y.back());
    for (std::size_t t = 0; t < x_t.size(); ++t) x_t[t] -= ir::lane_sum(felt[t], group.lanes);
  }
  if (!trunk_factor_.empty()) x_t = kept(trunk_factor_.front().solve(kept(std::move(x_t))));
  for (std::size_t t = 0; t < x_t.size(); ++t) x[index(trunk_[t])] = x_t[t];
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Values x_l = kept(in_limb(groups_[g], all_lanes, std::move(y[g]), x_t));
    for (std::size_t i = 0; i < x_l.size(); ++i) x[index(groups_[g].coordinates[i])] = x_l[i];
  }
  return x;
}

Values LimbInverse::solve_for_limbs(int group, const Values& b) const {
  const Group& own = groups_[index(group)];
  const Values y = kept(own.factor.solve(restricted(b, own.coordinates)));
  Values x_t = restricted(b, trunk_);
  const Values felt = at_trunk(own, y);
  for (std::size_t t = 0; t < x_t.size(); ++t) x_t[t] -= felt[t];
  if (!trunk_factor_.empty()) x_t = kept(trunk_factor_.front().solve(kept(std::move(x_t))));
  return in_all_limbs(own, y, x_t);
}

Values LimbInverse::in_all_limbs(const Group& own, const Values& y, const Values& x_t) const {
  Values x(index(coordinates_.full_size), Scalar(0.0));
  const std::vector<std::vector<int>>& places = coordinates_.places;
  for (std::size_t t = 0; t < x_t.size(); ++t) x[index(places[index(trunk_[t])].front())] = x_t[t];
  for (const Group& limbs : groups_) {
    for (int lane = 0; lane < limbs.lanes; ++lane) {
      Values rows(limbs.coordinates.size(), Scalar(0.0));
      for (std::size_t i = 0; &limbs == &own && i < rows.size(); ++i)
        rows[i] = c_.only_lane(lane, limbs.lanes, y[i]);
      rows = kept(in_limb(limbs, lane, std::move(rows), x_t));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<int>& members = places[index(limbs.coordinates[i])];
        x[index(members[index(lane)])] = rows[i];
      }
    }
  }
  return x;
}

void LimbInverse::append_columns(int coordinate, const Values& x, std::vector<StoredEntry>& entries) const {
  const std::vector<int>& columns = coordinates_.places[index(coordinate)];
  for (std::size_t row = 0; row < x.size(); ++row) {
    StoredEntry entry{{}, x[row]};
    for (const int column : columns)
      entry.places.push_back(static_cast<int>(row) + coordinates_.full_size * column);
    entries.push_back(std::move(entry));
  }
}

std::vector<StoredEntry> LimbInverse::inverse() const {
  const std::vector<std::vector<int>>& places = coordinates_.places;
  const int n = coordinates_.full_size, num_trunk = static_cast<int>(trunk_.size());
  const auto place = [&](int t) { return places[index(trunk_[index(t)])].front(); };
  const Matrix Z = trunk_factor_.empty() ? Matrix(0) : trunk_factor_.front().inverse();
  std::vector<StoredEntry> entries;
  for (int t = 0; t < num_trunk; ++t) {
    for (int u = 0; u < num_trunk; ++u) entries.push_back({{place(t) + n * place(u)}, Z(t, u)});
  }
  for (const Group& group : groups_) {
    for (std::size_t i = 0; i < group.coordinates.size(); ++i) {
      Values unit(group.coordinates.size(), Scalar(0.0)), x_t;
      unit[i] = 1.0;
      for (int t = 0; t < num_trunk; ++t) {
        Scalar sum(0.0);
        for (int u = 0; u < num_trunk; ++u) sum -= Z(t, u) * group.W[index(u)][i];
        x_t.push_back(sum);
      }
      x_t = kept(std::move(x_t));
      append_columns(group.coordinates[i], in_all_limbs(group, kept(group.factor.solve(unit)), x_t), entries);
      for (int t = 0; t < num_trunk; ++t) {  // M^-1 is symmetric
        StoredEntry entry{{}, x_t[index(t)]};
        for (const int row : places[index(group.coordinates[i])]) entry.places.push_back(row + n * place(t));
        entries.push_back(std::move(entry));
      }
    }
  }
  return entries;
}

std::vector<StoredEntry> LimbInverse::negative_product(const Matrix& A, int first) const {
  std::vector<StoredEntry> entries = negative_product_of_trunk(A, first);
  for (int column = first; column < A.size(); ++column) {
    const int group = coordinates_.group[index(column)];
    if (group < 0) continue;
    Values b = A.column(column);
    for (Scalar& entry : b) entry = -entry;
    append_columns(column, solve_for_limbs(group, b), entries);
  }
  return entries;
}

std::vector<StoredEntry> LimbInverse::negative_product_of_trunk(const Matrix& A, int first) const {
  std::vector<StoredEntry> entries;
  for (const int column : trunk_) {
    if (column < first) continue;
    Values b = A.column(column);
    for (Scalar& entry : b) entry = -entry;
    append_trunk_column(column, solve(b), entries);
  }
  return entries;
}

void LimbInverse::append_trunk_column(int column, const Values& x, std::vector<StoredEntry>& entries) const {
  const std::vector<std::vector<int>>& places = coordinates_.places;
  for (std::size_t r = 0; r < x.size(); ++r) {
    StoredEntry entry{{}, x[r]};
    for (const int row : places[r])
      entry.places.push_back(row + coordinates_.full_size * places[index(column)].front());
    entries.push_back(std::move(entry));
  }
}

std::vector<StoredEntry> LimbInverse::inverse_of_trunk() const {
  std::vector<StoredEntry> entries;
  if (trunk_.empty()) return entries;
  const Matrix Z = trunk_factor_.front().inverse();
  for (int t = 0; t < Z.size(); ++t) {
    Values x(index(coordinates_.count()));
    for (int u = 0; u < Z.size(); ++u) x[index(trunk_[index(u)])] = Z(u, t);
    for (const Group& group : groups_) {
      const Values rows =
          in_limb(group, all_lanes, Values(group.coordinates.size(), Scalar(0.0)), Z.column(t));
      for (std::size_t i = 0; i < rows.size(); ++i) x[index(group.coordinates[i])] = rows[i];
    }
    append_trunk_column(trunk_[index(t)], kept(std::move(x)), entries);
  }
  return entries;
}

template <class F>
void LimbInverse::each_number(const F& f) {
  const auto scalar = [&](Scalar& x) { f(x, 1); };
  for (SparseFactor& factor : trunk_factor_) factor.each_number(scalar);
  for (Group& group : groups_) {
    const auto in_lanes = [&](Scalar& x) { f(x, group.lanes); };
    group.factor.each_number(in_lanes);
    for (std::vector<Values>* columns : {&group.W, &group.M_lt}) {
      for (Values& column : *columns) {
        for (Scalar& x : column) in_lanes(x);
      }
    }
  }
}

std::vector<StoredEntry> LimbInverse::numbers() const {
  LimbInverse copy = *this;
  std::vector<StoredEntry> entries;
  int size = 0;
  copy.each_number([&](const Scalar& x, int lanes) {
    if (x.is_constant()) return;
    StoredEntry entry{{}, x};
    for (int lane = 0; lane < lanes; ++lane) entry.places.push_back(size++);
    entries.push_back(std::move(entry));
  });
  return entries;
}

LimbInverse::LimbInverse(Context& context, const LimbInverse& other, int input)
    : c_(context),
      coordinates_(other.coordinates_),
      trunk_(other.trunk_),
      groups_(other.groups_),
      trunk_factor_(other.trunk_factor_) {
  int size = 0;
  each_number([&](Scalar& x, int lanes) {
    if (x.is_constant()) return;
    std::vector<int> places;
    for (int lane = 0; lane < lanes; ++lane) places.push_back(size++);
    x = c_.entries_of_input(input, places);
  });
}

}  // namespace featherline::algorithms
