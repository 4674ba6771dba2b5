#pragma once

#include <filesystem>
#include <string>

namespace featherline::cli {

/// A folder that only this process uses, made in `parent` under a name that begins with `prefix` and cannot be guessed.
/// It is removed with its contents at the end. If the process is killed, the next process that makes such a folder in
/// the same parent removes it: a living process holds a lock on the file `.lock` inside, and whoever gets the lock
/// knows that there is none. Process numbers play no part, so containers may share the parent.
class OwnFolder {
 public:
  /// Throws std::system_error if the folder cannot be made.
  OwnFolder(const std::filesystem::path& parent, const std::string& prefix);
  OwnFolder(OwnFolder&& other) noexcept;
  OwnFolder& operator=(OwnFolder&&) = delete;
  ~OwnFolder();

  const std::filesystem::path& path() const { return path_; }

  /// Writes a new file into the folder: never an existing one, and never through a link. Throws std::system_error.
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
  int folder_ = -1, lock_ = -1;
};

}  // namespace featherline::cli
