#pragma once

#include "ir/completion.hpp"
#include "verify/big_stack.hpp"
#include "verify/run_loops.hpp"

#include <featherline/vector_loops.hpp>

#include <utility>
#include <vector>

/// A robot's tree embedded in N coordinates, for run_loops.hpp.
namespace featherline::verify::detail {

/// What emitted code declares as constants, with room for N coordinates. The table is set before a routine runs; one
/// thread at a time.
template <int N, bool Coupled>
struct LoopTree {
  static constexpr int nv = N, max_path = 2 * N;  // coupled joints make more axes than coordinates
  static constexpr bool coupled = Coupled;
  static inline int num_axes = 0;
  static inline std::vector<AxisInfo> axes;
  template <class Real>
  static inline std::vector<Real> multipliers;

  /// `fill`: with a joint of its own for each coordinate that the robot does not have.
  static void set(const ir::Completion& completion, bool fill) {
    num_axes = 0;
    axes.clear();
    multipliers<double>.clear();
    for (const ir::TreeAxis& axis : completion.axes)
      add({axis.idx_v, axis.parent, axis.first, axis.count}, axis.multiplier);
    for (int k = completion.nv; fill && k < N; ++k) add({k, -1, num_axes, 1}, 1.0);
  }
  static bool has_room(const ir::Completion& completion) {
    return completion.nv <= N && completion.max_path <= max_path;
  }

 private:
  static void add(const AxisInfo& axis, double multiplier) {
    axes.push_back(axis);
    multipliers<double>.push_back(multiplier);
    ++num_axes;
  }
};

/// Square matrices of nv, or of `blocks` x nv, moved between their own size and that of the tree above.
struct Embedding {
  int from, to;

  /// Index in an array of `to` for each entry of a cube or square of `blocks` x `from`.
  template <class Visit>
  void for_each(int rank, int blocks, Visit visit) const {
    const int side = blocks * from;
    std::size_t count = 1;
    for (int r = 0; r < rank; ++r) count *= static_cast<std::size_t>(side);
    for (std::size_t e = 0; e < count; ++e) {
      std::size_t rest = e, index = 0, stride = 1;
      for (int r = 0; r < rank; ++r) {
        const int k = static_cast<int>(rest % static_cast<std::size_t>(side));
        rest /= static_cast<std::size_t>(side);
        index += stride * static_cast<std::size_t>(k % from + k / from * to);
        stride *= static_cast<std::size_t>(blocks * to);
      }
      visit(e, index);
    }
  }
  std::vector<double> enlarged(const std::vector<double>& x, int rank, int blocks) const {
    std::vector<double> y(size(rank, blocks), 0.0);
    for_each(rank, blocks, [&](std::size_t small, std::size_t large) { y[large] = x[small]; });
    return y;
  }
  std::vector<double> reduced(const std::vector<double>& y, int rank, int blocks) const {
    std::vector<double> x(Embedding{from, from}.size(rank, blocks));
    for_each(rank, blocks, [&](std::size_t small, std::size_t large) { x[small] = y[large]; });
    return x;
  }
  std::size_t size(int rank, int blocks) const {
    std::size_t count = 1;
    for (int r = 0; r < rank; ++r) count *= static_cast<std::size_t>(blocks * to);
    return count;
  }
};

/// Stack the loops take at most, with room to spare: eight matrices of N coordinates and their panels.
template <int N>
constexpr std::size_t stack_for() {
  return (std::size_t{8} << 20) + std::size_t{8} * sizeof(double) * N * (N + 8) + std::size_t{N} * 4096;
}

/// Calls run<N, coupled>() with the least N of a list that has room for the robot.
template <template <int, bool> class Run, int... Sizes>
Arrays run_embedded(const ir::Function& function, const Arrays& arrays,
                    std::integer_sequence<int, Sizes...>) {
  const ir::Completion& completion = *function.completion;
  Arrays results;
  bool done = false;
  const auto try_size = [&](auto size) {
    constexpr int N = decltype(size)::value;
    if (done || !LoopTree<N, false>::has_room(completion)) return;
    done = true;
    run_with_stack(stack_for<N>(), [&] {
      results =
          completion.coupled ? Run<N, true>::run(function, arrays) : Run<N, false>::run(function, arrays);
    });
  };
  (try_size(std::integral_constant<int, Sizes>{}), ...);
  if (!done) {
    throw UsageError("verification has no room for the loops of " + std::to_string(completion.nv) +
                     " coordinates; pass --no-verify");
  }
  return results;
}

}  // namespace featherline::verify::detail
