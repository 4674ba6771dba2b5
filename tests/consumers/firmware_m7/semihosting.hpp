#pragma once

#include <cstdint>

/// Text and exit status for whoever runs the image: Arm's semihosting calls, which qemu and debuggers answer. printf
/// would bring 20 KB and a heap.
namespace semihosting {

inline std::uint32_t call(std::uint32_t operation, const void* argument) {
  register std::uint32_t r0 asm("r0") = operation;
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

inline void print(const char* text) { call(0x04, text); }  // SYS_WRITE0

inline void print(std::uint32_t number) {
  char digits[11];
  char* first = digits + 10;
  *first = '\0';
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  print(first);
}

[[noreturn]] inline void exit(int status) {
  const std::uint32_t block[] = {0x20026, static_cast<std::uint32_t>(status)};  // ADP_Stopped_ApplicationExit
  call(0x20, block);                                                            // SYS_EXIT_EXTENDED
  while (true) {}
}

}  // namespace semihosting
