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

[[noreturn]] void refuse(const fs::path& place, const std::string& why) {
  throw EnvironmentError(in_quotes(place.string()) + " " + why);
}

[[noreturn]] void fail_to_write(const fs::path& place, const std::error_code& error) {
  refuse(place, "cannot be written: " + error.message() + "; choose a folder that is writable and has room");
}

/// While the result lives, other runs that write into the folder wait, if its file system has locks.
Descriptor take_turn(const fs::path& folder) {
  Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor >= 0) flock(descriptor, LOCK_EX);
  return descriptor;
}

fs::path folder_of(const fs::path& place) {
  return place.has_parent_path() ? place.parent_path() : fs::path(".");
}

/// Folders of ours for files that are complete but not yet in their places, by the folder that these go to.
using Stages = std::map<fs::path, OwnFolder>;

void write(const OutputFile& file, Stages& stages) {
  const fs::path folder = folder_of(file.path);
  try {
    const auto stage = stages.try_emplace(folder, folder, ".featherline-").first;
    stage->second.write(file.path.filename().string(), file.content);
  } catch (const std::system_error& error) { fail_to_write(file.path, error.code()); }
}

void move_to_place(const OutputFile& file, const Stages& stages) {
  std::error_code error;
  fs::rename(stages.at(folder_of(file.path)).path() / file.path.filename(), file.path, error);
  if (error) fail_to_write(file.path, error);
}

void make_folder(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::is_directory(folder)) return;
  const std::string reason = fs::exists(folder) ? "it is not a folder" : error.message();
  throw EnvironmentError("the folder " + in_quotes(folder.string()) + " cannot be made: " + reason +
                         "; name another one with -o");
}

bool has_content(const fs::path& path, const std::string& content) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) != content.size()) return false;
  return read_whole(path) == content;
}

/// Whether `file` can only be an emitted file of this robot: a plain name that begins with the robot's name.
bool is_emitted_name(const std::string& file, const std::string& robot) {
  return file.find('/') == std::string::npos &&
         (file.starts_with(robot + '_') || file.starts_with(robot + '.'));
}

/// Adds the names that an entry of the manifest has under "files".
void list_files(const Json& entry, std::set<std::string>& listed) {
  if (!entry.contains("files")) return;
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

/// Whether the text is a rule as depfile_text writes it: NAME.json, then "NAME.hpp:", then one input a line.
bool is_depfile(const std::string& text) {
  std::istringstream lines(text);
  std::string manifest, header, input;
  std::getline(lines, manifest);
  std::getline(lines, header);
  bool is_rule =
      manifest.ends_with(".json \\") && (header.ends_with(".hpp:") || header.ends_with(".hpp: \\"));
  while (std::getline(lines, input)) is_rule = is_rule && input.starts_with("  ");
  return is_rule;
}

bool is_manifest(const Json& json) { return json.contains("input_sha256") && json.contains("functions"); }

/// Whether an earlier run wrote the file.
bool is_ours(const fs::path& path) {
  std::error_code error;
  if (fs::file_size(path, error) == 0 && !error) return true;
  const std::string text = read_whole(path);
  const Json json = read_json(text);
  return text.starts_with("// Generated by featherline ") ||
         text.starts_with("# Generated by featherline ") || is_manifest(json) || is_choices(json) ||
         is_depfile(text);
}

}  // namespace

void write_files(const std::vector<OutputFile>& files,
                 const std::function<std::vector<fs::path>()>& left_over) {
  for (const OutputFile& file : files) {
    make_folder(file.path.parent_path());
    if (fs::is_directory(file.path)) refuse(file.path, "is a folder where a file has to go; remove it");
  }
  if (files.empty()) return;
  const Descriptor turn = take_turn(folder_of(files.front().path));
  const SignalsWait signals_wait;
  Stages stages;
  std::vector<const OutputFile*> changed;
  for (const OutputFile& file : files) {
    if (has_content(file.path, file.content)) continue;
    write(file, stages);
    changed.push_back(&file);
  }
  const auto manifests = std::ranges::partition(changed, std::logical_not(), &OutputFile::is_manifest);
  const std::vector<fs::path> removed = left_over ? left_over() : std::vector<fs::path>();
  for (auto file = changed.begin(); file != manifests.begin(); ++file) move_to_place(**file, stages);
  for (const fs::path& file : removed) fs::remove(file);
  for (const OutputFile* file : manifests) move_to_place(*file, stages);
}

void refuse_inputs(const std::vector<OutputFile>& files, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const OutputFile& file : files) {
    for (const std::string& input : inputs) {
      if (fs::equivalent(file.path, input, ignored))
        throw UsageError(in_quotes(file.path.string()) +
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
    if (!fs::is_regular_file(status))
      refuse(file.path,
             "is not a regular file, and a file has to be written there; remove it or choose another place");
    if (!force && !is_ours(file.path) && read_whole(file.path) != file.content)
      foreign.push_back(file.path.string());
  }
  if (foreign.empty()) return;
  const char* them = foreign.size() == 1 ? "it" : "them";
  throw EnvironmentError(
      fmt::format("{} {} not written by featherline; {}, move {} away, or overwrite {} with --force",
                  quoted_list(foreign), foreign.size() == 1 ? "was" : "were", remedy, them, them));
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
