#include "cold/eviction.hpp"

#include <immintrin.h>
#include <sys/mman.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>

// Made by the linker.
extern "C" const char __start_featherline_timing[], __stop_featherline_timing[];

namespace featherline::bench {

namespace {

constexpr std::size_t line = 64, page = 4096;
constexpr std::size_t stack_size = 256 << 10;  ///< more than any emitted function uses
// More pages than the translation buffers of today's cores have entries (3,072 for data, 512 to 2,048 for code), more
// jumps than their branch target buffers have (up to some 8,000).
constexpr std::size_t data_pages = 4096, code_pages = 2048, jumps_per_page = 4;

/// What evicts everything that it is not: half as much again as the third level holds.
std::size_t buffer_size() {
  const long third_level = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const std::size_t size = third_level > 0 ? static_cast<std::size_t>(third_level) * 3 / 2 : 96 << 20;
  return std::max(size, data_pages * (page + line));
}

char* map(std::size_t size, int protection) {
  void* at = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::runtime_error{"no memory for the eviction"};
  return static_cast<char*>(at);
}

/// Jumps from page to page in random order, each jump in a line of its own; then a return.
void write_jumps(char* code) {
  std::mt19937 random{1};
  std::vector<std::size_t> order(code_pages);
  std::iota(order.begin(), order.end(), 0);
  char* at = code;  // the entry, which no jump goes to: it has line 0 of page 0
  for (std::size_t round = 0; round < jumps_per_page; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t p : order) {
      char* next = code + p * page + line * (1 + 15 * round + p % 15);
      const auto distance = static_cast<std::int32_t>(next - (at + 5));
      *at = static_cast<char>(0xe9);
      std::memcpy(at + 1, &distance, 4);
      at = next;
    }
  }
  *at = static_cast<char>(0xc3);
}

void flush(const char* begin, const char* end) {
  for (const char* p = begin; p < end; p += line) {
#ifdef __CLFLUSHOPT__
    _mm_clflushopt(const_cast<char*>(p));
#else
    _mm_clflush(p);
#endif
  }
}

}  // namespace

Eviction::Eviction() : data_size_{buffer_size()} {
  code_ = map(code_pages * page, PROT_READ | PROT_WRITE);
  write_jumps(code_);
  mprotect(code_, code_pages * page, PROT_READ | PROT_EXEC);
  data_ = map(data_size_, PROT_READ | PROT_WRITE);
  std::memset(data_, 1, data_size_);
}

Eviction::~Eviction() {
  munmap(code_, code_pages * page);
  munmap(data_, data_size_);
}

void Eviction::touch_foreign_data(std::size_t step) {
  volatile char* data = data_;
  for (std::size_t i = 0; i < data_size_; i += step) data[i] = static_cast<char>(data[i] + 1);
}

void Eviction::evict(const std::vector<Memory>& memory, Forgotten forgotten) {
  for (const Memory& m : memory) flush(m.begin, m.end);
  const char* here = static_cast<const char*>(__builtin_frame_address(0));
  flush(here - stack_size, here - 512);
  _mm_mfence();
  touch_foreign_data(forgotten == Forgotten::everything ? line
                                                        : data_size_ / data_pages / line * line + line);
  reinterpret_cast<void (*)()>(code_)();
}

Memory timing_code() { return {__start_featherline_timing, __stop_featherline_timing, true}; }

std::uint64_t ticks() {
  _mm_lfence();
  const std::uint64_t t = __rdtsc();
  _mm_lfence();
  return t;
}

double ns_of_a_tick() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const std::uint64_t first = ticks();
  while (Clock::now() - start < std::chrono::milliseconds{50}) {}
  const std::uint64_t last = ticks();
  const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
  return passed.count() / static_cast<double>(last - first);
}

}  // namespace featherline::bench
