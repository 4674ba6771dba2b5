#include "algorithms/lanes/limb_inverse.hpp"

namespace featherline::algorithms {
namespace {

constexpr int all_lanes = -1;

Values part(const Values& x, const std::vector<int>& coordinates) {
  return each(coordinates, [&](const int k) { return x[index(k)]; });
}

/// The inverse of part().
void put(const Values& entries, const std::vector<int>& coordinates, Values& x) {
  for (std::size_t i = 0; i < entries.size(); ++i) x[index(coordinates[i])] = entries[i];
}

}  // namespace

Matrix block(const Matrix& M, const std::vector<int>& coordinates) {
  Matrix part(static_cast<int>(coordinates.size()));
  for (int r = 0; r < part.size(); ++r) {
    for (int k = 0; k < part.size(); ++k) part(r, k) = M(coordinates[index(r)], coordinates[index(k)]);
  }
  return part;
}

LimbCoordinates limb_coordinates(const Context& context) {
  const model::Folding& folding = context.folding();
  return {folding.velocities, folding.group_of_velocity, context.full_tree().nv};
}

LimbInverse::LimbInverse(Context& context, const Matrix& M, LimbCoordinates coordinates)
    : c_(&context), coordinates_(std::move(coordinates)) {
  std::vector<std::vector<int>> members(1 + index(std::ranges::max(coordinates_.group)));
  for (int k = 0; k < coordinates_.count(); ++k) {
    const int group = coordinates_.group[index(k)];
    (group < 0 ? trunk_ : members[index(group)]).push_back(k);
  }
  c_->begin_section("limbs eliminated from the inertia");
  Matrix S = block(M, trunk_);
  for (const std::vector<int>& limb : members) {
    const auto lanes = static_cast<int>(coordinates_.places[index(limb.front())].size());
    Group group{limb, lanes, SparseFactor(block(M, limb)), {}, {}};
    for (const int t : trunk_) {
      group.M_lt.push_back(part(M.column(t), limb));
      group.W.push_back(c_->keep(group.factor.solve(group.M_lt.back())));
    }
    for (int r = 0; r < S.size(); ++r) {
      for (int k = 0; k <= r; ++k) {
        S(r, k) -= ir::lane_sum(dot(group.M_lt[index(r)], group.W[index(k)]), lanes);
        S(k, r) = S(r, k);
        c_->keep(S(r, k));
      }
    }
    groups_.push_back(std::move(group));
  }
  c_->begin_section("factor of what the trunk feels");
  if (!trunk_.empty()) trunk_factor_.emplace_back(S);
}

Scalar LimbInverse::inverse_in_limb(int coordinate) const {
  const Group& group = groups_[index(coordinates_.group[index(coordinate)])];
  Values unit(group.coordinates.size());
  unit[static_cast<std::size_t>(std::ranges::find(group.coordinates, coordinate) -
                                group.coordinates.begin())] = 1.0;
  const Values half = group.factor.half(unit);
  return group.factor.product(half, half);
}

Values LimbInverse::at_trunk(const Group& group, const Values& y) {
  return each(group.M_lt, [&](const Values& column) { return dot(column, y); });
}

Values LimbInverse::solve_for_trunk(Values b) const {
  if (trunk_.empty()) return b;
  c_->keep(b);
  return c_->keep(trunk_factor_.front().solve(std::move(b)));
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
  Values x_t = part(b, trunk_);
  std::vector<Values> y;
  for (const Group& group : groups_) {
    y.push_back(c_->keep(group.factor.solve(part(b, group.coordinates))));
    const Values felt = at_trunk(group, y.back());
    for (std::size_t t = 0; t < x_t.size(); ++t) x_t[t] -= ir::lane_sum(felt[t], group.lanes);
  }
  x_t = solve_for_trunk(std::move(x_t));
  Values x(b.size());
  put(x_t, trunk_, x);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    put(c_->keep(in_limb(groups_[g], all_lanes, std::move(y[g]), x_t)), groups_[g].coordinates, x);
  return x;
}

Values LimbInverse::solve_for_limbs(int group, const Values& b) const {
  const Group& own = groups_[index(group)];
  const Values y = c_->keep(own.factor.solve(part(b, own.coordinates)));
  return in_all_limbs(own, y, solve_for_trunk(part(b, trunk_) - at_trunk(own, y)));
}

LimbInverse::Half LimbInverse::half(int group, const Values& row) const {
  const Group& own = groups_[index(group)];
  const Values of_limb = part(row, own.coordinates);
  Values of_trunk = part(row, trunk_);
  for (std::size_t t = 0; t < of_trunk.size(); ++t) of_trunk[t] -= dot(own.W[t], of_limb);
  if (!trunk_.empty()) of_trunk = trunk_factor_.front().half(std::move(of_trunk));
  return {c_->keep(own.factor.half(of_limb)), c_->keep(of_trunk)};
}

Scalar LimbInverse::product_in_trunk(const Values& y, const Values& z) const {
  return trunk_.empty() ? Scalar(0.0) : trunk_factor_.front().product(y, z);
}

Scalar LimbInverse::product_in_limb(int group, const Half& y, const Half& z) const {
  return groups_[index(group)].factor.product(y.in_limb, z.in_limb);
}

Values LimbInverse::in_all_limbs(const Group& own, const Values& y, const Values& x_t) const {
  Values x(index(coordinates_.full_size));
  const std::vector<std::vector<int>>& places = coordinates_.places;
  for (std::size_t t = 0; t < x_t.size(); ++t) x[index(places[index(trunk_[t])].front())] = x_t[t];
  for (const Group& limbs : groups_) {
    for (int lane = 0; lane < limbs.lanes; ++lane) {
      Values rows(limbs.coordinates.size());
      for (std::size_t i = 0; &limbs == &own && i < rows.size(); ++i)
        rows[i] = c_->only_lane(lane, limbs.lanes, y[i]);
      rows = c_->keep(in_limb(limbs, lane, std::move(rows), x_t));
      for (std::size_t i = 0; i < rows.size(); ++i)
        x[index(places[index(limbs.coordinates[i])][index(lane)])] = rows[i];
    }
  }
  return x;
}

void LimbInverse::append_columns(int column, const Values& x, std::vector<StoredEntry>& entries) const {
  const std::vector<std::vector<int>>& places = coordinates_.places;
  const bool of_trunk = coordinates_.group[index(column)] < 0;
  for (int r = 0; r < static_cast<int>(x.size()); ++r) {
    const std::vector<int> rows = of_trunk ? places[index(r)] : std::vector<int>{r};
    entries.push_back({matrix_places(rows, places[index(column)], coordinates_.full_size), x[index(r)]});
  }
}

Matrix LimbInverse::inverse_in_trunk() const {
  return trunk_.empty() ? Matrix(0) : trunk_factor_.front().inverse();
}

std::vector<StoredEntry> LimbInverse::inverse() const {
  const auto places = [&](int row, int column) {
    return matrix_places(coordinates_.places[index(row)], coordinates_.places[index(column)],
                         coordinates_.full_size);
  };
  const Matrix Z = inverse_in_trunk();
  std::vector<StoredEntry> entries;
  for (int t = 0; t < Z.size(); ++t) {
    for (int u = 0; u < Z.size(); ++u)
      entries.push_back({places(trunk_[index(t)], trunk_[index(u)]), Z(t, u)});
  }
  for (const Group& group : groups_) {
    for (std::size_t i = 0; i < group.coordinates.size(); ++i) {
      Values unit(group.coordinates.size()), x_t(trunk_.size());
      unit[i] = 1.0;
      for (int t = 0; t < Z.size(); ++t) {
        for (int u = 0; u < Z.size(); ++u) x_t[index(t)] -= Z(t, u) * group.W[index(u)][i];
      }
      c_->keep(x_t);
      const int own = group.coordinates[i];
      append_columns(own, in_all_limbs(group, c_->keep(group.factor.solve(unit)), x_t), entries);
      for (std::size_t t = 0; t < x_t.size(); ++t)  // M^-1 is symmetric
        entries.push_back({places(own, trunk_[t]), x_t[t]});
    }
  }
  return entries;
}

std::vector<StoredEntry> LimbInverse::inverse_of_trunk() const {
  const Matrix Z = inverse_in_trunk();
  std::vector<StoredEntry> entries;
  for (int t = 0; t < Z.size(); ++t) {
    Values x(index(coordinates_.count()));
    put(Z.column(t), trunk_, x);
    for (const Group& group : groups_)
      put(in_limb(group, all_lanes, Values(group.coordinates.size()), Z.column(t)), group.coordinates, x);
    append_columns(trunk_[index(t)], c_->keep(x), entries);
  }
  return entries;
}

std::vector<StoredEntry> LimbInverse::negative_product(const Matrix& A, int first, Columns which) const {
  std::vector<StoredEntry> entries;
  for (const bool of_trunk : {true, false}) {
    if (!of_trunk && which == Columns::of_trunk) break;
    for (int k = first; k < A.size(); ++k) {
      const int group = coordinates_.group[index(k)];
      if ((group < 0) != of_trunk) continue;
      const Values b = -A.column(k);
      append_columns(k, of_trunk ? solve(b) : solve_for_limbs(group, b), entries);
    }
  }
  return entries;
}

}  // namespace featherline::algorithms
