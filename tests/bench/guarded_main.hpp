#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace featherline::bench {

/// main() of a bench: what `run` throws goes to standard error, and the exit code is 1.
inline int guarded_main(int argc, char** argv, int (*run)(int, char**)) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

}  // namespace featherline::bench
