#pragma once

#include "cost/estimate.hpp"

#include <string>
#include <vector>

/// What a kernel costs on a device of CUDA: registers, bytes that are spilled, instructions, and the time of a state
/// where there are many, which lie by element.
///
/// All is fitted to what nvcc and ptxas 13.0 make for sm_90, and to times on an H100
/// (tests/bench/prediction/device.txt). An A100 is predicted from data sheets, not measured.
namespace featherline::cost {

enum class Device {
  cuda_sm90,  ///< H100
  cuda_sm80,  ///< A100
};

struct DeviceName {
  std::string name;  ///< the name that --target takes
  Device device;
};
/// All devices. The default comes first.
const std::vector<DeviceName>& device_names();
std::string name(Device device);

/// Of the emitted type: "float" or "double".
inline int scalar_bytes(const std::string& scalar) { return scalar == "float" ? 4 : 8; }

/// What a thread does, and what a state needs.
struct DeviceCounts {
  int threads = 1;     ///< of a state
  int alive = 0;       ///< values at a time
  int operations = 0;  ///< after multiplications and additions are fused
  int divisions = 0;   ///< and roots
  int loads = 0, stores = 0;
  int spills_4 = 0, spills_8 = 0;  ///< values without a register, of 4 and of 8 bytes
  int numbers = 0;                 ///< of all arrays of a state
};

/// Counts a kernel that passes::make_device_program() scheduled. `alive`: its values at a time.
DeviceCounts count_for_device(const ir::Kernel& kernel, int alive);

/// What ptxas says of a kernel.
struct Assembled {
  int registers = 0, spilled_bytes = 0;
};

/// Of a kernel in one scalar.
struct DeviceFigures {
  int threads = 1;                        ///< of a state
  int registers = 0;                      ///< of a thread
  int spilled_bytes = 0;                  ///< of a thread: what ptxas calls spill stores
  int instructions = 0;                   ///< of a thread
  double ns = 0;                          ///< of a state
  double ns_in_rows = 0;                  ///< of one of states that lie one behind the other
  std::vector<Assembled> assembled = {};  ///< in rows, by element; empty where ptxas was not asked
};

/// Instructions are a weighted sum.
const std::vector<Term>& device_code_terms(int scalar_bytes);
std::vector<double> device_code_counts(const DeviceCounts& counts, int scalar_bytes);
/// Parameters of the time (device.cpp), for sm_90.
const std::vector<Term>& device_time_terms();

DeviceFigures estimate(const DeviceCounts& counts, int scalar_bytes, Device device = Device::cuda_sm90);
/// The same with other parameters, whose order is that of the tables above.
DeviceFigures estimate(const DeviceCounts& counts, int scalar_bytes, const std::vector<Term>& code,
                       const std::vector<Term>& time);

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
