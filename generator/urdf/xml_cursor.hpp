#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace featherline::urdf {

/// The first place where a text is no well-formed XML; thrown and caught inside xml_scan.cpp: it ends the walk.
struct XmlDefect {
  int line;
  std::string message, remedy;
};

/// A place in the text that moves forward and counts lines.
class XmlCursor {
 public:
  explicit XmlCursor(std::string_view text) : text_(text) {}

  int line() const { return line_; }
  bool at_end() const { return at_ == text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }
  bool starts_with(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  /// What lies between here and the next `stop`, or the end.
  std::string_view until(char stop) const { return text_.substr(at_, text_.find(stop, at_) - at_); }

  void skip(std::size_t count) {
    const auto first = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    line_ += static_cast<int>(std::count(first, first + static_cast<std::ptrdiff_t>(count), '\n'));
    at_ += count;
  }

  /// \return whether there was any
  bool skip_white_space() {
    const std::size_t begin = at_;
    skip(std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()) - at_);
    return at_ > begin;
  }

  /// Moves behind the next `end`, or reports that the construct opened here has none.
  void skip_past(std::string_view end, const char* construct) {
    const std::size_t found = text_.find(end, at_);
    if (found == text_.npos)
      fail(std::string(construct) + " is never closed", "add \"" + std::string(end) + '"');
    skip(found + end.size() - at_);
  }

  /// A name of XML, empty where none begins here. Bytes of other alphabets are taken as they come.
  std::string_view read_name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  [[noreturn]] void fail(std::string message, std::string remedy) const {
    throw XmlDefect{line_, std::move(message), std::move(remedy)};
  }

 private:
  static bool is_name_start(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' ||
           byte >= 0x80;
  }

  static bool is_name_char(char c) {
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace featherline::urdf
