#include "cli/output_files.hpp"

#include "cli/tune/choices.hpp"
#include "support/diagnostic.hpp"
#include "support/json.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>

namespace featherline::cli {
namespace fs = std::filesystem;

std::string read_whole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return in ? text.str() : "";
}

namespace {

/// While it lives, holds back the signals that ask a process to end.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t polite;
    sigemptyset(&polite);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&polite, signal);
    sigprocmask(SIG_BLOCK, &polite, &before_);
  }
  ~SignalsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

[[noreturn]] void fail_to_write(const fs::path& place, const std::error_code& error) {
  throw EnvironmentError(featherline::in_quotes(place.string()) + " cannot be written: " + error.message() +
                         "; choose a folder that is writable and has room");
}

/// While it lives, other runs that write into the folder wait, if its file system has locks.
class Turn {
 public:
  explicit Turn(const fs::path& folder) : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ >= 0) flock(folder_, LOCK_EX);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (folder_ >= 0) close(folder_);
  }

 private:
  int folder_;
};

fs::path folder_of(const fs::path& place) {
  return place.has_parent_path() ? place.parent_path() : fs::path(".");
}

/// Files that are complete but not yet in their places, in one folder of ours for each folder they go to.
class Staging {
 public:
  void write(const OutputFile& file) {
    const fs::path folder = folder_of(file.path);
    try {
      const auto stage = stages_.try_emplace(folder, folder, ".featherline-").first;
      stage->second.write(file.path.filename().string(), file.content);
    } catch (const std::system_error& error) { fail_to_write(file.path, error.code()); }
    files_.push_back(&file);
  }

  void move_to_places(bool manifests) const {
    for (const OutputFile* file : files_) {
      if (file->is_manifest != manifests) continue;
      std::error_code error;
      fs::rename(stages_.at(folder_of(file->path)).path() / file->path.filename(), file->path, error);
      if (error) fail_to_write(file->path, error);
    }
  }

 private:
  std::map<fs::path, OwnFolder> stages_;
  std::vector<const OutputFile*> files_;
};

void make_folder(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::is_directory(folder)) return;
  const std::string reason = fs::exists(folder) ? "it is not a folder" : error.message();
  throw EnvironmentError("the folder " + featherline::in_quotes(folder.string()) +
                         " cannot be made: " + reason + "; name another one with -o");
}

bool has_content(const fs::path& path, const std::string& content) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) != content.size()) return false;
  return read_whole(path) == content;
}

/// Whether `file` can only be an emitted file of this robot: a plain name that begins with the robot's name.
bool is_emitted_name(const std::string& file, const std::string& robot) {
  const bool plain = file.find('/') == std::string::npos && file.size() > robot.size();
  return plain && file.compare(0, robot.size(), robot) == 0 &&
         (file[robot.size()] == '_' || file[robot.size()] == '.');
}

/// Adds the names that an entry of the manifest has under "files".
void list_files(const Json& entry, std::set<std::string>& listed) {
  if (!entry.is_object() || !entry.contains("files")) return;
  for (const auto& file : entry["files"]) {
    if (file.is_string()) listed.insert(file.get<std::string>());
  }
}

