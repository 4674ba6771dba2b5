#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace featherline::bench {

/// A piece of the address space, as the kernel lists it.
struct Mapping {
  char *begin = nullptr, *end = nullptr;
  int protection = 0;  ///< PROT_READ, PROT_WRITE, PROT_EXEC
  std::string name;    ///< of the file, "[heap]", or empty

  bool holds(const void* address) const { return begin <= address && address < end; }
};

struct Memory {
  const char *begin = nullptr, *end = nullptr;
  bool is_code = false;
};

/// The pages of chosen mappings that `call` reads, writes or runs. They are found by taking away the permission: the
/// first access of each page ends in a signal handler, which notes the page and gives the permission back. Only for
/// x86-64 Linux. A mapping that the handler, the C library or the thread needs is left out, whatever `is_chosen` says.
std::vector<Memory> touched_pages(const std::function<bool(const Mapping&)>& is_chosen,
                                  const std::function<void()>& call);

std::size_t count_pages(const std::vector<Memory>& pages, bool code);

}  // namespace featherline::bench
