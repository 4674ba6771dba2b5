#pragma once

namespace featherline::cost {

/// What one choice costs: a thread a state, or a thread a limb.
struct DeviceCost {
  double ns = 0;
  int registers = 0, spilled_bytes = 0;  ///< of a thread
};

/// Whether a thread a limb is taken. It may take a little longer with many states, because it answers sooner where
/// there are few: hyq's `aba` in float takes 4.8 us for 256 states, and 8.1 with a thread a state (H100). It may take 1.3
/// times as long where it alone leaves room for four blocks. Where a thread spills much, times are predicted too short:
/// talos_reduced's `aba` in double takes 5.0 ns with a thread a state, and 2.4 with a thread a limb.
inline bool is_worth_threads_of_limbs(const DeviceCost& limbs, const DeviceCost& one_thread) {
  constexpr int much = 3000, of_four_blocks = 128;
  const bool makes_room = limbs.registers <= of_four_blocks && one_thread.registers > of_four_blocks;
  return limbs.ns < (makes_room ? 1.3 : 1.1) * one_thread.ns ||
         (one_thread.spilled_bytes > much && limbs.spilled_bytes < one_thread.spilled_bytes);
}

/// Of two candidates, each of which may be missing.
template <class Candidate, class Cost>
bool takes_threads_of_limbs(const Candidate& limbs, const Candidate& one_thread, const Cost& cost) {
  return limbs && (!one_thread || is_worth_threads_of_limbs(cost(*limbs), cost(*one_thread)));
}

}  // namespace featherline::cost
