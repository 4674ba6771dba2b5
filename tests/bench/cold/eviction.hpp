#pragma once

#include "cold/touched_pages.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace featherline::bench {

/// How much of the machine forgets a call.
enum class Forgotten {
  lines,  ///< the lines of `memory` are in main memory; address translations and branch history are others'
  everything  ///< the caches hold other things alone. The page tables are in main memory, too. It takes milliseconds
};

/// Makes a call cold, as a controller's tick finds it after other programs ran.
class Eviction {
 public:
  Eviction();
  Eviction(const Eviction&) = delete;
  Eviction& operator=(const Eviction&) = delete;
  ~Eviction();

  /// Evicts `memory` and the stack below the caller.
  void evict(const std::vector<Memory>& memory, Forgotten forgotten);

 private:
  void touch_foreign_data(std::size_t step);

  std::size_t data_size_;
  char *code_ = nullptr, *data_ = nullptr;
};

/// Of functions that surround the timed call: they stand together, and are never flushed.
#define FEATHERLINE_TIMING_CODE __attribute__((noinline, section("featherline_timing")))

/// Where these functions are.
Memory timing_code();

/// Calls an emitted function at an address with EmittedCalls::Arguments. All of them are passed as pointers are: in
/// registers, or on the stack behind them, where a function looks for no more than it has.
FEATHERLINE_TIMING_CODE void call_emitted(void* address, const void* arguments);

/// A time stamp that earlier instructions have finished before, and later ones start after.
FEATHERLINE_TIMING_CODE std::uint64_t ticks();
double ns_of_a_tick();

}  // namespace featherline::bench
