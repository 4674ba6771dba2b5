#include "cost/device.hpp"

#include <featherline/cuda/job.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace featherline::cost {
namespace {

using ir::Op;

/// Registers of a thread that values can have: 255, less what addresses and constants take.
constexpr int most_words = 225;

int spills(const ir::Kernel& kernel, int words) {
  return count_instructions(kernel, {most_words / words, true, false}).spills;
}

/// Sines and cosines are alive, too, which count_instructions() does not count.
int spilled_values(const DeviceCounts& c, int bytes) {
  return std::max(bytes == 4 ? c.spills_4 : c.spills_8, c.alive - most_words * 4 / bytes);
}

/// ptxas keeps inputs in registers early, and takes all registers up to one of these, where a block less has room.
int registers_of(int words) {
  constexpr int of_addresses = 14, steps[] = {32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255};
  return *std::find_if(std::begin(steps), std::end(steps) - 1,
                       [&](int step) { return words + of_addresses <= step; });
}

/// Warps of 32 threads that a multiprocessor has registers for, in blocks of four.
double warps_of(int registers) { return 4.0 * std::min(16, 65536 / (128 * ((registers + 7) / 8 * 8))); }

/// Instructions and values that pass through memory take their time beside each other; what is spilled comes on top,
/// and takes longer where it does not stay in the first-level cache. Few warps leave gaps between instructions.
double time_of(const DeviceCounts& c, int bytes, const DeviceFigures& figures,
               const std::vector<Term>& terms) {
  const auto [bandwidth, rate, gap, spill_rate, cached, of_double] =
      std::array{terms[0].each, terms[1].each, terms[2].each, terms[3].each, terms[4].each, terms[5].each};
  const double work = figures.instructions * c.threads * (bytes == 8 ? of_double : 1.0);
  const double issue = work / rate * (1.0 + gap / warps_of(figures.registers));
  const double memory = c.numbers * bytes / bandwidth;
  const double spilled = figures.spilled_bytes;
  return std::pow(std::pow(issue, 4.0) + std::pow(memory, 4.0), 0.25) +
         c.threads * spilled / spill_rate * (1.0 + spilled / cached);
}

/// A100 and H100 by their data sheets: bandwidth; multiprocessors, clock and lanes.
std::vector<Term> time_terms_of(Device device) {
  std::vector<Term> terms = device_time_terms();
  if (device == Device::cuda_sm90) return terms;
  terms[0].each *= 2039.0 / 3350.0;
  terms[1].each *= 108 * 1.41 * 64 / (132 * 1.755 * 128);
  terms[3].each *= 2039.0 / 3350.0;
  return terms;
}

}  // namespace

const std::vector<DeviceName>& device_names() {
  static const std::vector<DeviceName> names{{"cuda-sm90", Device::cuda_sm90},
                                             {"cuda-sm80", Device::cuda_sm80}};
  return names;
}

std::string name(Device device) {
  return std::ranges::find(device_names(), device, &DeviceName::device)->name;
}

DeviceCounts count_for_device(const ir::Kernel& kernel, int alive) {
  const InstructionCounts all = count_instructions(kernel, x86);
  DeviceCounts counts{.threads = static_cast<int>(std::bit_ceil(unsigned(kernel.graph.max_lanes()))),
                      .alive = alive,
                      .operations = all.operations - all.fused,
                      .spills_4 = spills(kernel, 1),
                      .spills_8 = spills(kernel, 2)};
  const std::vector<bool> live = ir::live_nodes(kernel);
  for (ir::NodeId id = 0; id < kernel.graph.size(); ++id) {
    if (!live[id]) continue;
    const Op op = kernel.graph[id].op;
    counts.divisions += op == Op::div || op == Op::sqrt || op == Op::pivot_inverse ? 1 : 0;
    counts.loads += op == Op::input || op == Op::gather ? 1 : 0;
  }
  for (const ir::Clear* clear : kernel.clears()) counts.stores += static_cast<int>(clear->entries.size());
  for (const ir::StraightLine* line : kernel.straight_lines()) {
    counts.stores += static_cast<int>(
        std::ranges::count_if(line->statements, [](const ir::Statement& s) { return s.store >= 0; }));
  }
  for (const auto* buffers : {&kernel.inputs, &kernel.outputs}) {
    for (const ir::Buffer& buffer : *buffers) counts.numbers += buffer.size;
  }
  return counts;
}

/// Of float, of double. A load includes its share of the sines and cosines.
const std::vector<Term>& device_code_terms(int scalar_bytes) {
  static const std::vector<Term> of_float{{"operation", 0.929}, {"load", 11.8},  {"store", 5.34},
                                          {"division", 35.6},   {"spill", 2.89}, {"kernel", 51.2}};
  static const std::vector<Term> of_double{{"operation", 1.14}, {"load", 16.4},  {"store", 4.7},
                                           {"division", 51.8},  {"spill", 2.49}, {"kernel", 89.0}};
  return scalar_bytes == 4 ? of_float : of_double;
}

std::vector<double> device_code_counts(const DeviceCounts& c, int scalar_bytes) {
  return {1.0 * c.operations,
          1.0 * c.loads,
          1.0 * c.stores,
          1.0 * c.divisions,
          1.0 * spilled_values(c, scalar_bytes),
          1.0};
}

/// Bytes and instructions a nanosecond; warps that fill half of the gaps; bytes a nanosecond, and bytes of a thread.
const std::vector<Term>& device_time_terms() {
  static const std::vector<Term> terms{{"bandwidth", 2490.0},  {"instructions", 34300.0}, {"gap", 12.6},
                                       {"spill_rate", 3780.0}, {"cached", 4110.0},        {"of_double", 1.1}};
  return terms;
}

DeviceFigures estimate(const DeviceCounts& c, int scalar_bytes, const std::vector<Term>& code,
                       const std::vector<Term>& time) {
  constexpr double more_than_least = 1.4;  // ptxas spills more than would have to be
  // Of threads that each read and write a row, 335 bytes a ns on an H100. The data have no states in rows to fit it to.
  const double scattered_bandwidth = 0.135 * time.front().each;
  DeviceFigures figures;
  figures.threads = c.threads;
  figures.registers = registers_of(c.alive * scalar_bytes / 4);
  figures.spilled_bytes = static_cast<int>(more_than_least * spilled_values(c, scalar_bytes)) * scalar_bytes;
  figures.instructions = static_cast<int>(weighted_sum(code, device_code_counts(c, scalar_bytes)));
  figures.ns = time_of(c, scalar_bytes, figures, time);
  const int bytes = c.numbers * scalar_bytes;
  figures.ns_in_rows = figures.ns + (cuda::is_staged(bytes, c.threads) ? 0.0 : bytes / scattered_bandwidth);
  return figures;
}

DeviceFigures estimate(const DeviceCounts& c, int scalar_bytes, Device device) {
  return estimate(c, scalar_bytes, device_code_terms(scalar_bytes), time_terms_of(device));
}

}  // namespace featherline::cost
