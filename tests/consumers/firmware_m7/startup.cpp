// From reset to run_checks(): vector table, floating-point unit, memory. No start files of a C library take part.
#include "semihosting.hpp"

#include <cstdint>

int run_checks();

// Of the linker script.
extern "C" {
extern std::uint32_t stack_top, data_load, data_begin, data_end, bss_begin, bss_end;
[[noreturn]] void reset();
[[noreturn]] void fault();
}

namespace {

using Handler = void (*)();

struct VectorTable {
  std::uint32_t* stack;
  Handler handlers[15];
};

/// Handlers 1 to 15 of the architecture; no interrupt is in use, so any but the first is a fault.
[[gnu::section(".vectors"), gnu::used]] const VectorTable vectors = {
    &stack_top,
    {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
     fault}};

/// Coprocessor Access Control Register: full access to coprocessors 10 and 11, which are the FPU.
void enable_fpu() {
  volatile auto* const cpacr = reinterpret_cast<std::uint32_t*>(0xE000ED88);
  *cpacr = *cpacr | (0xFU << 20);
  asm volatile("dsb\n isb" ::: "memory");
}

}  // namespace

void reset() {
  enable_fpu();
  const std::uint32_t* from = &data_load;
  for (std::uint32_t* to = &data_begin; to != &data_end; ++to) *to = *from++;
  for (std::uint32_t* to = &bss_begin; to != &bss_end; ++to) *to = 0;
  semihosting::exit(run_checks());
}

void fault() {
  semihosting::print("fault\n");
  semihosting::exit(99);
}
