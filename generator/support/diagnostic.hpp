#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace featherline {

/// A note tells what was read or left aside and never changes the exit code; `--werror` turns warnings, not
/// notes, into a failure.
enum class Severity { note, warning, error };

/// Where in the input a statement holds. `line` is 1-based, 0 where no line applies.
struct Location {
  std::string file;
  int line = 0;
  std::string element;  ///< path of names, e.g. `robot/joint "elbow"/axis`
};

/// One finding about the input: what is wrong, and what the user can do about it.
struct Diagnostic {
  Severity severity = Severity::error;
  Location where;
  std::string message;
  std::string remedy;

  /// The name of a link or a joint, and the place, of another finding of the same kind.
  struct Other {
    std::string name;  ///< quoted; empty where the message names nothing
    Location where;
  };
  std::vector<Other> others = {};  ///< for which this finding speaks, too
  std::size_t num_others = 0;      ///< how many they are; a bounded number of them is in `others`
};

/// Collects findings; a stage goes on after an error as long as it makes sense to.
///
/// Findings of one kind become one finding that lists the others. Two are of a kind where they differ in nothing but
/// names in quotes and numbers, so that no rule has to see to it. Of errors, which the user has to mend one by one, the
/// first few stay single.
/// Of each severity the first `most_kept` kinds are kept and the others only counted, so that a hostile file of
/// many megabytes still ends in an answer somebody can read.
class Diagnostics {
 public:
  static constexpr std::size_t most_kept = 500, most_single_errors = 5;

  void error(Location where, std::string message, std::string remedy);
  void warning(Location where, std::string message, std::string remedy);
  void note(Location where, std::string message, std::string remedy = {});

  /// Adds all findings of another collection behind one's own.
  void append(const Diagnostics& others);

  bool has_errors() const { return count(Severity::error) > 0; }
  bool has_warnings() const { return count(Severity::warning) > 0; }
  /// All findings of a severity, kept or not; a group counts once.
  std::size_t count(Severity severity) const { return counts_[static_cast<std::size_t>(severity)]; }
  /// Findings that were counted and not kept.
  std::size_t dropped() const;

  /// In the order of discovery.
  const std::vector<Diagnostic>& all() const& { return all_; }
  std::vector<Diagnostic> all() && { return std::move(all_); }
  /// By file, then line; findings of one line stay in the order of discovery.
  std::vector<Diagnostic> sorted() const;

 private:
  struct Kind {
    std::size_t count = 0, last = 0;  ///< single findings, and the index of the last of them
  };

  void add(Diagnostic finding);

  std::vector<Diagnostic> all_;
  std::unordered_map<std::string, Kind> kinds_;
  std::array<std::size_t, 3> counts_{};  ///< by severity
  std::array<std::size_t, 3> kept_{};
};

/// `text` on one line: control characters, quotes, backslashes and bytes that are no UTF-8 are escaped.
std::string printable(std::string_view text);

/// `name` between double quotes, printable, and without its middle where it is longer than 80 bytes.
std::string quoted(std::string_view name);

/// The names quoted, with commas between them; of more than ten the first ten and how many there are.
std::string quoted_list(const std::vector<std::string>& names);

/// The input cannot be processed; the findings say why. Exit code 1.
class InputError : public std::runtime_error {
 public:
  explicit InputError(Diagnostics findings)
      : std::runtime_error("the input is at fault"), findings_(std::move(findings)) {}
  const Diagnostics& findings() const { return findings_; }

 private:
  Diagnostics findings_;
};

/// Throws InputError where there are errors among the findings.
void stop_on_errors(const Diagnostics& findings);

/// The command line asks for something that does not exist. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A promise between two parts of the generator is broken: our mistake. Exit code 3.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// `file:line: error: message; remedy`, without a line end. The line number is left out where it is 0, the
/// remedy with its semicolon where it is empty. A finding that speaks for others of its kind lists them before the
/// remedy: `, likewise 2 others: "b" (line 7), "c" (line 9)`.
std::string format(const Diagnostic& finding);

/// Every finding in sorted order, one per line, and how many were dropped where some were.
std::string format_text(const Diagnostics& findings);

/// A JSON array in sorted order, one object per finding with the keys severity, file, line, element, message
/// and remedy, with "others" (name in quotes, line, element) where it speaks for others, and a last one that says how
/// many were dropped where some were; ends with a line end. Bytes that are no UTF-8 become U+FFFD.
std::string format_json(const Diagnostics& findings);

}  // namespace featherline
