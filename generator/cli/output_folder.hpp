#pragma once

#include "cli/environment_error.hpp"
#include "emit/emit.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace featherline::cli {

/// A file to write: where, and what.
struct OutputFile {
  std::filesystem::path path;
  std::string content;
};

/// Writes all files or none: first under temporary names beside their places, then renamed; termination signals
/// wait meanwhile, so an interrupted run leaves neither a half-written file nor a temporary one. A file that has its
/// content already is left alone and keeps its time stamp. Missing folders are made. Throws EnvironmentError naming
/// the file and the reason.
void write_atomically(const std::vector<OutputFile>& files);

/// Files that an earlier run for the robot `name` left in `folder` and that are not among `files`: those its manifest
/// NAME.json lists, plain names of emitted files only, and nothing that somebody else wrote.
std::vector<std::filesystem::path> stale_files(const std::filesystem::path& folder, const std::string& name,
                                               const std::vector<emit::File>& files);

/// The text of a Makefile rule: every output depends on every input. Spaces, `#`, `$` and `\` are escaped.
std::string depfile_text(const std::vector<std::filesystem::path>& outputs,
                         const std::vector<std::filesystem::path>& inputs);

}  // namespace featherline::cli
