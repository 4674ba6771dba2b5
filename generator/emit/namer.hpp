#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace featherline::emit {

/// `text` as a C++ identifier: characters outside [A-Za-z0-9_] become single underscores, none leads, none is
/// doubled; a digit in front or an empty result is put behind `fallback`; keywords, library names and macros
/// get `_fallback` appended; names above 64 characters end in a hash of the whole.
std::string identifier(std::string_view text, std::string_view fallback);

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

}  // namespace featherline::emit
