#pragma once

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace featherline::bench {

/// main() of a bench: takes Google Benchmark's flags and calls `run`. What it throws goes to standard error, and the
/// exit code is 1; unknown flags give 2.
inline int guarded_main(int argc, char** argv, int (*run)()) {
  try {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    return run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}

}  // namespace featherline::bench
