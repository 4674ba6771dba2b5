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

/// Everything that can be warned about. Users know it by its name and accept it by that (--accept), so names stay. The
/// guide (runtime/guide/robots.md) says what each means.
// clang-format off
inline constexpr std::string_view finding_names[] = {
    "unnamed-robot", "undeclared-world", "second-element", "commas", "unknown-attribute", "axis-scaled",
    "quaternion-scaled", "missing-products", "missing-mass", "missing-inertia", "zero-pitch", "foreign-joint-type",
    "spaces-in-name", "long-name", "missing-axis", "missing-limit", "useless-limit", "limits-exchanged",
    "limits-equal", "negative-value", "looks-like-millimetres", "looks-like-degrees", "looks-like-grams",
    "far-center-of-mass", "large-inertia", "dense-link", "near-right-angle", "snapped-angle", "urdfdom-refuses",
    "urdfdom-differs", "inertia-rounding", "unphysical-inertia", "inertia-without-mass", "impossible-inertia",
    "zero-moment", "missing-mesh", "massless-joint", "mimic-of-fixed-joint", "mimic-of-zero", "lock-outside-limits",
    "no-inverse", "no-mass", "forces-left-out", "geometry-left-out", "large-left-out", "unused-constraints",
    "half-turn", "dependent-constraints", "renamed", "choices-version", "choices-machine"};
// clang-format on

/// One of these names: the compiler refuses others.
struct Finding {
  consteval Finding(const char* wanted) : name(wanted) {
    bool is_there = false;
    for (const std::string_view known : finding_names) is_there = is_there || known == name;
    if (!is_there) throw "there is no finding of this name";
  }
  std::string_view name;
};

/// A note says what was read or left out. It never changes the exit code. `--werror` turns warnings into a failure, but
/// not notes.
enum class Severity { note, warning, error };

/// The place in the input that a finding is about. `line` starts at 1; 0 means no line.
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

  std::string_view finding = {};        ///< the name of a warning, as in finding_names
  std::vector<Diagnostic> others = {};  ///< of its kind, which it stands for; only a limited number is kept
  std::size_t num_others = 0;           ///< the number of all of them
};

/// Collects findings. After an error a stage goes on as long as that makes sense.
///
/// Findings of one kind become one finding that lists the others. So no check has to group its findings. Two findings
/// are of one kind if they differ only in quoted names, in numbers and in what stands in parentheses. If nothing is
/// quoted, the first <element> counts as a name. So whoever writes a message puts into quotes or parentheses what
/// differs from link to link. (`every_warning_is_grouped` in tests/errors finds messages that do not.)
///
/// The user has to fix errors one by one, so the first few errors of a kind stay single. Of each severity the first
/// `most_kept` kinds are kept, and of all others together the first `most_others`. The rest is only counted, so that
/// even a hostile file of many megabytes gives an answer that somebody can read.
class Diagnostics {
 public:
  static constexpr std::size_t most_kept = 500, most_single_errors = 5, most_others = 20000;

  /// Leaves out warnings of the accepted kinds, as if nobody had made them.
  explicit Diagnostics(std::vector<std::string> accepted = {}) : accepted_(std::move(accepted)) {}

  void error(Location where, std::string message, std::string remedy);
  void warning(Finding finding, Location where, std::string message, std::string remedy);
  void note(Location where, std::string message, std::string remedy = {});

  /// Appends the findings of another collection, those of lower severity left out.
  void append(const Diagnostics& others, Severity least = Severity::note);

  bool has_errors() const { return count(Severity::error) > 0; }
  bool has_warnings() const { return count(Severity::warning) > 0; }
  /// The number of all findings of a severity, kept or not. A group counts once.
  std::size_t count(Severity severity) const { return counts_[static_cast<std::size_t>(severity)]; }
  /// The number of findings that were counted but not kept.
  std::size_t dropped() const;

  /// The findings in the order of discovery.
  const std::vector<Diagnostic>& all() const& { return all_; }
  std::vector<Diagnostic> all() && { return std::move(all_); }

 private:
  struct Kind {
    std::size_t count = 0, last = 0;  ///< the number of single findings, and the index of the last of them
  };

  void add(Diagnostic finding);
  void group(Diagnostic& speaker, Diagnostic finding);

  std::vector<std::string> accepted_;
  std::vector<Diagnostic> all_;
  std::size_t num_others_ = 0;  ///< kept in all groups together
  std::unordered_map<std::string, Kind> kinds_;
  std::array<std::size_t, 3> counts_{};  ///< one for each severity
  std::array<std::size_t, 3> kept_{};
};

/// By file, then by line. Findings of one line keep their order.
std::vector<Diagnostic> sorted(std::vector<Diagnostic> findings);

/// The subject of a message is its first name in quotes, or, if it has none, its first <element>.
std::string subject_of(const std::string& message);
std::string without_subject(const std::string& message);

/// `text` on one line. Control characters, quotes, backslashes and bytes that are not UTF-8 are escaped.
std::string printable(std::string_view text);

/// `name` between double quotes, in printable characters. A name longer than 80 bytes loses its middle.
std::string in_quotes(std::string_view name);

/// The quoted names with commas between them. Of more than ten names it gives the first ten and the number of all.
std::string quoted_list(const std::vector<std::string>& names);

/// The input cannot be processed. The findings say why. Exit code 1.
class InputError : public std::runtime_error {
 public:
  explicit InputError(Diagnostics findings)
      : std::runtime_error("the input is at fault"), findings_(std::move(findings)) {}
  const Diagnostics& findings() const { return findings_; }

 private:
  Diagnostics findings_;
};

/// Throws InputError if there are errors among the findings.
void stop_on_errors(const Diagnostics& findings);

/// The command line asks for something that does not exist. Exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Two parts of the generator disagree. This is our mistake. Exit code 3.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// `file:line: warning: message; remedy [name]`, without a line end. Only warnings have a name. A line number of 0 and
/// an empty remedy with its semicolon are left out. If a finding stands for others of its kind, the first of them are
/// listed before the remedy: `, likewise 8 others: "b" (line 7), ..., and 3 more`.
std::string format(const Diagnostic& finding);

/// The findings in sorted order, one line for each kind. If some were dropped, the text says how many. If a list of
/// others was cut, or if what warnings say of them differs, a last line says how to see them all.
std::string format_text(const Diagnostics& findings);

/// Every finding in sorted order on a line of its own, grouped or not.
std::string format_full(const Diagnostics& findings);

/// A JSON array in sorted order, with a line end. Each finding is an object with the keys severity, file, line,
/// element, message and remedy; a warning also has its name as "finding". If it stands for others, it also has
/// "others", all of them (name, line, element, message, remedy). If findings were dropped, a last object says how many.
/// Bytes that are not UTF-8 become U+FFFD.
std::string format_json(const Diagnostics& findings);

}  // namespace featherline
