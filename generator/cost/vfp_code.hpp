#pragma once

#include "ir/kernel.hpp"

#include <vector>

/// The instructions of a part for the floating-point unit of a Cortex-M (VFP), before registers are assigned. VFP has
/// fused multiply-add, and the operands of its instructions are in registers.
namespace featherline::cost {

/// Where a value comes from. This decides what it costs if it gets no register.
enum class Origin {
  computed,
  literal,    ///< read again from the literal pool
  immediate,  ///< a constant that an instruction can carry
  input,
  sine_or_cosine,
  workspace,
};

struct VfpValue {
  Origin origin = Origin::computed;
  bool far = false;  ///< in the workspace, at an offset that an instruction cannot reach
};

struct VfpInstruction {
  std::vector<int> reads;  ///< the values that it reads
  int write = -1;          ///< the value that it defines, or -1 for a store
  bool far_store = false;  ///< to an offset that an instruction cannot reach
};

/// Entries of an array from this one on are beyond the 1020 bytes that a load or store can add to an address.
inline constexpr int first_far_entry = 256;

struct VfpCode {
  std::vector<VfpInstruction> instructions;
  std::vector<VfpValue> values;
  int arithmetic = 0, fused = 0;  ///< all arithmetic instructions; those that multiply and add
  int loads = 0, stores = 0;      ///< loads of inputs, sines, workspace; stores to outputs and workspace
  int constant_stores = 0;        ///< stores to outputs through integer registers; not in `stores`
  int far = 0;                    ///< loads and stores that need instructions for their address
  int literals = 0, immediates = 0;
  int pointers = 0;  ///< number of arrays that are read or written
  /// The pointers among them to arrays other than sines and cosines. In a single part they must survive the call of
  /// sincos.
  int late_pointers = 0;
};

/// Translates every straight line of code in `kernel`, in order.
std::vector<VfpCode> translate_to_vfp(const ir::Kernel& kernel);

}  // namespace featherline::cost
