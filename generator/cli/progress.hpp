#pragma once

#include <string>

namespace featherline::cli {

/// One line on stderr that says what is being worked on, written over itself; nothing where stderr is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& what);
  /// Takes the line away, so that other text can follow.
  void clear();

 private:
  bool on_terminal_;
  bool shown_ = false;
};

}  // namespace featherline::cli
