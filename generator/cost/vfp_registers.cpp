#include "cost/vfp_registers.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::cost {
namespace {

/// g++ keeps the rest for what a single instruction needs. 28 to 32 fit measurements equally well.
constexpr int registers = 29;
/// How much a long lifetime weighs against many reads: between 0.5 and 1 it matters little.
constexpr double length_exponent = 0.7;

struct Lifetime {
  int begin = 0, end = -1;  ///< instructions: the definition, and the last read
  int reads = 0;
  bool in_memory = false;  ///< has an address it can be read from again: needs neither slot nor store
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
      if (*std::max_element(occupied.begin() + life.begin, occupied.begin() + life.end) < registers) {
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

  /// A store through a computed address may change, as far as g++ can tell, what another computed address reads.
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
  std::vector<int> far_stores_;  ///< before each instruction
};

}  // namespace

VfpRegisters give_registers(const VfpCode& code, bool from_memory) {
  return Allocator(code, from_memory).run();
}

}  // namespace featherline::cost
