#include "states.hpp"

#include "shapes.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace featherline::python {

namespace {

/// The states from `first` to `last` - 1. Batches that were not generated are calls in a loop.
void run_range(const States& s, npy_intp first, npy_intp last, const void* const* all_inputs,
               void* const* all_outputs) {
  const void* inputs[max_arrays];
  void* outputs[max_arrays];
  const npy_intp step = s.calls.many == nullptr ? 1 : last - first;
  for (npy_intp state = first; state < last; state += step) {
    for (int i = 0; i < s.function.arrays.size; ++i) {
      const npy_intp offset = state * s.item * size_of(s.function.arrays[i]);
      const int o = i - s.num_inputs;
      if (o < 0)
        inputs[i] = static_cast<const char*>(all_inputs[i]) + offset;
      else
        outputs[o] = static_cast<char*>(all_outputs[o]) + offset;
    }
    (s.calls.many == nullptr ? s.calls.one : s.calls.many)(step, inputs, outputs, s.link, s.frame);
  }
}

/// Each thread gets whole chunks of states, so that no two write to one cache line.
constexpr npy_intp chunk = 64;

}  // namespace

void run_states(const States& s, npy_intp count, int threads, const void* const* inputs,
                void* const* outputs) {
  const npy_intp chunks = (count + chunk - 1) / chunk;
  const npy_intp parts = std::max<npy_intp>(1, std::min<npy_intp>(threads, chunks));
  const auto first_of = [&](npy_intp part) { return std::min(count, part * chunks / parts * chunk); };
  std::vector<std::thread> others(static_cast<std::size_t>(parts - 1));
  Py_BEGIN_ALLOW_THREADS;
  for (npy_intp part = 1; part < parts; ++part) {
    const auto run = [&, part] { run_range(s, first_of(part), first_of(part + 1), inputs, outputs); };
    try {
      others[static_cast<std::size_t>(part - 1)] = std::thread(run);
    } catch (const std::system_error&) {  // there are too many already
      run();
    }
  }
  run_range(s, 0, first_of(1), inputs, outputs);
  for (std::thread& other : others)
    if (other.joinable()) other.join();
  Py_END_ALLOW_THREADS;
}

}  // namespace featherline::python
