#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Files and folders on the disk, for the commands.
namespace featherline::cli {

/// The machine cannot do what was asked: a folder cannot be written, or a compiler is missing. The exit code is 1, as
/// for a faulty input.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Closes the file descriptor at the end; -1: there is none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  operator int() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// A folder that only this process uses, made in `parent` under a name that begins with `prefix` and cannot be guessed.
/// It is removed with its contents at the end. If the process is killed, the next process that makes such a folder in
/// the same parent removes it: a living process holds a lock on the file `.lock` inside, and whoever gets the lock
/// knows that there is none. Process numbers play no part, so containers may share the parent.
class OwnFolder {
 public:
  /// Throws std::system_error if the folder cannot be made.
  OwnFolder(const std::filesystem::path& parent, const std::string& prefix);
  OwnFolder(const OwnFolder&) = delete;
  ~OwnFolder();

  const std::filesystem::path& path() const { return path_; }

  /// Writes a new file into the folder: never an existing one, and never through a link. Throws std::system_error.
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
  Descriptor folder_, lock_;
};

/// A file to write: its place and its content.
struct OutputFile {
  std::filesystem::path path;
  std::string content;
  bool is_manifest = false;  ///< it tells of the others
};

/// Writes files and removes what earlier runs left over. All files are first written into a folder of ours beside their
/// places. They are moved when all are complete, then `left_over` says what is removed, and then the manifests are
/// moved. So every file is whole at all times, and a new manifest tells of files that are all there.
///
/// Termination signals wait until that is done. If the process is killed while files are moved, new ones may stand
/// beside old ones, and a build that compares the manifest's time stamp runs again. The next run into the folder
/// removes the killed one's folder. Runs into one folder take turns.
///
/// A file that already has its content is left alone and keeps its time stamp. Missing folders are made.
/// Throws EnvironmentError, which names the file and the reason.
void write_files(const std::vector<OutputFile>& files,
                 const std::function<std::vector<std::filesystem::path>()>& left_over = {});

/// Throws UsageError if `files` would replace one of `inputs`.
void refuse_inputs(const std::vector<OutputFile>& files, const std::vector<std::string>& inputs);

/// Throws EnvironmentError, which advises `remedy`, if `files` would replace somebody else's file. A file of an earlier
/// run has the banner, or is a manifest, a dependency file or a file of choices. An empty file may be replaced, too.
/// With `force` any regular file may be replaced.
void refuse_foreign_files(const std::vector<OutputFile>& files, bool force, const std::string& remedy);

/// Files that an earlier run for the robot `name` left in `folder` and that are not among `files`. The manifest
/// NAME.json of that run lists them. Only plain names of emitted files count, and no file that somebody else wrote.
std::vector<std::filesystem::path> stale_files(const std::filesystem::path& folder, const std::string& name,
                                               const std::set<std::string>& files);

/// The text of a Makefile rule: every output depends on every input. Spaces, `#`, `$` and `\` are escaped.
std::string depfile_text(const std::vector<std::filesystem::path>& outputs,
                         const std::vector<std::filesystem::path>& inputs);

/// A folder of our own, inside the system's folder for temporary files. It is removed with its contents unless it is
/// kept.
class TemporaryFolder {
 public:
  enum class Keep : bool { no, yes };

  /// Throws EnvironmentError if the folder cannot be made.
  explicit TemporaryFolder(Keep keep = Keep::no);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<OwnFolder> removed_;  ///< empty if it is kept
  std::filesystem::path path_;
};

// Tables for a terminal or a page, and lines of limited width.

/// A column of a table. A cell longer than `most` columns of the terminal loses its middle, marked by "...".
struct Column {
  /// `point`: numbers, whose decimal points stand below each other.
  enum class Side { left, right, point };

  std::string heading;
  Side side = Side::left;
  std::size_t most = std::string::npos;
};
inline Column left(const std::string& heading, std::size_t most = std::string::npos) {
  return {heading, Column::Side::left, most};
}
inline Column right(const std::string& heading) { return {heading, Column::Side::right}; }
inline Column point(const std::string& heading) { return {heading, Column::Side::point}; }

/// Every column is as wide as its widest cell. Wide and combining characters count as a terminal shows them.
class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);
  /// The first `names` columns are names, and all others numbers.
  TextTable(std::size_t names, const std::vector<std::string>& headings);

  /// Adds a row with one cell for each column. Further cells follow the last column without alignment. A row of one
  /// cell is a heading, and may be wider than its column.
  void add(std::vector<std::string> cells);

  /// Whether a cell was cut.
  bool is_cut() const { return is_cut_; }

  /// The headings and the rows. Two spaces separate the columns.
  std::string text(std::string_view indent = "  ") const;
  /// For tables without headings among the rows.
  std::string markdown() const;

 private:
  std::vector<std::vector<std::string>> with_aligned_points() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< the first one has the headings
  bool is_cut_ = false;
};

/// The text without its middle, at most `most` columns wide. Whole characters are kept.
std::string without_middle(const std::string& text, std::size_t most);

/// Breaks a line between words, at 120 characters; all lines but the first begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent);

/// A number for a column: at most six decimals and no zeros at their end. What would show as zero, but is not, becomes
/// "~0". Numbers from a million on have an exponent.
std::string column_number(double value);

}  // namespace featherline::cli
