#pragma once

#include <doctest/doctest.h>
#include <featherline/batch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

/// Batches against the scalar function: every count, layout and instruction set that this machine has.
namespace batch_test {

template <class S>
struct Arrays {
  std::vector<const S*> in;
  std::vector<S*> out;
};

/// Numbers per state.
struct Shape {
  std::vector<int> inputs, outputs;
};

template <class S>
using Scalar = std::function<void(const Arrays<S>&)>;
template <class S>
using Batch = std::function<void(std::ptrdiff_t, const Arrays<S>&, const featherline::BatchOptions&)>;

inline constexpr int guard = 16;  ///< numbers behind every output that nobody may touch

/// Around vectors of 2, 4, 8 and 16 lanes, and many blocks with a ragged end.
inline const std::vector<int>& counts() {
  static const std::vector<int> list{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 100};
  return list;
}

inline std::vector<featherline::InstructionSet> sets_of_this_machine() {
  using featherline::InstructionSet;
  std::vector<InstructionSet> sets;
  for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (featherline::is_supported(set)) sets.push_back(set);
  }
  return sets;
}

/// Where number i of state k is.
struct Layout {
  std::ptrdiff_t per_number, per_state;
};

template <class S>
class Comparison {
 public:
  Comparison(const Shape& shape, int count, std::ptrdiff_t stride)
      : shape_(shape), count_(count), stride_(stride) {
    std::mt19937 random(static_cast<unsigned>(count) + 1);
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    for (const int n : shape.inputs) {
      inputs_.emplace_back(length(n));
      for (S& x : inputs_.back()) x = static_cast<S>(uniform(random));
    }
    for (const int n : shape.outputs) outputs_.emplace_back(length(n), untouched);
  }

  /// Runs the batch; one number off the vectors' alignment, and of a vector's length beyond what is needed.
  void run(const Batch<S>& batch, const featherline::BatchOptions& options) {
    Arrays<S> x;
    for (const std::vector<S>& in : inputs_) x.in.push_back(in.data() + 1);
    for (std::vector<S>& out : outputs_) x.out.push_back(out.data() + 1);
    batch(count_, x, options);
  }

  /// Largest error relative to max(1, largest entry) over all states and outputs.
  double error(const Scalar<S>& scalar) const {
    double error = 0.0, largest = 1.0;
    for (int k = 0; k < count_; ++k) {
      std::vector<std::vector<S>> in = state(k), out;
      for (const int n : shape_.outputs) out.emplace_back(static_cast<std::size_t>(n) + 1, S(0));
      Arrays<S> x;
      for (const auto& array : in) x.in.push_back(array.data());
      for (auto& array : out) x.out.push_back(array.data());
      scalar(x);
      for (std::size_t o = 0; o < out.size(); ++o) {
        for (int i = 0; i < shape_.outputs[o]; ++i) {
          const auto expected = static_cast<double>(out[o][static_cast<std::size_t>(i)]);
          const auto found = static_cast<double>(outputs_[o][index(shape_.outputs[o], i, k)]);
          error = std::isfinite(found) ? std::max(error, std::abs(found - expected)) : INFINITY;
          largest = std::max(largest, std::abs(expected));
        }
      }
    }
    return error / largest;
  }

  /// Whether everything that is not a result is as it was.
  bool rest_untouched() const {
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      std::vector<S> rest = outputs_[o];
      for (int k = 0; k < count_; ++k) {
        for (int i = 0; i < shape_.outputs[o]; ++i) rest[index(shape_.outputs[o], i, k)] = untouched;
      }
      if (std::any_of(rest.begin(), rest.end(), [](S x) { return x != untouched; })) return false;
    }
    return true;
  }

 private:
  static constexpr S untouched = S(-12345.0);

  std::size_t length(int n) const {
    return static_cast<std::size_t>((stride_ > 0 ? stride_ : count_) * n) + guard;
  }
  std::size_t index(int n, int i, int k) const {
    return 1 + static_cast<std::size_t>(stride_ > 0 ? i * stride_ + k : k * n + i);
  }
  std::vector<std::vector<S>> state(int k) const {
    std::vector<std::vector<S>> arrays;
    for (std::size_t a = 0; a < inputs_.size(); ++a) {
      arrays.emplace_back();
      for (int i = 0; i < shape_.inputs[a]; ++i)
        arrays.back().push_back(inputs_[a][index(shape_.inputs[a], i, k)]);
    }
    return arrays;
  }

  Shape shape_;
  int count_;
  std::ptrdiff_t stride_;  ///< 0: arrays of states
  std::vector<std::vector<S>> inputs_, outputs_;
};

template <class S>
void compare(const Shape& shape, const Scalar<S>& scalar, const Batch<S>& batch, const Batch<S>& soa) {
  // Rounding differs where one of them fuses a multiplication and an addition; inverse inertias magnify it.
  const double tolerance = std::is_same_v<S, double> ? 1e-11 : 2e-3;
  for (const featherline::InstructionSet set : sets_of_this_machine()) {
    for (const int count : counts()) {
      for (const std::ptrdiff_t extra :
           {-1, 0, 3}) {  // arrays of states; structures of arrays, dense and wider
        featherline::BatchOptions options;
        options.limit = set;
        if (extra > 0) options.stride = count + extra;
        Comparison<S> comparison(shape, count, extra < 0 ? 0 : count + extra);
        comparison.run(extra < 0 ? batch : soa, options);
        CAPTURE(static_cast<int>(set));
        CAPTURE(count);
        CAPTURE(extra);
        CHECK(comparison.error(scalar) <= tolerance);
        CHECK(comparison.rest_untouched());
      }
    }
  }
}

}  // namespace batch_test
