// Whether prepare touches the code that its function is made of, line by line.
#include "golden/counts_malloc.hpp"

#include "planar3.hpp"
#include "planar3_aba_derivatives.ipp"
#include "planar3_step_derivatives.ipp"

#if FEATHERLINE_CODE_MARKS && FEATHERLINE_COUNTS_MALLOC  // sanitizers put code of their own behind the end
#include <doctest/doctest.h>

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace {

/// The addresses of a function of this program.
struct Range {
  std::uintptr_t begin, end;
};

/// All of them, by the program's own table of symbols.
std::vector<Range> functions_of_this_program() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(in)), {});
  const auto read = [&](auto& x, std::size_t at) { std::memcpy(&x, file.data() + at, sizeof x); };
  std::uintptr_t loaded_at = 0;
  const auto first_object = [](dl_phdr_info* info, std::size_t, void* to) {
    *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(first_object, &loaded_at);
  ElfW(Ehdr) head;
  read(head, 0);
  std::vector<Range> functions;
  for (std::size_t k = 0; k < head.e_shnum; ++k) {
    ElfW(Shdr) section;
    read(section, head.e_shoff + k * sizeof section);
    if (section.sh_type != SHT_SYMTAB) continue;
    for (std::size_t at = 0; at < section.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      read(symbol, section.sh_offset + at);
      if ((symbol.st_info & 15) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
        functions.push_back({loaded_at + symbol.st_value, loaded_at + symbol.st_value + symbol.st_size});
    }
  }
  return functions;
}

/// Of one emitted function: the functions of the program that have a mark of its code, their lines, and those of these
/// lines that prepare reads.
struct Lines {
  std::size_t functions, all, touched;
};

template <class Code, class S>
Lines lines_of() {
  using namespace featherline;
  std::set<std::uintptr_t> functions, all, touched;
  Code::template with_marks<S>([&](const auto* mark, const auto* end) {
    detail::for_each_piece(mark, end, [&](std::uintptr_t first, std::uintptr_t last) {
      detail::for_each_line(first, last, [&](std::uintptr_t place) { touched.insert(place / line_bytes); });
    });
    for (const Range& f : functions_of_this_program()) {
      const auto is_inside = [&](const detail::CodeMark& m) {
        return detail::place_of(m) - f.begin < f.end - f.begin;
      };
      if (std::none_of(mark, end, is_inside)) continue;
      functions.insert(f.begin);
      for (std::uintptr_t at = f.begin; at < f.end; ++at) all.insert(at / line_bytes);
    }
  });
  const auto is_touched = [&](std::uintptr_t line) { return touched.count(line) != 0; };
  return {functions.size(), all.size(),
          static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_touched))};
}

}  // namespace

TEST_CASE_TEMPLATE("prepare touches the lines of all functions that it finds", S, double, float) {
  for (const Lines& lines : {lines_of<planar3::detail::aba_derivatives_code, S>(),
                             lines_of<planar3::detail::step_derivatives_code, S>()}) {
    CHECK(lines.functions > 0);
    CHECK(lines.all > 8);
    CHECK(lines.touched + 2 * lines.functions >= lines.all);  // begin and end
  }
}
#endif
