#pragma once

#include "emit/emit.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

/// What the commands do on the disk.
namespace featherline::cli {

/// The machine does not let us do what was asked: a folder that cannot be written, a compiler that is not there.
/// Exit code 1, like a faulty input.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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

/// Throws EnvironmentError where `files` would replace somebody else's file. An earlier run's have the banner, or are
/// a manifest or a dependency file; an empty file is anybody's. `force` allows others, too, but only regular files.
void refuse_foreign_files(const std::vector<OutputFile>& files, bool force);

/// Files that an earlier run for the robot `name` left in `folder` and that are not among `files`: those its manifest
/// NAME.json lists, plain names of emitted files only, and nothing that somebody else wrote.
std::vector<std::filesystem::path> stale_files(const std::filesystem::path& folder, const std::string& name,
                                               const std::vector<emit::File>& files);

/// The text of a Makefile rule: every output depends on every input. Spaces, `#`, `$` and `\` are escaped.
std::string depfile_text(const std::vector<std::filesystem::path>& outputs,
                         const std::vector<std::filesystem::path>& inputs);

/// A folder of our own under the system's folder for temporary files, removed with all it holds unless kept.
class TemporaryFolder {
 public:
  /// Throws EnvironmentError when it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace featherline::cli
