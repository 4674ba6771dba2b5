#include "cold/touched_pages.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace featherline::bench {

namespace {

constexpr std::uintptr_t page = 4096;

/// What the handler reads and writes. It stands in the data of the program, which keeps its permissions.
struct Trace {
  struct Piece {
    std::uintptr_t begin, end;
    long protection;
  };
  Piece pieces[512];
  int num_pieces;
  struct Touched {
    std::uintptr_t at;
    long protection;
  };
  Touched touched[1 << 16];
  int num_touched;
};
Trace trace;
alignas(64) char stack_of_handler[1 << 16];

/// The kernel's call itself: the C library's code may have lost its permission.
long system_call(long number, long a, long b, long c) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

/// On a page of its own, which is never taken away.
__attribute__((noinline, aligned(4096), section("featherline_handler"))) void on_fault(int, siginfo_t* info,
                                                                                       void*) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(page - 1);
  for (int i = 0; i < trace.num_pieces; ++i) {
    const Trace::Piece& piece = trace.pieces[i];
    if (at < piece.begin || at >= piece.end) continue;
    if (trace.num_touched == std::size(trace.touched)) break;
    trace.touched[trace.num_touched++] = {at, piece.protection};
    long result;
    asm volatile("syscall"
                 : "=a"(result)
                 : "a"(SYS_mprotect), "D"(at), "S"(page), "d"(piece.protection)
                 : "rcx", "r11", "memory");
    if (result == 0) return;
    break;
  }
  asm volatile("syscall" ::"a"(SYS_exit_group), "D"(139) : "rcx", "r11", "memory");
}

Mapping parse(const std::string& line) {
  std::istringstream words{line};
  std::string range, permissions, skipped;
  Mapping m;
  words >> range >> permissions >> skipped >> skipped >> skipped >> m.name;
  std::uintptr_t begin = 0, end = 0;
  std::sscanf(range.c_str(), "%lx-%lx", &begin, &end);
  m.begin = reinterpret_cast<char*>(begin);
  m.end = reinterpret_cast<char*>(end);
  m.protection = (permissions[0] == 'r' ? PROT_READ : 0) | (permissions[1] == 'w' ? PROT_WRITE : 0) |
                 (permissions[2] == 'x' ? PROT_EXEC : 0);
  return m;
}

/// The C library goes on working, and so does what is no memory of the program.
bool is_needed(const Mapping& m) {
  const std::string file = m.name.substr(m.name.rfind('/') + 1);
  const bool special = m.name.size() > 1 && m.name[0] == '[' && m.name != "[heap]";
  return special || m.protection == 0 || file.rfind("libc.", 0) == 0 || file.rfind("libc-", 0) == 0 ||
         file.rfind("ld-", 0) == 0;
}

using Piece = Trace::Piece;

Piece pages_of(const void* object, std::uintptr_t size) {
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  return {at & ~(page - 1), (at + size + page - 1) & ~(page - 1), 0};
}

void add_piece(const Piece& piece) {
  if (piece.begin >= piece.end) return;
  if (trace.num_pieces == std::size(trace.pieces)) throw std::runtime_error{"too many mappings"};
  trace.pieces[trace.num_pieces++] = piece;
}

/// Adds what lies outside of all of `kept`, which are in order.
void add_without(Piece piece, const std::vector<Piece>& kept) {
  for (const Piece& k : kept) {
    if (k.end <= piece.begin || k.begin >= piece.end) continue;
    add_piece({piece.begin, k.begin, piece.protection});
    piece.begin = std::min(k.end, piece.end);
  }
  add_piece(piece);
}

void choose_pieces(const std::function<bool(const Mapping&)>& is_chosen) {
  std::vector<Mapping> all;
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);) all.push_back(parse(line));
  // The kernel writes into the thread's block when it interrupts it ("restartable sequences").
  std::vector<Piece> kept = {pages_of(reinterpret_cast<const void*>(&on_fault), 1),
                             pages_of(&trace, sizeof trace),
                             pages_of(stack_of_handler, sizeof stack_of_handler),
                             pages_of(static_cast<const char*>(__builtin_thread_pointer()) - page, 2 * page)};
  std::sort(kept.begin(), kept.end(), [](const Piece& x, const Piece& y) { return x.begin < y.begin; });
  trace.num_pieces = 0;
  for (const Mapping& m : all) {
    if (is_needed(m) || !is_chosen(m)) continue;
    add_without(
        {reinterpret_cast<std::uintptr_t>(m.begin), reinterpret_cast<std::uintptr_t>(m.end), m.protection},
        kept);
  }
}

/// Code stays readable, data become nothing: each has to be taken back by its own first access.
void take_permissions_away() {
  for (int i = 0; i < trace.num_pieces; ++i) {
    const Trace::Piece& piece = trace.pieces[i];
    const long left = (piece.protection & PROT_EXEC) != 0 ? PROT_READ : PROT_NONE;
    system_call(SYS_mprotect, static_cast<long>(piece.begin), static_cast<long>(piece.end - piece.begin),
                left);
  }
}

void give_permissions_back() {
  for (int i = 0; i < trace.num_pieces; ++i) {
    const Trace::Piece& piece = trace.pieces[i];
    system_call(SYS_mprotect, static_cast<long>(piece.begin), static_cast<long>(piece.end - piece.begin),
                piece.protection);
  }
}

}  // namespace

std::vector<Memory> touched_pages(const std::function<bool(const Mapping&)>& is_chosen,
                                  const std::function<void()>& call) {
  choose_pieces(is_chosen);
  trace.num_touched = 0;
  stack_t stack{}, stack_before{};
  stack.ss_sp = stack_of_handler;
  stack.ss_size = sizeof stack_of_handler;
  struct sigaction action {
  }, action_before{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaltstack(&stack, &stack_before);
  sigaction(SIGSEGV, &action, &action_before);
  take_permissions_away();
  call();
  give_permissions_back();
  sigaction(SIGSEGV, &action_before, nullptr);
  sigaltstack(&stack_before, nullptr);

  std::vector<Memory> pages;
  for (int i = 0; i < trace.num_touched; ++i) {
    const char* begin = reinterpret_cast<const char*>(trace.touched[i].at);
    pages.push_back({begin, begin + page, (trace.touched[i].protection & PROT_EXEC) != 0});
  }
  return pages;
}

std::size_t count_pages(const std::vector<Memory>& pages, bool code) {
  return static_cast<std::size_t>(
      std::count_if(pages.begin(), pages.end(), [&](const Memory& m) { return m.is_code == code; }));
}

}  // namespace featherline::bench
