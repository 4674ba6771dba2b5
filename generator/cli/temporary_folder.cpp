#include "cli/temporary_folder.hpp"

#include "cli/environment_error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace featherline::cli {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string pattern = (parent / "featherline-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    throw EnvironmentError("no temporary folder can be made: " + reason +
                           "; set TMPDIR to a folder that is writable");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!kept_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace featherline::cli
