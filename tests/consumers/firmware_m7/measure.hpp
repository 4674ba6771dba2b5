#pragma once

#include <cstdint>

/// What one call costs on the machine it runs on.
namespace measure {

/// SysTick counts down from its 24-bit reload value once per cycle of the processor clock: 25 MHz on these boards.
/// Under `qemu -icount shift=0` each instruction takes a nanosecond of virtual time, whatever it does, so a tick is 40
/// instructions. On a real board the same code counts cycles.
class Ticks {
 public:
  static void start() {
    reg(0x14) = 0xFFFFFF;  // reload
    reg(0x18) = 0;         // current: any write reloads
    reg(0x10) = 5;         // on, processor clock, no interrupt
    while (reg(0x18) == 0) {}
  }
  static std::uint32_t now() { return 0xFFFFFF - reg(0x18); }

 private:
  static volatile std::uint32_t& reg(std::uint32_t offset) {
    return *reinterpret_cast<volatile std::uint32_t*>(0xE000E000 + offset);
  }
};

inline constexpr std::uint32_t instructions_per_tick = 40;

/// Instructions of one call, the loop around it included; the mean of many, since a tick is coarse.
template <class Call>
[[gnu::noinline]] std::uint32_t instructions(Call call) {
  constexpr std::uint32_t calls = 400;
  Ticks::start();
  const std::uint32_t before = Ticks::now();
  for (std::uint32_t i = 0; i < calls; ++i) call();
  const std::uint32_t ticks = Ticks::now() - before;
  return ticks * instructions_per_tick / calls;
}

/// Bytes of stack a call touches: the space below the stack pointer is painted before and searched afterwards.
template <class Call>
[[gnu::noinline]] std::uint32_t stack_bytes(Call call) {
  constexpr std::uint32_t paint = 0xA5C3F00D, words = 4096;
  std::uint32_t* stack_pointer = nullptr;
  asm volatile("mov %0, sp" : "=r"(stack_pointer));
  volatile std::uint32_t* const bottom = stack_pointer - words;
  for (std::uint32_t i = 0; i < words; ++i) bottom[i] = paint;
  call();
  std::uint32_t untouched = 0;
  while (untouched < words && bottom[untouched] == paint) ++untouched;
  return (words - untouched) * 4;
}

}  // namespace measure
