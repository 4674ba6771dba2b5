#pragma once

#include <doctest/doctest.h>
#include <featherline/packed.hpp>

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <vector>

/// Compares FUNCTION_nonzeros with the dense function and with where the packed form has its numbers.
namespace nonzeros_test {

using Arrays = std::vector<std::vector<double>>;

/// Where the numbers of one output belong.
struct Index {
  const featherline::PackedEntry* entries;
  int count;
};

struct Function {
  std::vector<int> inputs, outputs;  ///< sizes of the arrays
  std::vector<Index> indices;        ///< by output
  std::function<void(const Arrays&in, Arrays&out)> dense, nonzeros;
};

inline Arrays arrays(const std::vector<int>& sizes, double value) {
  Arrays list;
  for (const int size : sizes) list.emplace_back(static_cast<std::size_t>(size), value);
  return list;
}

/// An entry outside the packed form: it keeps what is in it, or it is one that this formulation computes and that is
/// zero for reasons the formulation does not know, such as parallel axes in panels.
inline bool is_structural_zero(double dense, double found, double sentinel) {
  constexpr double rounding = 1e-12;
  return found == sentinel ? dense == 0.0 : found == dense && std::abs(dense) < rounding;
}

/// Structural zeros keep what is in them, in every call. All other entries are those of the dense function.
inline void compare(const Function& f) {
  constexpr double sentinel = 7.25;
  std::mt19937 random(1);
  Arrays found = arrays(f.outputs, sentinel);
  for (int state = 0; state < 3; ++state) {
    Arrays in = arrays(f.inputs, 0.0);
    for (std::vector<double>& array : in) {
      for (double& x : array) x = std::uniform_real_distribution<>(-1.0, 1.0)(random);
    }
    Arrays expected = arrays(f.outputs, sentinel);
    f.dense(in, expected);
    f.nonzeros(in, found);
    int zeros = 0, wrong = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      std::vector<bool> is_nonzero(found[k].size(), false);
      for (int e = 0; e < f.indices[k].count; ++e)
        is_nonzero[static_cast<std::size_t>(f.indices[k].entries[e].index)] = true;
      for (std::size_t i = 0; i < found[k].size(); ++i) {
        zeros += is_nonzero[i] ? 0 : 1;
        const bool right = is_nonzero[i] ? found[k][i] == expected[k][i]
                                         : is_structural_zero(expected[k][i], found[k][i], sentinel);
        wrong += right ? 0 : 1;
      }
    }
    CHECK(zeros > 0);
    CHECK(wrong == 0);
  }
}

}  // namespace nonzeros_test
