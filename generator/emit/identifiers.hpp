#pragma once

#include "emit/emit.hpp"
#include "emit/kernel_printer.hpp"
#include "model/tree.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// What things are called in emitted text.
namespace featherline::emit {

/// `text` as a C++ identifier: characters outside [A-Za-z0-9_] become single underscores, none leads, none is
/// doubled; a digit in front or an empty result is put behind `fallback`; keywords, library names and macros
/// get `_fallback` appended; names above 64 characters end in a hash of the whole.
std::string identifier(std::string_view text, std::string_view fallback);

/// Constants that NAME.hpp may define.
const std::vector<std::string>& header_constants();

/// Gives out identifiers of one scope, no two equal. The only owner of emitted names.
class Namer {
 public:
  /// `fallback` as in identifier(), e.g. "link".
  explicit Namer(std::string fallback) : fallback_(std::move(fallback)) {}

  /// Makes `name` unavailable.
  void reserve(std::string_view name) { taken_.emplace(name); }
  /// A free identifier like `wanted`: the first asker gets it plain, later ones with _2, _3, ... behind.
  std::string take(std::string_view wanted);
  /// The next free one of t1, t2, ...
  std::string take_temporary();

 private:
  std::string fallback_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> next_suffix_;
  int temporaries_ = 0;
};

/// The C++ identifier made of a robot's name or of --name: namespace and stem of all file names.
std::string emitted_name(const std::string& requested);

/// Whether a C header NAME.h would stand in front of one of the system's, such as math.h. They are those of the C library, POSIX
/// and glibc, which a folder given with -I hides.
bool hides_system_header(const std::string& name);

/// Enumerators of Link, by link, and of Frame, by frame.
std::vector<std::string> link_enumerators(const model::Tree& tree);
std::vector<std::string> frame_enumerators(const model::Tree& tree);

/// "    a,\n    b,"; a single `placeholder` where there is nothing, since C++ has no empty arrays.
std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder);

/// Names of the pose step functions, by body.
std::vector<std::string> pose_step_names(const model::CanonicalTree& tree);

/// Bodies whose joint has coordinates of its own, in the order of q; a coupled mimic joint has none.
std::vector<int> independent_joints(const model::Tree& tree);

/// Longest name of a link or joint in a comment.
inline constexpr std::size_t longest_in_comment = 32;

/// Names for what a function stores, by the joints of its rows and columns; nothing where its outputs have other sizes.
EntryNames entry_names(const LoweredFunction& function, const model::UserTree& tree);

}  // namespace featherline::emit
