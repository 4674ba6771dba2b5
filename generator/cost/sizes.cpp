#include "cost/estimate.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

namespace featherline::cost {
namespace {

int to_int(double bytes) { return static_cast<int>(std::min<double>(std::floor(bytes + 1e-6), INT_MAX)); }

/// Fitted to 62 functions of nine robots with 7 to 7,700 operations each. tests/bench/prediction/times.txt has code
/// bytes that were estimated with these numbers, so they change together.
const std::vector<Term> x86_code{
    {"function", 70.0}, {"sincos", 480.0}, {"operation", 11.22}, {"store", 6.74}, {"reload", 3.61}};

/// Fitted to tests/bench/prediction/sizes.txt, and 9 % more: an estimate should be too high rather than too low. An
/// instruction takes 4 bytes, and a constant that is not part of one takes 4 more.
const std::vector<Term> cortex_m_code{{"part", 21.8},      {"operation", 3.99},       {"fused", 1.9},
                                      {"access", 3.15},    {"constant", 6.5},         {"spill", 10.5},
                                      {"far", 4.72},       {"cleared_buffer", 104.0}, {"angle", 6.9},
                                      {"dense_form", 8.8}, {"limb_constant", 4.0}};

/// g++ inlines so short a form without structural zeros in the dense form.
bool is_inlined(const InstructionCounts& c) {
  return c.nonzeros_form > 0 && c.parts == 1 && c.operations <= 12 && c.operations + c.stores <= 25;
}

std::vector<double> cortex_m_features(const InstructionCounts& c) {
  const double copies = is_inlined(c) ? 2.0 : 1.0;
  return {copies * c.parts,         copies * (c.operations - c.fused) + c.cleared_entries,
          copies * c.fused,         copies * (c.stores + c.reloads),
          copies * c.constants,     copies * c.spills,
          copies * c.far,           1.0 * c.cleared_buffers,
          copies * c.copied_angles, 1.0 * c.nonzeros_form,
          1.0 * c.limb_constants};
}

constexpr int word = 4;
/// Floating-point registers, and how many of them a function may use without saving them. How many arguments arrive in
/// registers (the others are on the stack), and how many integer registers can be saved.
constexpr int float_registers = 32, free_float_registers = 16, register_arguments = 4,
              most_saved_registers = 9;
/// Compilers share slots less well than lifetimes allow.
constexpr int unshared_slots = 8;
/// What loops over limbs add to a frame, in thousandths. Measured on quadruped and humanoid.
constexpr int loop_spills = 165;

int to_frame(int bytes) { return (bytes + 7) / 8 * 8; }

/// Slots and saved floating-point registers.
int value_bytes(const InstructionCounts& c) {
  const int used = c.registers_used > cortex_m.registers ? float_registers : c.registers_used + 1;
  const int saved = (std::max(0, used - free_float_registers) + 1) / 2 * 2;
  return word * (saved + (c.spill_slots > 0 ? c.spill_slots + unshared_slots : 0));
}

/// The frame of a function that is a single part.
int single_frame(const InstructionCounts& c, int arrays) {
  const int saved = c.angles == 0
                        ? std::max(0, c.arguments - register_arguments)
                        : std::min(most_saved_registers, c.arguments + 1 + (c.copied_angles > 0 ? 1 : 0));
  const int frame = to_frame(word * (arrays + saved) + value_bytes(c));
  return c.limb_loops > 0 ? frame + frame * loop_spills / 1000 + word * c.loop_values : frame;
}

int cortex_m_stack(const InstructionCounts& c) {
  const int arrays = (c.copied_angles > 0 ? 3 : 2) * c.angles;
  const int sincos = c.angles > 0 ? cortex_m_sincos_stack : 0;
  if (c.parts <= 1) return single_frame(c, arrays) + sincos;
  // The entry function holds the arrays and passes pointers to them, also to sines, cosines and the workspace.
  const int pointers = c.arguments + (c.angles > 0 ? 2 : 0) + 1;
  const int passed = std::max(0, pointers - register_arguments);
  const int entry =
      to_frame(word * (arrays + c.workspace + passed + std::min(most_saved_registers, pointers)));
  const int part = to_frame(value_bytes(c) + word * std::min(most_saved_registers, 2 * passed));
  return entry + std::max(sincos, part);
}

/// How many there are of each term.
std::vector<double> code_features(const InstructionCounts& c, Target target) {
  if (is_cortex_m(target)) return cortex_m_features(c);
  return {1.0, c.angles > 0 ? 1.0 : 0.0, 1.0 * c.operations, 1.0 * c.stores + c.cleared_entries,
          1.0 * c.loads + c.reloads};
}

}  // namespace

double weighted_sum(const std::vector<Term>& terms, const std::vector<double>& counts) {
  double sum = 0.0;
  for (std::size_t k = 0; k < terms.size(); ++k) sum += terms[k].each * counts[k];
  return sum;
}

const std::vector<Term>& code_terms(Target target) { return is_cortex_m(target) ? cortex_m_code : x86_code; }

int code_bytes(const InstructionCounts& counts, Target target) {
  return code_bytes(counts, target, code_terms(target));
}

int code_bytes(const InstructionCounts& counts, Target target, const std::vector<Term>& terms) {
  return to_int(weighted_sum(terms, code_features(counts, target)));
}

int stack_bytes(const InstructionCounts& c, Target target) {
  if (is_cortex_m(target)) return cortex_m_stack(c);
  // If the angles are not consecutive inputs, they need an array, too.
  return to_int(8.0 * (3 * c.angles + c.workspace) + 14.0 + 9.12 * c.spill_slots);
}

}  // namespace featherline::cost
