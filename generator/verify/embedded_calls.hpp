#pragma once

#include "support/diagnostic.hpp"
#include "verify/big_stack.hpp"
#include "verify/run_loops.hpp"

#include <featherline/vector_loops.hpp>

#include <deque>
#include <string>
#include <utility>
#include <vector>

/// Routines of the runtime take the robot's tree as constants, but the generator knows it only at run time. So they run
/// on a few trees of N coordinates, in which robots are embedded.
namespace featherline::verify {

// The tree of a robot, embedded in a tree of N coordinates.

/// Stands in for the constants that emitted code declares, with room for N coordinates. The table is set before a
/// routine runs. Only one thread at a time may use it.
template <int N, bool Coupled>
struct EmbeddedTree {
  static constexpr int nv = N, max_path = 2 * N;  // coupled joints have more axes than coordinates
  static constexpr bool coupled = Coupled;
  static inline int num_axes = 0;
  static inline std::vector<AxisInfo> axes;
  template <class Real>
  static inline std::vector<Real> multipliers;

  /// `fill` adds a joint of its own for each coordinate that the robot does not have.
  static void set(const ir::AxisTable& table, bool fill) {
    num_axes = 0;
    axes.clear();
    multipliers<double>.clear();
    for (const ir::AxisTable::Axis& axis : table.axes)
      add({axis.idx_v, axis.parent, axis.first, axis.count}, axis.multiplier);
    for (int k = table.nv; fill && k < N; ++k) add({k, -1, num_axes, 1}, 1.0);
  }
  static bool has_room(const ir::AxisTable& table) { return table.nv <= N && table.max_path <= max_path; }

 private:
  static void add(const AxisInfo& axis, double multiplier) {
    axes.push_back(axis);
    multipliers<double>.push_back(multiplier);
    ++num_axes;
  }
};

/// Moves square or cubic arrays with sides nv, or `blocks` x nv, between the robot's size and the size of the tree
/// above.
struct Embedding {
  int from, to;

  /// Visits each entry of a square or cube with sides `blocks` x `from`, with its index in an array with sides `blocks`
  /// x `to`.
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

/// Largest stack of the loops, with room to spare: eight matrices of N coordinates, and the panels.
template <int N>
constexpr std::size_t stack_for() {
  return (std::size_t{8} << 20) + std::size_t{8} * sizeof(double) * N * (N + 8) + std::size_t{N} * 4096;
}

/// The arguments of a call, moved to N coordinates and back. The last `num_results` are results.
class Arguments {
 public:
  Arguments(const ir::Call& call, const BufferMap& buffers, Embedding embedding)
      : call_(call), buffers_(buffers), embedding_(embedding) {}

  /// Argument k without a change.
  const double* plain(std::size_t k) const { return buffer(k).data(); }
  /// Argument k, a square or cube with sides `blocks` x nv, with room for the further coordinates. They hold zeros.
  double* enlarged(std::size_t k, int rank, int blocks = 1) {
    large_.push_back({k, rank, blocks, embedding_.enlarged(buffer(k), rank, blocks)});
    return large_.back().values.data();
  }
  /// The same for an inertia matrix. The further coordinates have inertia 1.
  double* inertia(std::size_t k) {
    double* M = enlarged(k, 2);
    for (int i = embedding_.from; i < embedding_.to; ++i)
      M[static_cast<std::size_t>(i) * (embedding_.to + 1)] = 1.0;
    return M;
  }
  /// Writes argument k, which was enlarged before, back in its own size.
  void reduce(std::size_t k) {
    for (const Large& x : large_) {
      if (x.argument == k) buffer(k) = embedding_.reduced(x.values, x.rank, x.blocks);
    }
  }

 private:
  struct Large {
    std::size_t argument;
    int rank, blocks;
    std::vector<double> values;
  };
  std::vector<double>& buffer(std::size_t k) const { return *buffers_.at(call_.arguments.at(k)); }

  const ir::Call& call_;
  const BufferMap& buffers_;
  Embedding embedding_;
  std::deque<Large> large_;  // addresses of elements stay valid
};

/// Calls Run::run(tree, arguments) for the least N of a list that has room for the robot. `fill` adds a joint of its
/// own for each coordinate that the robot does not have.
template <template <int, bool> class Tree, bool coupled, class Run, int... Sizes>
void run_embedded(const ir::Call& call, const BufferMap& buffers, bool fill,
                  std::integer_sequence<int, Sizes...>) {
  const ir::AxisTable& table = *call.axes;
  bool done = false;
  const auto try_size = [&](auto size) {
    constexpr int N = decltype(size)::value;
    if (done || !Tree<N, coupled>::has_room(table)) return;
    done = true;
    run_with_stack(stack_for<N>(), [&] {
      Arguments arguments(call, buffers, {table.nv, N});
      Tree<N, coupled>::set(table, fill);
      Run::run(Tree<N, coupled>{}, arguments);
    });
  };
  (try_size(std::integral_constant<int, Sizes>{}), ...);
  if (!done) {
    throw UsageError("verification has no room for the loops of " + std::to_string(table.nv) +
                     " coordinates; pass --no-verify");
  }
}

// Routines of M^-1, which loops and kernels have under the same names: `By` calls them.

/// Four tensors from argument `first` on: written, or changed in place.
template <class Loop>
void with_tensors(Arguments& x, std::size_t first, const Loop& loop) {
  double* T[4];
  for (std::size_t k = 0; k < 4; ++k) T[k] = x.enlarged(first + k, 3);
  loop(T[0], T[1], T[2], T[3]);
  for (std::size_t k = 0; k < 4; ++k) x.reduce(first + k);
}

template <class By>
struct SolvedSecondDerivatives {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    with_tensors(x, 3, [&](auto... T) {
      By::solve_second_derivatives(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2), T...);
    });
  }
};

template <class By>
struct WholeInverse {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::minv(tree, x.inertia(0), x.enlarged(1, 2));
    x.reduce(1);
  }
};

template <class By>
struct Inverse {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::inverse(tree, x.inertia(0), x.enlarged(1, 2));
    x.reduce(1);
  }
};

template <class By>
struct Solution {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::solve(tree, x.inertia(0), x.enlarged(1, 1), x.enlarged(2, 1));
    x.reduce(2);
  }
};

template <class By>
struct NegativeProduct {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::negative_product(tree, x.inertia(0), x.enlarged(1, 2));
    x.reduce(1);
  }
};

template <class By>
struct ForwardDerivatives {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::aba_derivatives(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2));
    for (const std::size_t result : {1, 2}) x.reduce(result);
  }
};

template <class By>
struct ForwardDerivativesBehindBase {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::aba_derivatives_behind_base(tree, x.inertia(0), x.plain(1), x.enlarged(2, 2), x.enlarged(3, 2));
    for (const std::size_t result : {2, 3}) x.reduce(result);
  }
};

template <class By>
struct ForwardHessian {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    By::aba_vector_hessian(tree, x.inertia(0), x.enlarged(1, 2), x.enlarged(2, 2), x.enlarged(3, 2),
                           x.enlarged(4, 2, 2), x.enlarged(5, 2, 2));
    x.reduce(5);
  }
};

struct Routine {
  const char* name;
  void (*run)(const ir::Call&, const BufferMap&);
};

}  // namespace featherline::verify
