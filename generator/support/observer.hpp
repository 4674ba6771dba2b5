#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

namespace featherline {

namespace ir {
struct Kernel;
}

/// Callbacks that watch a run. Each of them may be empty.
struct Observer {
  /// Called once for each stage. A stage that works function by function calls it for each function. The second
  /// argument makes the text of the stage.
  std::function<void(const std::string& stage, const std::function<std::string()>& text)> stage_done;
  /// Called before work that can take long. The argument says what the work is.
  std::function<void(const std::string& what)> progress;

  /// For tests: changes every traced function, to see that verification notices.
  std::function<ir::Kernel(const ir::Kernel&)> tamper;

  /// Whether it has to see one function after the other.
  bool needs_order() const { return stage_done || tamper; }

  /// What the stage made is printed by the dump() of its type.
  template <class Result>
  void done(const std::string& stage, const Result& result) const {
    if (stage_done) stage_done(stage, [&] { return dump(result); });
  }
  void begin(const std::string& what) const {
    if (progress) progress(what);
  }
};

/// Helpers that the dumps of all stages share. Each dump is next to the type that it prints.
namespace dumps {

using Out = std::back_insert_iterator<std::string>;

/// A vector or matrix row by row, with enough digits to tell any two different numbers apart.
template <class Dense>
std::string numbers(const Dense& values) {
  std::string text;
  for (decltype(values.rows()) i = 0; i < values.rows(); ++i) {
    for (decltype(values.cols()) j = 0; j < values.cols(); ++j)
      text += fmt::format("{}{}", text.empty() ? "" : " ", values(i, j));
  }
  return "[" + text + "]";
}

}  // namespace dumps

}  // namespace featherline
