#include "cli/output_files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* lock_name = ".lock";
constexpr std::string_view random_part = "XXXXXX";  // of mkdtemp

[[noreturn]] void fail(int reason = errno) { throw std::system_error(reason, std::generic_category()); }

Descriptor open_folder(const fs::path& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

Descriptor open_lock(int folder, int flags) {
  return Descriptor(openat(folder, lock_name, flags | O_RDWR | O_CLOEXEC, 0600));
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
  const Descriptor folder = open_folder(path);
  if (folder < 0 || !is_ours(folder)) return;
  const Descriptor lock = open_lock(folder, O_NOFOLLOW);
  if (lock < 0 && errno == ENOENT) {
    rmdir(path.c_str());  // fails if there is something in it
  } else if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) {
    remove_folder(path);
  }
}

void remove_left_overs(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    const auto is_random = [](unsigned char c) { return std::isalnum(c) != 0; };
    if (name.size() == prefix.size() + random_part.size() && name.starts_with(prefix) &&
        std::ranges::all_of(name.substr(prefix.size()), is_random))
      remove_if_left_over(entry.path());
  }
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

OwnFolder::OwnFolder(const fs::path& parent, const std::string& prefix) {
  remove_left_overs(parent, prefix);
  for (;;) {
    std::string name = (parent / (prefix + std::string(random_part))).string();
    if (mkdtemp(name.data()) == nullptr) fail();
    Descriptor folder = open_folder(name);
    Descriptor lock = folder < 0 ? Descriptor() : open_lock(folder, O_CREAT | O_EXCL);
    const int reason = errno;
    if (lock < 0 && reason == ENOENT) continue;  // taken for a left-over
    if (lock < 0) {
      remove_folder(name);
      fail(reason);
    }
    // Where a file system has no locks, nobody gets this one, and left-overs stay.
    if (flock(lock, LOCK_EX) == 0 && is_removed(lock)) continue;
    folder_ = std::move(folder);
    lock_ = std::move(lock);
    path_ = name;
    return;
  }
}

OwnFolder::~OwnFolder() { remove_folder(path_); }

void OwnFolder::write(const std::string& name, const std::string& content) const {
  Descriptor file(openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file < 0) fail();
  for (std::size_t done = 0; done < content.size();) {
    const ssize_t written = ::write(file, content.data() + done, content.size() - done);
    if (written < 0 && errno != EINTR) fail();
    done += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
  if (close(file.release()) != 0) fail();
}

}  // namespace featherline::cli
