#include "verify/run_loops.hpp"

#include "verify/embedded_calls.hpp"
#include "verify/inverse_routines.hpp"

namespace featherline::verify {
namespace {

/// Whether M^-1 is straight-line code, where it may be.
bool is_unrolled = false;

/// A tree that the compiler does not know, as kernels read it.
template <int N, bool Coupled>
struct KernelTree : EmbeddedTree<N, Coupled> {
  static constexpr const bool& unrolled = is_unrolled;
  static void set(const ir::AxisTable& table, bool fill);
};

}  // namespace
}  // namespace featherline::verify

namespace featherline::detail {

using verify::KernelTree;

template <int N, bool Coupled>
inline constexpr bool is_known_tree<KernelTree<N, Coupled>> = false;
template <int N, bool Coupled, bool full>
inline auto relations<KernelTree<N, Coupled>, full> = Relations<KernelTree<N, Coupled>, full>();
template <int N, bool Coupled, bool full>
inline auto segments<KernelTree<N, Coupled>, full> = Segments<KernelTree<N, Coupled>, full>();
template <int N, bool Coupled>
inline auto joint_starts<KernelTree<N, Coupled>> = JointStarts<KernelTree<N, Coupled>>();

}  // namespace featherline::detail

namespace featherline::verify {
namespace {

template <class Tree, bool full>
void set_tables() {
  detail::relations<Tree, full> = {};
  detail::segments<Tree, full> = {};
}

template <int N, bool Coupled>
void KernelTree<N, Coupled>::set(const ir::AxisTable& table, bool fill) {
  EmbeddedTree<N, Coupled>::set(table, fill);
  set_tables<KernelTree, false>();
  if constexpr (Coupled) set_tables<KernelTree, true>();
  detail::joint_starts<KernelTree> = {};
}

/// Vectors of a row overlap in the first two, as for most robots. Coupled robots with more than 36 coordinates have too
/// many pairs.
using CoupledSizes = std::integer_sequence<int, 11, 37>;
using Sizes = std::integer_sequence<int, 11, 37, dense_kernels::most_coordinates>;

bool fills_factor(const ir::AxisTable& table) {
  return table.coupled &&
         !detail::coordinates_form_tree(table.axes.data(), static_cast<int>(table.axes.size()));
}

template <class Run>
void run_routine(const ir::Call& call, const BufferMap& buffers) {
  constexpr bool fill = true;
  if (fills_factor(*call.axes))
    return run_embedded<KernelTree, true, Run>(call, buffers, fill, CoupledSizes{});
  run_embedded<KernelTree, false, Run>(call, buffers, fill, Sizes{});
}

constexpr Routine routines[] = {
    {"minv", run_routine<WholeInverse<Kernels>>},
    {"inverse", run_routine<Inverse<Kernels>>},
    {"solve", run_routine<Solution<Kernels>>},
    {"negative_product", run_routine<NegativeProduct<Kernels>>},
    {"aba_derivatives", run_routine<ForwardDerivatives<Kernels>>},
    {"aba_derivatives_behind_base", run_routine<ForwardDerivativesBehindBase<Kernels>>},
    {"aba_vector_hessian", run_routine<ForwardHessian<Kernels>>},
    {"solve_second_derivatives", run_routine<SolvedSecondDerivatives<Kernels>>},
};

/// Pairs of coordinates on one path, as detail::num_related_pairs() counts them for emitted code.
int num_related_pairs(const ir::AxisTable& table) {
  if (fills_factor(table)) return table.nv * table.nv;
  int pairs = 0;
  for (const ir::AxisTable::Axis& axis : table.axes) {
    pairs += axis.count;
    for (int t = axis.parent; t >= 0; t = table.axes[static_cast<std::size_t>(t)].parent)
      pairs += 2 * table.axes[static_cast<std::size_t>(t)].count;
  }
  return pairs;
}

}  // namespace

bool run_kernels(const std::string& routine, const ir::Call& call, const BufferMap& buffers,
                 KernelForm form) {
  const ir::AxisTable& table = *call.axes;
  const bool loops = table.nv < 2 || table.nv > dense_kernels::most_coordinates ||
                     num_related_pairs(table) > dense_kernels::most_related_pairs;
  if (loops) return false;
  for (const Routine& known : routines) {
    if (routine != known.name) continue;
    is_unrolled = form == KernelForm::unrolled;
    known.run(call, buffers);
    return true;
  }
  return false;
}

}  // namespace featherline::verify
