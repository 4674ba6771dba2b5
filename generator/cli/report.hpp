#pragma once

#include "cli/options.hpp"
#include "model/tree.hpp"
#include "pipeline.hpp"

#include <string>

namespace featherline::cli {

/// The options that shape the emitted code, as flags, defaults spelled out; no paths. For banner and manifest.
std::string options_in_effect(const Options& options);

/// What the pipeline takes of the options: the same in `generate` and in `check`.
EmitOptions emit_options(const Options& options);

/// What `generate` says on success: robot, table of functions, where the files are.
std::string report(const Options& options, const model::Tree& tree, const Emission& emission);

}  // namespace featherline::cli
