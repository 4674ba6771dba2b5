#pragma once

#include "ir/kernel.hpp"

#include <vector>

/// The instructions of a part, before registers are assigned, for the floating-point unit of a Cortex-M (VFP). It has
/// fused multiply-add, and its operands are in registers.
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
  bool far = false;  ///< in the workspace beyond the reach of an instruction's offset
};

struct VfpInstruction {
  std::vector<int> reads;  ///< values
  int write = -1;          ///< value, or -1 for a store
  bool far_store = false;  ///< beyond the reach of an instruction's offset
};

/// Entries of an array from this one on are beyond the 1020 bytes that a load or store can add to an address.
inline constexpr int first_far_entry = 256;

struct VfpCode {
  std::vector<VfpInstruction> instructions;
  std::vector<VfpValue> values;
  int arithmetic = 0, fused = 0;  ///< instructions; those of them that multiply and add
  int loads = 0, stores = 0;      ///< of inputs, sines, workspace; of outputs and workspace
  int constant_stores = 0;        ///< of outputs, by registers for integers, not counted in `stores`
  int far = 0;                    ///< loads and stores whose address is computed apart
  int literals = 0, immediates = 0;
  int pointers = 0;  ///< arrays that are read or written
  int late_pointers =
      0;  ///< those of them that are not sines and cosines: in a single part, alive across sincos
};

/// Translates all straight lines of `kernel`, in order.
std::vector<VfpCode> translate_to_vfp(const ir::Kernel& kernel);

}  // namespace featherline::cost