std::string escape_for_make(const fs::path& path) {
  std::string escaped;
  for (const char c : path.string()) {
    if (c == '$') escaped += '$';
    if (c == ' ' || c == '#' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether the text is a rule as depfile_text writes it: NAME.json, then "NAME.hpp:", then one input a line.
bool is_depfile(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || !ends_with(line, ".json \\") || !std::getline(lines, line)) return false;
  if (!ends_with(line, ".hpp:") && !ends_with(line, ".hpp: \\")) return false;
  while (std::getline(lines, line)) {
    if (line.rfind("  ", 0) != 0) return false;
  }
  return true;
}

bool is_manifest(const Json& json) {
  return json.is_object() && json.contains("input_sha256") && json.contains("functions");
}

/// Whether an earlier run wrote the file.
bool is_ours(const fs::path& path) {
  std::error_code error;
  if (fs::file_size(path, error) == 0 && !error) return true;
  const std::string text = read_whole(path);
  const Json json = read_json(text);
  for (const char* banner : {"// Generated by featherline ", "# Generated by featherline "}) {
    if (text.rfind(banner, 0) == 0) return true;
  }
  return is_manifest(json) || is_choices(json) || is_depfile(text);
}

[[noreturn]] void refuse(const std::vector<std::string>& foreign, const std::string& remedy) {
  const bool one = foreign.size() == 1;
  throw EnvironmentError(quoted_list(foreign) + (one ? " was" : " were") + " not written by featherline; " +
                         remedy + ", move " + (one ? "it" : "them") + " away, or overwrite " +
                         (one ? "it" : "them") + " with --force");
}

}  // namespace

void write_files(const std::vector<OutputFile>& files,
                 const std::function<std::vector<fs::path>()>& left_over) {
  for (const OutputFile& file : files) {
    make_folder(file.path.parent_path());
    if (fs::is_directory(file.path)) {
      throw EnvironmentError(featherline::in_quotes(file.path.string()) +
                             " is a folder where a file has to go; remove it");
    }
  }
  if (files.empty()) return;
  const Turn turn(folder_of(files.front().path));
  const SignalsWait signals_wait;
  Staging staging;
  for (const OutputFile& file : files) {
    if (!has_content(file.path, file.content)) staging.write(file);
  }
  const std::vector<fs::path> removed = left_over();
  staging.move_to_places(false);
  for (const fs::path& file : removed) fs::remove(file);
  staging.move_to_places(true);
}

void refuse_inputs(const std::vector<OutputFile>& files, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const OutputFile& file : files) {
    for (const std::string& input : inputs) {
      if (fs::equivalent(file.path, input, ignored))
        throw UsageError(featherline::in_quotes(file.path.string()) +
                         " is a file that this run reads, and it would be overwritten; name another place");
    }
  }
}

void refuse_foreign_files(const std::vector<OutputFile>& files, bool force, const std::string& remedy) {
  std::vector<std::string> foreign;
  for (const OutputFile& file : files) {
    std::error_code ignored;
    const fs::file_status status = fs::status(file.path, ignored);
    if (!fs::exists(status) || fs::is_directory(status)) continue;  // write_files reports folders
    if (!fs::is_regular_file(status)) {
      throw EnvironmentError(
          featherline::in_quotes(file.path.string()) +
          " is not a regular file, and a file has to be written there; remove it or choose another place");
    }
    if (!force && !is_ours(file.path) && read_whole(file.path) != file.content)
      foreign.push_back(file.path.string());
  }
  if (!foreign.empty()) refuse(foreign, remedy);
}

std::vector<fs::path> stale_files(const fs::path& folder, const std::string& name,
                                  const std::set<std::string>& files) {
  const Json manifest = read_json(read_whole(folder / (name + ".json")));
  if (!is_manifest(manifest)) return {};
  std::set<std::string> listed;
  for (const auto& function : manifest["functions"]) list_files(function, listed);
  for (const auto& entry : manifest) list_files(entry, listed);  // the entries of the bindings
  std::vector<fs::path> stale;
  for (const std::string& file : listed) {
    const bool left_over = is_emitted_name(file, name) && files.count(file) == 0;
    if (left_over && fs::is_regular_file(folder / file) && is_ours(folder / file))
      stale.push_back(folder / file);
  }
  return stale;
}

std::string depfile_text(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
  std::string text;
  for (const fs::path& output : outputs)
    text += escape_for_make(output) + (output == outputs.back() ? ":" : " \\\n");
  for (const fs::path& input : inputs) text += " \\\n  " + escape_for_make(input);
  return text + "\n";
}

TemporaryFolder::TemporaryFolder(Keep keep) {
  try {
    const fs::path parent = fs::temp_directory_path();
    if (keep == Keep::no) {
      removed_.emplace(parent, "featherline-run-");
      path_ = removed_->path();
      return;
    }
    std::string name = (parent / "featherline-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category());
    path_ = name;
  } catch (const std::system_error& error) {
    throw EnvironmentError("no temporary folder can be made: " + error.code().message() +
                           "; set TMPDIR to a folder that is writable");
  }
}

}  // namespace featherline::cli
