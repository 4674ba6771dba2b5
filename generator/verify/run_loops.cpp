#include "verify/run_loops.hpp"

#include "verify/embedded_calls.hpp"
#include "verify/inverse_routines.hpp"

#include <mutex>

namespace featherline::verify {
namespace {

struct SecondDerivatives {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    with_tensors(
        x, 2, [&](auto... T) { vector_loops::rnea_second_derivatives(tree, x.plain(0), x.plain(1), T...); });
  }
};

struct Friction {
  template <class Tree>
  static void run(const Tree& tree, Arguments& x) {
    with_tensors(x, 1, [&](auto... T) { vector_loops::add_friction(tree, x.enlarged(0, 1), T...); });
  }
};

/// Second derivatives are tensors. The tool accepts them for up to 200 coordinates.
using TensorSizes = std::integer_sequence<int, 48, 104, 200>;
using MatrixSizes = std::integer_sequence<int, 48, 104, 200, 712, 2832>;

template <class Run, class Sizes, bool fill>
void run_routine(const ir::Call& call, const BufferMap& buffers) {
  if (call.axes->coupled) return run_embedded<EmbeddedTree, true, Run>(call, buffers, fill, Sizes{});
  run_embedded<EmbeddedTree, false, Run>(call, buffers, fill, Sizes{});
}

/// `fill` is set if M is inverted, because the inverse needs all coordinates.
constexpr bool fill = true;
constexpr Routine routines[] = {
    {"rnea_second_derivatives", run_routine<SecondDerivatives, TensorSizes, !fill>},
    {"add_friction", run_routine<Friction, TensorSizes, !fill>},
    {"solve_second_derivatives", run_routine<SolvedSecondDerivatives<Loops>, TensorSizes, fill>},
    {"minv", run_routine<WholeInverse<Loops>, MatrixSizes, fill>},
    {"inverse", run_routine<Inverse<Loops>, MatrixSizes, fill>},
    {"solve", run_routine<Solution<Loops>, MatrixSizes, fill>},
    {"negative_product", run_routine<NegativeProduct<Loops>, MatrixSizes, fill>},
    {"aba_derivatives", run_routine<ForwardDerivatives<Loops>, MatrixSizes, fill>},
    {"aba_derivatives_behind_base", run_routine<ForwardDerivativesBehindBase<Loops>, MatrixSizes, fill>},
    {"aba_vector_hessian", run_routine<ForwardHessian<Loops>, MatrixSizes, fill>},
};

/// Whether the routine stands in `space`. Then `name` is its name there.
bool is_in(const std::string& space, const std::string& routine, std::string& name) {
  if (routine.rfind(space, 0) != 0) return false;
  name = routine.substr(space.size());
  return true;
}

void run(const ir::Call& call, const BufferMap& buffers, KernelForm form) {
  static std::mutex one_robot;  // trees that robots are embedded in belong to the whole program
  const std::lock_guard<std::mutex> lock(one_robot);
  if (call.panels) return run_panels(call, buffers);
  std::string name;
  if (is_in("dense_kernels::", call.routine, name) && run_kernels(name, call, buffers, form)) return;
  if (!name.empty() || is_in("vector_loops::", call.routine, name)) {
    for (const Routine& routine : routines) {
      if (name == routine.name) return routine.run(call, buffers);
    }
  }
  throw InternalError("verification cannot run " + call.routine);
}

}  // namespace

void run_call(const ir::Call& call, const BufferMap& buffers) { run(call, buffers, KernelForm::segments); }

void run_unrolled_call(const ir::Call& call, const BufferMap& buffers) {
  run(call, buffers, KernelForm::unrolled);
}

}  // namespace featherline::verify
