#include "cost/cortex_m.hpp"

#include "cost/vfp_code.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

namespace featherline::cost {
namespace {

/// What the register assignment of a part costs, in numbers.
struct VfpRegisters {
  int most_alive = 0;       ///< largest number of values alive at once
  int slots = 0;            ///< places on the stack for values without a register
  int spills = 0;           ///< stores to these places
  int reloads = 0;          ///< reads of values without a register
  int literal_reloads = 0;  ///< reads of constants without a register
};

/// Registers for values. g++ keeps the other registers for the needs of single instructions. 28 to 32 fit the
/// measurements equally well.
constexpr int allocatable_registers = 29;
/// Decides how much a long lifetime counts against many reads. Values between 0.5 and 1 give almost the same results.
constexpr double length_exponent = 0.7;

struct Lifetime {
  int begin = 0, end = -1;  ///< the instruction that defines the value, and the one that reads it last
  int reads = 0;
  bool in_memory = false;  ///< it can be read again from memory, so it needs neither slot nor store
};

class Allocator {
 public:
  Allocator(const VfpCode& code, bool from_memory) : code_(code), lifetimes_(code.values.size()) {
    find_lifetimes();
    for (std::size_t v = 0; v < lifetimes_.size(); ++v) {
      lifetimes_[v].in_memory = is_in_memory(code.values[v], lifetimes_[v], from_memory);
    }
  }

  VfpRegisters run() {
    std::vector<int> occupied(code_.instructions.size(), 0), spilled = occupied, alive = occupied;
    VfpRegisters result;
    for (const std::size_t v : by_priority()) {
      const Lifetime& life = lifetimes_[v];
      add_one(alive, life);
      if (*std::max_element(occupied.begin() + life.begin, occupied.begin() + life.end) <
          allocatable_registers) {
        add_one(occupied, life);
      } else {
        count_spilled(code_.values[v].origin, life, spilled, result);
      }
    }
    if (!alive.empty()) result.most_alive = *std::max_element(alive.begin(), alive.end());
    if (!spilled.empty()) result.slots = *std::max_element(spilled.begin(), spilled.end());
    return result;
  }

 private:
  static bool is_constant(Origin origin) { return origin == Origin::literal || origin == Origin::immediate; }

  static void add_one(std::vector<int>& counts, const Lifetime& life) {
    for (int i = life.begin; i < life.end; ++i) ++counts[static_cast<std::size_t>(i)];
  }

  void find_lifetimes() {
    int far_stores = 0;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
      const VfpInstruction& instruction = code_.instructions[i];
      for (const int v : instruction.reads) {
        ++lifetimes_[static_cast<std::size_t>(v)].reads;
        lifetimes_[static_cast<std::size_t>(v)].end = static_cast<int>(i);
      }
      if (instruction.write >= 0)
        lifetimes_[static_cast<std::size_t>(instruction.write)].begin = static_cast<int>(i);
      far_stores_.push_back(far_stores);
      if (instruction.far_store) ++far_stores;
    }
    far_stores_.push_back(far_stores);
  }

  /// Whether the value can be read again from memory. A value in the workspace can only if its address is not computed
  /// and no store through a computed address comes before its last read. g++ cannot tell what such a store changes.
  bool is_in_memory(const VfpValue& value, const Lifetime& life, bool from_memory) const {
    if (value.origin == Origin::input || value.origin == Origin::sine_or_cosine) return from_memory;
    if (value.origin != Origin::workspace || value.far || life.end < 0) return false;
    return far_stores_[static_cast<std::size_t>(life.end) + 1] ==
           far_stores_[static_cast<std::size_t>(life.begin)];
  }

  double priority(std::size_t v) const {
    const Lifetime& life = lifetimes_[v];
    const bool is_stored = !life.in_memory && !is_constant(code_.values[v].origin);
    return (life.reads + (is_stored ? 1 : 0)) / std::pow(life.end - life.begin, length_exponent);
  }

  std::vector<std::size_t> by_priority() const {
    std::vector<std::size_t> order;
    std::vector<double> priorities(lifetimes_.size(), 0.0);
    for (std::size_t v = 0; v < lifetimes_.size(); ++v) {
      if (lifetimes_[v].end <= lifetimes_[v].begin) continue;
      order.push_back(v);
      priorities[v] = priority(v);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return priorities[a] > priorities[b]; });
    return order;
  }

