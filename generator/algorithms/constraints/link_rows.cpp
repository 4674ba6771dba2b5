#include "algorithms/constraints/link_rows.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using algebra::cross;

bool is_point(const ConstraintMotion& motion) {
  return motion.constraint().is_contact() && motion.num_rows() == 3;
}
bool share_link(const ConstraintMotion& a, const ConstraintMotion& b) {
  return is_point(a) && is_point(b) && a.folded().bodies == b.folded().bodies;
}

Vector3 three(const Coordinates& x, int first) {
  return {x[index(first)], x[index(first + 1)], x[index(first + 2)]};
}

}  // namespace

LimbRows limb_rows(const Context& c, const std::vector<ConstraintMotion>& motions) {
  LimbRows rows;
  for (const ConstraintMotion& motion : motions) {
    for (int r = 0; r < motion.num_rows(); ++r) {
      rows.places.push_back(each(motion.folded().constraints, [&](int member) {
        return c.full_tree().constraints.all[index(member)].first_row + r;
      }));
      rows.group.push_back(motion.folded().group);
    }
  }
  return rows;
}

LinkRows::LinkRows(Context& c, const std::vector<ConstraintMotion>& motions) {
  constexpr int most_apart = 2;  // two points have six rows, too
  const LimbRows of_all = limb_rows(c, motions);
  for (const ConstraintMotion& motion : motions) {
    const auto on_link = [&](const ConstraintMotion& other) { return share_link(motion, other); };
    const auto first = std::ranges::find_if(motions, on_link);
    const bool is_joined = std::ranges::count_if(motions, on_link) > most_apart;
    const int lanes = motion.folded().lanes();
    const int row = num_rows_;
    num_rows_ += motion.num_rows();
    if (is_joined && &*first != &motion) {
      const Rows& of_first = all_[index(static_cast<int>(first - motions.begin()))];
      all_.push_back({of_first.first, 3, true, first->way_to(motion), lanes});
      continue;
    }
    const std::vector<Coordinates> own = is_joined ? motion.J_with_turning() : motion.J();
    all_.push_back({static_cast<int>(J.size()), motion.num_rows(), false, {}, lanes});
    for (std::size_t r = 0; r < own.size(); ++r) {
      rows.places.push_back(of_all.places[index(row) + r % index(motion.num_rows())]);
      rows.group.push_back(motion.folded().group);
      J.push_back(c.keep(own[r]));
    }
  }
}

Coordinates LinkRows::of_constraints(const Coordinates& x) const {
  Coordinates list;
  for (const Rows& r : all_) {
    const auto begin = x.begin() + r.first;
    list.insert(list.end(), begin, begin + r.count);
    if (!r.is_carried) continue;
    const Vector3 carried = cross(three(x, r.first + 3), r.way);
    for (int k = 0; k < 3; ++k) list[list.size() - 3 + index(k)] += carried[k];
  }
  list.insert(list.end(), x.begin() + static_cast<std::ptrdiff_t>(J.size()), x.end());
  return list;
}

SquareMatrix LinkRows::of_constraints(const SquareMatrix& L) const {
  SquareMatrix D(num_rows_ + L.size() - static_cast<int>(J.size()));
  for (int k = 0; k < D.size(); ++k) {
    Coordinates unit(index(D.size()));
    unit[index(k)] = 1.0;
    const Coordinates column = of_constraints(L * of_links(unit));
    for (int r = 0; r <= k; ++r) D(r, k) = D(k, r) = column[index(r)];
  }
  return D;
}

Coordinates LinkRows::speeds(const Coordinates& v) const {
  return of_constraints(each(J, [&](const Coordinates& row) { return dot(row, v); }));
}

Coordinates LinkRows::of_links(const Coordinates& forces) const {
  Coordinates list(J.size());
  int next = 0;
  for (const Rows& r : all_) {
    for (int k = 0; k < r.count; ++k) list[index(r.first + k)] += forces[index(next + k)];
    const Vector3 moment = r.is_carried ? cross(r.way, three(forces, next)) : Vector3{};
    for (int k = 0; k < 3 && r.is_carried; ++k) list[index(r.first + 3 + k)] += moment[k];
    next += r.count;
  }
  list.insert(list.end(), forces.begin() + next, forces.end());
  return list;
}

}  // namespace featherline::algorithms
