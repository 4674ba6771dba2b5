#pragma once

#include <functional>
#include <string>

namespace featherline {

/// Callbacks that watch a run. Either may be empty.
struct Observer {
  /// Called once per stage (and function, where the stage works function by function) with a maker of its text.
  std::function<void(const std::string& stage, const std::function<std::string()>& text)> stage_done;
  /// Called before work that can take long, with what it is.
  std::function<void(const std::string& what)> progress;

  void done(const std::string& stage, const std::function<std::string()>& text) const {
    if (stage_done) stage_done(stage, text);
  }
  void begin(const std::string& what) const {
    if (progress) progress(what);
  }
};

}  // namespace featherline