  static void count_spilled(Origin origin, const Lifetime& life, std::vector<int>& spilled,
                            VfpRegisters& result) {
    if (is_constant(origin)) {
      result.literal_reloads += life.reads - 1;
    } else if (life.in_memory) {
      result.reloads += life.reads - 1;
    } else {
      result.reloads += life.reads;
      ++result.spills;
      add_one(spilled, life);
    }
  }

  const VfpCode& code_;
  std::vector<Lifetime> lifetimes_;
  std::vector<int> far_stores_;  ///< how many there are before each instruction
};

/// Assigns registers to whole lifetimes, as g++ does. Lifetimes with the most reads for their length come first. With
/// `from_memory`, inputs, sines and cosines without a register are read again from their arrays. g++ does so in
/// functions with one part, but not in parts that get the arrays through pointers.
VfpRegisters give_registers(const VfpCode& code, bool from_memory) {
  return Allocator(code, from_memory).run();
}

/// In hundredths of a byte. The numbers are a least-squares fit to 188 functions of robots/, allegro, ur5 and hyq, plus
/// 4.5 %, because an estimate should be too high rather than too low. An instruction takes 4 bytes, and a literal takes
/// 4 more. The moves that g++ makes from register to register are included in `arithmetic` and `fused`.
struct Bytes {
  int part = 2140, pointer = 289, arithmetic = 373, fused = 124, load = 394, store = 460,
      constant_store = 341, far = 281, spill = 543, reload = 235, literal_reload = 320, literal = 860,
      immediate = 548, far_slot = 188, cleared_output = 3185, copied_angle = 667;
};
constexpr Bytes bytes;

constexpr int word = 4;
/// Number of floating-point registers, and how many of them a function may use without saving them.
constexpr int float_registers = 32, free_float_registers = 16;
/// How many pointers arrive in registers (the others are on the stack), and how many integer registers can be saved.
constexpr int register_arguments = 4, most_saved_registers = 9;
/// Compilers share slots less well than lifetimes allow.
constexpr int slot_percent = 105;

struct TranslatedPart {
  VfpCode code;
  VfpRegisters registers;
};

std::vector<TranslatedPart> translate(const ir::Kernel& kernel) {
  std::vector<TranslatedPart> parts;
  for (VfpCode& code : translate_to_vfp(kernel)) {
    const VfpRegisters registers = give_registers(code, kernel.straight_lines().size() == 1);
    parts.push_back({std::move(code), registers});
  }
  return parts;
}

/// Whether the angles follow one another in memory, so that sincos can read them there.
bool are_consecutive(const ir::Kernel& kernel) { return kernel.angles().empty() || kernel.angles_in_place(); }

/// Entries for sines and cosines, and for angles if they have to be copied.
int angle_entries(const ir::Kernel& kernel) {
  return (are_consecutive(kernel) ? 2 : 3) * kernel.num_angles();
}

long long to_frame(long long frame) { return (frame + 7) / 8 * 8; }

int slots_and_saved(const VfpRegisters& registers) {
  const int used =
      registers.slots > 0 ? float_registers : std::min(float_registers, registers.most_alive + 1);
  const int saved = (std::max(0, used - free_float_registers) + 1) / 2 * 2;
  return word * ((registers.slots * slot_percent + 99) / 100 + saved);
}

/// The frame of one of several parts. The arrays are on the caller's stack.
long long part_frame(const TranslatedPart& part) {
  const int saved = std::min(most_saved_registers, 2 * std::max(0, part.code.pointers - register_arguments));
  return to_frame(slots_and_saved(part.registers) + word * saved);
}

long long single_frame(const ir::Kernel& kernel, const TranslatedPart& part) {
  const int copies_angles = are_consecutive(kernel) ? 0 : 1;
  const int saved = kernel.angles().empty()
                        ? std::max(0, part.code.pointers - register_arguments)
                        : std::min(most_saved_registers, part.code.late_pointers + 1 + copies_angles);
  return to_frame(word * (angle_entries(kernel) + saved) + slots_and_saved(part.registers));
}

/// The frame of the entry function of several parts. It holds the arrays and passes pointers to them.
long long entry_frame(const ir::Kernel& kernel, const std::vector<TranslatedPart>& parts) {
  int most = 0;
  for (const TranslatedPart& part : parts) most = std::max(most, part.code.pointers);
  const int passed = std::max(0, most - register_arguments), saved = std::min(most_saved_registers, most);
  return to_frame(word * (angle_entries(kernel) + kernel.workspace_size + passed + saved));
}

