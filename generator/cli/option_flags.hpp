#pragma once

#include "cli/options.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace featherline::cli {

/// The words as typed, before they are checked and converted.
struct Words {
  std::string base = "fixed", mimic = "coupled", gravity, snap_angles, diagnostics = "text", format = "text";
  std::vector<std::string> functions, formulations, scalars, allow;
  std::string states, seed, max_stack, max_code, max_image, target;
};

/// The three subcommands with their flags and help. Plain values land in `options`, those to be checked in `words`;
/// both must outlive `app`.
void declare_flags(CLI::App& app, Options& options, Words& words);

}  // namespace featherline::cli
