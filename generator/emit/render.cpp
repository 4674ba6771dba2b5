#include "emit/render.hpp"

#include "support/diagnostic.hpp"

#include <set>

namespace featherline::emit {

namespace {

class Renderer {
 public:
  explicit Renderer(std::initializer_list<Replacement> values) : values_(values) {}

  std::string run(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const bool has_newline = end != text.npos;
      render_line(text.substr(0, end), has_newline);
      text.remove_prefix(has_newline ? end + 1 : text.size());
    }
    for (const Replacement& value : values_) {
      if (used_.count(value.first) == 0) fail("a skeleton has no placeholder", value.first);
    }
    return std::move(result_);
  }

 private:
  void render_line(std::string_view line, bool has_newline) {
    const std::size_t start = result_.size();
    bool literal_text = line.empty();
    bool placeholder = false;
    while (!line.empty()) {
      const std::size_t open = line.find("{{");
      result_ += line.substr(0, open);
      literal_text = literal_text || open > 0;
      if (open == line.npos) break;
      const std::size_t close = line.find("}}", open);
      if (close == line.npos) fail("a skeleton has an unfinished placeholder", line.substr(open));
      result_ += value(line.substr(open + 2, close - open - 2));
      placeholder = true;
      line.remove_prefix(close + 2);
    }
    const bool dropped = placeholder && !literal_text && result_.size() == start;
    if (has_newline && !dropped) result_ += '\n';
  }

  const std::string& value(std::string_view name) {
    for (const Replacement& candidate : values_) {
      if (candidate.first != name) continue;
      used_.insert(name);
      return candidate.second;
    }
    fail("a skeleton asks for an unknown value", name);
  }

  [[noreturn]] static void fail(const std::string& what, std::string_view name) {
    throw InternalError(what + ": " + std::string(name));
  }

  std::initializer_list<Replacement> values_;
  std::set<std::string_view> used_;
  std::string result_;
};

}  // namespace

std::string render(std::string_view text, std::initializer_list<Replacement> values) {
  return Renderer(values).run(text);
}

}  // namespace featherline::emit