/// Number of accesses to slots and sines that the offset from the stack pointer cannot reach. It assumes that accesses
/// are spread evenly.
double far_slots(const ir::Kernel& kernel, const TranslatedPart& part) {
  const bool is_single = kernel.straight_lines().size() == 1;
  const int sines = is_single ? 2 * kernel.num_angles() : 0;
  const int entries = part.registers.slots + (is_single ? angle_entries(kernel) : 0);
  if (entries <= first_far_entry) return 0.0;
  const double share = 1.0 - static_cast<double>(first_far_entry) / entries;
  return share * (part.registers.spills + part.registers.reloads + sines);
}

/// The result is in hundredths of a byte.
long long part_code(const ir::Kernel& kernel, const TranslatedPart& part) {
  const VfpCode& code = part.code;
  const VfpRegisters& registers = part.registers;
  return bytes.part + bytes.pointer * code.pointers + 1LL * bytes.arithmetic * code.arithmetic +
         1LL * bytes.fused * code.fused + 1LL * bytes.load * code.loads + 1LL * bytes.store * code.stores +
         1LL * bytes.constant_store * code.constant_stores + 1LL * bytes.far * code.far +
         1LL * bytes.spill * registers.spills + 1LL * bytes.reload * registers.reloads +
         1LL * bytes.literal_reload * registers.literal_reloads + 1LL * bytes.literal * code.literals +
         1LL * bytes.immediate * code.immediates +
         static_cast<long long>(bytes.far_slot * far_slots(kernel, part));
}

constexpr int longest_inlined = 100;
/// Bytes of a loop over limbs, and of a value that crosses from one loop to another, which is an array. The frame grows by
/// so many thousandths. Measured on quadruped and humanoid: the errors that are left are -1 % to +15 % of the code and
/// -5 % to +15 % of the stack.
constexpr int loop_bytes = 28, array_bytes = 16, loop_spills = 165;

int limb_loop_code(const ir::Kernel& kernel) {
  if (!kernel.has_limb_loops()) return 0;
  int code = array_bytes * static_cast<int>(ir::values_between_loops(kernel).size());
  for (const ir::StraightLine* line : kernel.straight_lines())
    code += loop_bytes * static_cast<int>(line->loops.size());
  const std::vector<bool> live = ir::live_nodes(kernel);
  for (ir::NodeId id = 0; id < kernel.graph.size(); ++id) {  // the table of numbers that differ between limbs
    if (live[id] && kernel.graph.is_constant(id) && kernel.graph[id].lanes > 1)
      code += 4 * kernel.graph[id].lanes;
  }
  return code;
}

/// `frame` with what loops over limbs add to it.
long long with_limb_loops(const ir::Kernel& kernel, long long frame) {
  if (!kernel.has_limb_loops()) return frame;
  frame += frame * loop_spills / 1000;
  for (const ir::NodeId id : ir::values_between_loops(kernel)) frame += 4LL * kernel.graph[id].lanes;
  return frame;
}

int to_int(long long value) { return static_cast<int>(std::min<long long>(value, INT_MAX)); }

}  // namespace

int cortex_m_code_bytes(const ir::Kernel& kernel) {
  long long hundredths = 0;
  for (const ir::Clear* clear : kernel.steps_of<ir::Clear>()) {
    const auto entries = static_cast<int>(clear->entries.size());
    hundredths += entries == 0 ? bytes.cleared_output : 1LL * bytes.constant_store * entries;
  }
  if (!are_consecutive(kernel)) hundredths += 1LL * bytes.copied_angle * kernel.num_angles();
  for (const TranslatedPart& part : translate(kernel)) hundredths += part_code(kernel, part);
  hundredths += 100LL * limb_loop_code(kernel);
  // g++ inlines so short a form without zeros in the dense form.
  if (kernel.has_nonzeros_form() && hundredths < 100LL * longest_inlined) hundredths = hundredths * 9 / 5;
  return to_int(hundredths / 100);
}

int cortex_m_stack_bytes(const ir::Kernel& kernel) {
  const std::vector<TranslatedPart> parts = translate(kernel);
  long long deepest = kernel.angles().empty() ? 0 : cortex_m_sincos_stack;
  if (parts.size() == 1)
    return to_int(
        with_limb_loops(kernel, static_cast<long long>(single_frame(kernel, parts.front())) + deepest));
  for (const TranslatedPart& part : parts) deepest = std::max(deepest, part_frame(part));
  return to_int(entry_frame(kernel, parts) + deepest);
}

}  // namespace featherline::cost
