#pragma once

#include "ir/kernel.hpp"
#include "model/limbs.hpp"

#include <set>
#include <vector>

/// How values of folded limbs get to their places in arrays of the full tree.
namespace featherline::algorithms {

/// The sides of an array that an algorithm writes, each a multiple of nv.
struct Sides {
  int rank = 1;    ///< 1: a vector, 2: a matrix, 3: a tensor
  int blocks = 1;  ///< a side has blocks x nv entries
};
/// What an algorithm writes to an array of the full tree: one entry, or an entry for each lane of the value.
struct StoredEntry {
  std::vector<int> places;
  ir::Scalar value;
};

inline constexpr Sides matrix{2}, tensor{3}, hessian{2, 2};

int size_of(Sides sides, int nv);

/// `count` places from `first` on, `stride` apart.
std::vector<int> spaced_places(int first, int count, int stride = 1);
/// Where an entry of a column-major matrix with `height` rows is, by lane. Its row or its column may be that of all
/// lanes.
std::vector<int> matrix_places(const std::vector<int>& rows, const std::vector<int>& columns, int height);

/// Stores entries of an array of the full tree. Those `of_calls` are written later. The rest of the array is zero.
void store_entries(ir::Kernel& kernel, int buffer, const std::vector<StoredEntry>& entries,
                   const std::set<int>& of_calls = {});

/// Stores what an algorithm computed for folded limbs in an array of the full tree.
void store_folded(ir::Kernel& kernel, int buffer, const model::Folding& folding, int nv,
                  const std::vector<ir::Scalar>& values, Sides sides);

}  // namespace featherline::algorithms
