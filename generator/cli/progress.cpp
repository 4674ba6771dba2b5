#include "cli/progress.hpp"

#include <unistd.h>
#include <cstdio>

namespace featherline::cli {

Progress::Progress() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& what) {
  if (!on_terminal_) return;
  std::fprintf(stderr, "\r\033[K%s ...", what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace featherline::cli
