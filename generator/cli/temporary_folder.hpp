#pragma once

#include <filesystem>

namespace featherline::cli {

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
