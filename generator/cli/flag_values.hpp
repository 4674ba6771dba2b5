#pragma once

#include "cli/command_line.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

/// The values of flags. Each function takes text and returns a checked value. All throw UsageError, which names the
/// flag.
namespace featherline::cli {

/// The words as typed, before they are checked and converted.
struct RawFlags {
  std::string base = "fixed", mimic = "coupled", gravity, joint_dynamics = "off", snap_angles;
  std::string lanes = "auto";
  std::string diagnostics = "text", format = "text";
  std::vector<std::string> functions, formulations, scalars, allow, accept, external_forces, parameters,
      frames, frame_parts, contacts, lock, lock_all_but;
  std::set<std::string, std::less<>> bindings;
  std::string states, seed, jobs, max_stack, max_code, max_image, target, optimise_for, frame_axes,
      stabilisation;
};

/// Checks the words and puts their values into the command line. Its plain values are already there.
void convert(const RawFlags& words, CommandLine& line);

/// Bytes: "160", "1k", "1.5 KiB", "2M", "1 kB"; k is 1024. 0 for an empty text.
int parse_bytes(const std::string& flag, const std::string& text);

/// Returns `word`; throws unless it is one of `valid`.
const std::string& one_of(const std::string& flag, const std::string& word,
                          const std::vector<std::string>& valid);

}  // namespace featherline::cli
