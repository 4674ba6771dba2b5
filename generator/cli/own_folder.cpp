#include "cli/output_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* lock_name = ".lock";
constexpr std::string_view random_part = "XXXXXX";  // of mkdtemp

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

/// Closes the descriptor at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  explicit operator bool() const { return number_ >= 0; }
  operator int() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

int open_folder(const fs::path& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// What our own process made, and nobody else can have put there.
bool is_ours(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && status.st_uid == geteuid();
}

/// Whether somebody removed the file between its opening and now.
bool is_removed(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) != 0 || status.st_nlink == 0;
}

/// The lock goes last: as long as it is there, the rest is found again.
void remove_folder(const fs::path& path) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path, ignored)) {
    if (entry.path().filename() != lock_name) fs::remove_all(entry.path(), ignored);
  }
  fs::remove(path / lock_name, ignored);
  fs::remove(path, ignored);
}

/// A folder without a lock is one whose maker was killed at once, or is about to lock it: then it starts again.
void remove_if_left_over(const fs::path& path) {
  const Descriptor folder(open_folder(path));
  if (!folder || !is_ours(folder)) return;
  const Descriptor lock(openat(folder, lock_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!lock && errno == ENOENT) {
    rmdir(path.c_str());  // fails if there is something in it
  } else if (lock && flock(lock, LOCK_EX | LOCK_NB) == 0) {
    remove_folder(path);
  }
}

void remove_left_overs(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_made_here = name.size() == prefix.size() + random_part.size() &&
                              name.compare(0, prefix.size(), prefix) == 0 &&
                              std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                                          name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    if (is_made_here) remove_if_left_over(entry.path());
  }
}

}  // namespace

OwnFolder::OwnFolder(const fs::path& parent, const std::string& prefix) {
  remove_left_overs(parent, prefix);
  for (;;) {
    std::string name = (parent / (prefix + std::string(random_part))).string();
    if (mkdtemp(name.data()) == nullptr) fail();
    Descriptor folder(open_folder(name));
    Descriptor lock(folder ? openat(folder, lock_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1);
    const bool is_gone = !lock && errno == ENOENT;  // taken for a left-over
    if (!lock && !is_gone) {
      const int reason = errno;
      remove_folder(name);
      errno = reason;
      fail();
    }
    // Where a file system has no locks, nobody gets this one, and left-overs stay.
    if (is_gone || (flock(lock, LOCK_EX) == 0 && is_removed(lock))) continue;
    path_ = name;
    folder_ = folder.release();
    lock_ = lock.release();
    return;
  }
}

OwnFolder::OwnFolder(OwnFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      folder_(std::exchange(other.folder_, -1)),
      lock_(std::exchange(other.lock_, -1)) {}

OwnFolder::~OwnFolder() {
  if (folder_ < 0) return;
  remove_folder(path_);
  close(folder_);
  close(lock_);
}

void OwnFolder::write(const std::string& name, const std::string& content) const {
  Descriptor file(openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file) fail();
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t written = ::write(file, content.data() + done, content.size() - done);
    if (written < 0 && errno != EINTR) fail();
    done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
  if (close(file.release()) != 0) fail();
}

}  // namespace featherline::cli
