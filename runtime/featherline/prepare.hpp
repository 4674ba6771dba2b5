// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/compiler.hpp>
#include <featherline/config.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// What NAME::prepare is made of. A function that has not run for a while is in main memory, code first, and comes in
/// line by line as it runs: each line waits for the one before. Ordinary loads of one byte a line wait together.
/// (Prefetch instructions did nothing: processors drop them where the page is not known.)
///
/// So loads have to know where code is. Each body that becomes a function of its own marks its begin and its end. A
/// mark is no instruction. It is a row of a section, from which a loop reads where the mark stands: one section for the
/// code of one emitted function in one scalar, whatever the compiler made of it. The `?` puts the row into the group of
/// its function, so that the linker keeps or drops both.
namespace featherline {

/// Lines of the caches are at least as long as this.
inline constexpr std::uintptr_t line_bytes = 64;

namespace detail {

struct CodeMark {
  std::int32_t place;  ///< in code, from here
  /// If the mark before it is at most this far in front, what is between belongs to the function.
  std::uint32_t reach;
};

/// Between the end of one function and the begin of the next there may be code that the compiler took out of either.
/// The bytes are in the page of the one or of the other, so they can be read.
inline constexpr std::uint32_t reach_of_begin = 4096;
/// Between begin and end is the body. A compiler that has them far apart has moved one of them away.
inline constexpr std::uint32_t reach_of_end = 1 << 20;

FEATHERLINE_INLINE void touch_byte(std::uintptr_t address) {
  static_cast<void>(*reinterpret_cast<const volatile unsigned char*>(address));
}

/// Calls visit(address) for a byte of each line between two addresses, which have to be those of bytes that can be read.
template <class Visit>
FEATHERLINE_INLINE void for_each_line(std::uintptr_t first, std::uintptr_t last, const Visit& visit) {
  for (; first < last; first += line_bytes) visit(first);
  visit(last);
}

FEATHERLINE_INLINE void touch_lines(std::uintptr_t first, std::uintptr_t last) {
  for_each_line(first, last, touch_byte);
}

FEATHERLINE_INLINE std::uintptr_t place_of(const CodeMark& mark) {
  return reinterpret_cast<std::uintptr_t>(&mark) + static_cast<std::uintptr_t>(mark.place);
}

/// Calls visit(first, last) for each piece of code.
template <class Visit>
FEATHERLINE_INLINE void for_each_piece(const CodeMark* mark, const CodeMark* end, const Visit& visit) {
  std::uintptr_t last = 0;
  for (; mark != end; ++mark) {
    const std::uintptr_t here = place_of(*mark);
    visit(here - last <= mark->reach ? last : here, here);
    last = here;
  }
}

/// One copy in the program: whoever prepares several functions has it already.
template <class Mark>
FEATHERLINE_NOINLINE void touch_pieces(const Mark* mark, const Mark* end) {
  for_each_piece(mark, end, [](std::uintptr_t first, std::uintptr_t last) { touch_lines(first, last); });
}

/// `Code` is what FEATHERLINE_CODE defines, or derived from it. The generator's tables have none.
template <class Code, class = void>
struct HasMarks : std::false_type {};
template <class Code>
struct HasMarks<Code, std::void_t<decltype(Code::code_number)>> : std::true_type {};

template <class Code, class S>
inline constexpr bool is_marked = FEATHERLINE_CODE_MARKS&& HasMarks<Code>::value &&
                                  (std::is_same_v<S, double> || std::is_same_v<S, float>);

}  // namespace detail

#if FEATHERLINE_CODE_MARKS
#define FEATHERLINE_CODE_MARK(Code, S, reach)                                    \
  asm volatile inline(                                                           \
      "771:\n\t.pushsection featherline_%c0_%c1,\"a?\",@progbits\n\t.balign 4\n" \
      "772:\n\t.long 771b-772b,%c2\n\t.popsection"                               \
      :                                                                          \
      : "i"(Code::code_number), "i"(sizeof(S)), "i"(reach)                       \
      : "memory")

/// Defines `name`, which tells the code of one function from that of others by `number`. The linker defines the edges
/// of a section; where it found no row they are null.
#define FEATHERLINE_CODE(name, number, ahead)                                                 \
  FEATHERLINE_CODE_EDGE(name##_begin_4, "__start_", number, "4");                             \
  FEATHERLINE_CODE_EDGE(name##_end_4, "__stop_", number, "4");                                \
  FEATHERLINE_CODE_EDGE(name##_begin_8, "__start_", number, "8");                             \
  FEATHERLINE_CODE_EDGE(name##_end_8, "__stop_", number, "8");                                \
  struct name {                                                                               \
    static constexpr int code_number = number;                                                \
    static constexpr bool reads_ahead = ahead;                                                \
    template <class S, class Use>                                                             \
    static void with_marks(const Use& use) {                                                  \
      sizeof(S) == 4 ? use(name##_begin_4, name##_end_4) : use(name##_begin_8, name##_end_8); \
    }                                                                                         \
  }
#define FEATHERLINE_CODE_EDGE(edge, prefix, number, bytes)                                           \
  extern const featherline::detail::CodeMark edge[] __asm__(prefix "featherline_" #number "_" bytes) \
      __attribute__((weak, visibility("hidden")))
#else
#define FEATHERLINE_CODE(name, number, ahead)  \
  struct name {                                \
    static constexpr int code_number = number; \
    static constexpr bool reads_ahead = ahead; \
  }
#endif

namespace detail {

#if FEATHERLINE_CODE_MARKS
/// Reads the lines from where it is called to the next code_ends(), side by side.
template <class Mark>
FEATHERLINE_NOINLINE void touch_ahead(const Mark* mark, const Mark* end) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  std::uintptr_t ahead = reach_of_end;
  for (; mark != end; ++mark) {
    const std::uintptr_t distance = place_of(*mark) - here;
    if (mark->reach == reach_of_end && distance < ahead) ahead = distance;
  }
  if (ahead < reach_of_end) touch_lines(here, here + ahead);
}
#endif

}  // namespace detail

/// Stands where the body of a function begins whose code prepare::F is to find. If the function was chosen for cold
/// caches and is long, it first reads its own code. What runs many times a call may not.
template <class Code, class S, bool may_read_ahead = true>
FEATHERLINE_INLINE void code_begins() {
#if FEATHERLINE_CODE_MARKS
  if constexpr (detail::is_marked<Code, S>) {
    FEATHERLINE_CODE_MARK(Code, S, detail::reach_of_begin);
    if constexpr (Code::reads_ahead && may_read_ahead)
      Code::template with_marks<S>([](const auto* begin, const auto* end)
                                       FEATHERLINE_INLINE_LAMBDA { detail::touch_ahead(begin, end); });
  }
#endif
}

/// Stands where it ends.
template <class Code, class S>
FEATHERLINE_INLINE void code_ends() {
#if FEATHERLINE_CODE_MARKS
  if constexpr (detail::is_marked<Code, S>) FEATHERLINE_CODE_MARK(Code, S, detail::reach_of_end);
#endif
}

/// Brings the code of a function into the caches.
template <class Code, class S>
FEATHERLINE_INLINE void touch_code() {
#if FEATHERLINE_CODE_MARKS
  if constexpr (detail::is_marked<Code, S>)
    Code::template with_marks<S>(
        [](const auto* begin, const auto* end) { detail::touch_pieces(begin, end); });
#endif
}

/// Brings an array into the caches, whose N numbers stay as they are.
template <std::size_t N, class S>
FEATHERLINE_INLINE void touch([[maybe_unused]] const S* array) {
#if FEATHERLINE_PREPARE
  if constexpr (N > 0) {
    const auto first = reinterpret_cast<std::uintptr_t>(array);
    detail::touch_lines(first, first + N * sizeof(S) - 1);
  }
#endif
}

/// The same for results that a function chosen for cold caches is about to write. Batches, and scalars other than plain
/// numbers, do without.
template <std::size_t N, class S>
FEATHERLINE_INLINE void touch_results([[maybe_unused]] const S* array) {
  if constexpr (std::is_same_v<S, double> || std::is_same_v<S, float>) touch<N>(array);
}

/// Code that was read as data is in the second level of the caches. From there it runs three to eight times as slowly
/// as from the first, which only running it fills. So prepare::F also calls F, unless the results, which nobody reads,
/// would burden the stack; then it reads the tables of panels. Nanoseconds of a call (AMD EPYC, everything evicted; warm,
/// after reading, after a call):
///
///   hyq aba              155   671    201
///   talos_reduced rnea   220  1820    331
///   talos_reduced minv  2030  5870   2100
///
/// The most that the largest of first derivatives of talos_reduced needs, 35 KB, is below the limit.
inline constexpr std::size_t most_result_bytes = 40 * 1024;
template <class S, std::size_t num_results>
inline constexpr bool prepare_calls = FEATHERLINE_PREPARE&& num_results * sizeof(S) <= most_result_bytes &&
                                      (std::is_same_v<S, double> || std::is_same_v<S, float>);

/// The function itself, which the compiler then neither inlines nor leaves out because nobody reads its results.
template <class Function>
FEATHERLINE_INLINE Function* as_called(Function* function) {
  Function* volatile hidden = function;
  return hidden;
}

}  // namespace featherline
