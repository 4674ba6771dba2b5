#include "algorithms/stores.hpp"

#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <algorithm>
#include <utility>

namespace featherline::algorithms {
namespace {

/// The coordinates of an entry of an array, each with its block, and the limbs that the entry stands for.
class FoldedEntry {
 public:
  FoldedEntry(const model::Folding& folding, Sides sides, std::size_t entry) : folding_(folding) {
    const std::size_t nv = folding.velocities.size();
    for (int r = 0; r < sides.rank; ++r) {
      const std::size_t along = entry % (nv * index(sides.blocks));
      entry /= nv * index(sides.blocks);
      places_.push_back({along / nv, along % nv});
      add_group(folding.group_of_velocity[along % nv],
                static_cast<int>(folding.velocities[along % nv].size()));
    }
  }

  /// Whether it belongs to two different groups of limbs. Then it has to be zero.
  bool is_mixed() const { return mixed_; }
  /// The places in the array of the full tree, one for each limb.
  std::vector<int> places(int nv, int blocks) const {
    std::vector<int> list;
    for (int lane = 0; lane < lanes_; ++lane) {
      int place = 0, stride = 1;
      for (const auto& [block, coordinate] : places_) {
        const std::vector<int>& members = folding_.velocities[coordinate];
        const int own = members.size() > 1 ? members[index(lane)] : members.front();
        place += stride * (static_cast<int>(block) * nv + own);
        stride *= nv * blocks;
      }
      list.push_back(place);
    }
    return list;
  }

 private:
  void add_group(int group, int lanes) {
    if (group < 0) return;
    mixed_ = mixed_ || (group_ >= 0 && group_ != group);
    group_ = group;
    lanes_ = lanes;
  }

  const model::Folding& folding_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // block and coordinate, by side
  int group_ = -1, lanes_ = 1;
  bool mixed_ = false;
};

}  // namespace

std::vector<int> spaced_places(int first, int count, int stride) {
  std::vector<int> places;
  for (int k = 0; k < count; ++k) places.push_back(first + k * stride);
  return places;
}

std::vector<int> matrix_places(const std::vector<int>& rows, const std::vector<int>& columns, int height) {
  const auto of_lane = [](const std::vector<int>& list, std::size_t lane) {
    return list.size() > 1 ? list[lane] : list.front();
  };
  std::vector<int> places;
  for (std::size_t lane = 0; lane < std::max(rows.size(), columns.size()); ++lane)
    places.push_back(of_lane(rows, lane) + height * of_lane(columns, lane));
  return places;
}

int size_of(Sides sides, int nv) {
  int size = 1;
  for (int r = 0; r < sides.rank; ++r) size *= nv * sides.blocks;
  return size;
}

void store_entries(ir::Kernel& kernel, int buffer, const std::vector<StoredEntry>& entries,
                   const std::set<int>& of_calls) {
  std::vector<bool> is_stored(index(kernel.output_or_local(buffer).size), false);
  for (const int place : of_calls) is_stored[index(place)] = true;
  for (const auto& [places, value] : entries) {
    kernel.scatter(buffer, places, value);
    for (const int place : places) is_stored[index(place)] = true;
  }
  for (std::size_t k = 0; k < is_stored.size(); ++k) {
    if (!is_stored[k]) kernel.store(buffer, static_cast<int>(k), 0.0);
  }
}

void store_folded(ir::Kernel& kernel, int buffer, const model::Folding& folding, int nv,
                  const std::vector<ir::Scalar>& values, Sides sides) {
  std::vector<StoredEntry> entries;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const FoldedEntry entry(folding, sides, k);
    std::vector<int> places = entry.places(nv, sides.blocks);
    if (values[k].lanes() > static_cast<int>(places.size()) || (entry.is_mixed() && !values[k].is_zero()))
      throw InternalError("an algorithm writes values of limbs to an entry of no limb");
    if (!entry.is_mixed()) entries.push_back({std::move(places), values[k]});
  }
  store_entries(kernel, buffer, entries);
}

}  // namespace featherline::algorithms
