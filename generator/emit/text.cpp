#include "emit/identifiers.hpp"

#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace featherline::emit {
namespace {

constexpr std::size_t max_columns = 110;
constexpr std::size_t statement_columns = 100;
constexpr std::size_t usual_indent = 4;

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }
bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Whether `next` may follow `previous` in a comment: no delimiters, no "??" that could begin a trigraph.
bool pair_is_safe(char previous, char next) {
  const bool delimiter = (previous == '*' && next == '/') || (previous == '/' && next == '*');
  return !delimiter && !(previous == '?' && next == '?');
}

/// The first line, with its end, which it takes from `text`.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(line.size());
  return line;
}

std::string octal(unsigned char byte) {
  const auto digit = [](unsigned value) { return static_cast<char>('0' + (value & 7U)); };
  return {'\\', digit(byte >> 6U), digit(byte >> 3U), digit(byte)};
}

/// Brackets of all kinds; < and > are brackets of template arguments where no space makes them operators.
int depth_change(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c == '(' || c == '{' || c == '[' || (c == '<' && text[i + 1] != ' ')) return 1;
  const bool closes_template = c == '>' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '-';
  return c == ')' || c == '}' || c == ']' || closes_template ? -1 : 0;
}

/// How tightly C++ binds what stands on both sides of the space at `i`: commas least, then sums, then products; nothing
/// where a line may not end.
std::optional<int> binding(std::string_view text, std::size_t i) {
  if (text[i - 1] == ',') return 0;
  if (i + 2 >= text.size() || text[i + 2] != ' ') return std::nullopt;
  const char next = text[i + 1];
  if (next == '+' || next == '-') return 1;
  return next == '*' || next == '/' ? std::optional<int>(2) : std::nullopt;
}

struct Break {
  std::size_t position;  ///< of the space that is cut; the length of the text if there is none
  int depth = 0;         ///< of brackets around it
  int level = 0;         ///< binding() of what stands there
  bool in_sum = false;   ///< a factor, and terms of a sum follow in the same bracket
};

/// Whether a term of the sum in the same bracket comes behind position `i`, the space before a factor.
bool is_in_sum(std::string_view text, std::size_t i) {
  int depth = 0;
  for (; i < text.size() && depth >= 0; ++i) {
    depth += depth_change(text, i);
    if (depth == 0 && text[i] == ' ' && binding(text, i) == 1) return true;
  }
  return false;
}

/// Where `text`, which begins inside of `depth` brackets, should be cut so that its first `room` columns hold the first
/// line: at what binds least, there as late as possible.
Break break_position(std::string_view text, std::size_t room, int depth) {
  constexpr int levels = 3;
  int loosest = std::numeric_limits<int>::max();
  Break best{text.size()};
  for (std::size_t i = 0; i < text.size() && i <= room; ++i) {
    depth += depth_change(text, i);
    if (text[i] != ' ' || i < 2) continue;  // not behind the operator a line begins with
    const std::optional<int> level = binding(text, i);
    if (!level || levels * depth + *level > loosest) continue;
    best = {i, depth, *level};
    loosest = levels * depth + *level;
  }
  best.in_sum = best.level == 2 && is_in_sum(text, best.position);
  return best;
}

/// Columns that later lines are indented by: operators stand below the equals sign, if that is not too far right.
std::size_t hanging_indent(std::string_view statement) {
  constexpr std::size_t largest = 28;
  const std::size_t equals = statement.find(" = ");
  const bool sum = equals != statement.npos && statement.find_first_of("{&") == statement.npos;
  return sum && equals + 1 <= largest ? equals + 1 : usual_indent;
}

/// Where the lines of a statement begin: its terms below each other, what is in brackets further right, and the factors
/// of a term further right than the term.
class Indents {
 public:
  Indents(std::size_t hanging, std::size_t per_bracket) : hanging_(hanging), per_bracket_(per_bracket) {}

  /// Of the line behind a break.
  std::size_t after(const Break& cut) {
    const auto is_over = [&](int depth) { return depth > cut.depth; };
    while (!terms_.empty() && is_over(terms_.back())) terms_.pop_back();
    while (!factors_.empty() && (is_over(factors_.back()) || (factors_.back() == cut.depth && cut.level < 2)))
      factors_.pop_back();
    const bool below_term = cut.in_sum || (!terms_.empty() && terms_.back() == cut.depth);
    const bool below_factor = !factors_.empty() && factors_.back() == cut.depth;
    if (cut.level == 1 && !below_term) terms_.push_back(cut.depth);
    if (cut.level == 2 && below_term && !below_factor) factors_.push_back(cut.depth);
    const std::size_t of_factors = per_bracket_ == 0 ? 0 : 2 * factors_.size();
    return hanging_ + per_bracket_ * index(cut.depth) + of_factors;
  }

 private:
  std::size_t hanging_, per_bracket_;
  std::vector<int> terms_;    ///< depths of brackets in which a term began a line
  std::vector<int> factors_;  ///< the same of factors of terms
};

class Renderer {
 public:
  Renderer(const std::vector<Replacement>& values, const std::vector<Replacement>& shared)
      : known_(values.begin(), values.end()) {
    known_.insert(shared.begin(), shared.end());
  }

  std::string run(std::string_view text, const std::vector<Replacement>& values) {
    while (!text.empty()) render_line(take_line(text));
    if (!sections_.empty()) fail("a skeleton has an unfinished section", sections_.back().name);
    for (const auto& [name, value] : values) {
      if (used_.count(name) == 0) fail("a skeleton has no placeholder", name);
    }
    return std::move(result_);
  }

 private:
  void render_line(std::string_view rest) {
    std::string line;
    bool has_placeholder = false;
    for (std::size_t open; (open = rest.find("{{")) != rest.npos; has_placeholder = true) {
      const std::size_t close = rest.find("}}", open);
      if (close == rest.npos) fail("a skeleton has an unfinished placeholder", rest.substr(open));
      line += rest.substr(0, open);
      line += replace(rest.substr(open + 2, close - open - 2));
      rest.remove_prefix(close + 2);
    }
    line += rest;
    if (!has_placeholder || line != "\n") result_ += line;
  }

  std::string_view replace(std::string_view name) {
    const std::string_view section = name.substr(std::min<std::size_t>(name.size(), 1));
    if (name.starts_with('#') || name.starts_with('^')) {
      sections_.push_back({section, name.starts_with('^'), result_.size()});
      return {};
    }
    if (name.starts_with('/')) {
      if (sections_.empty() || sections_.back().name != section)
        fail("a skeleton ends what did not begin", section);
      if (replace(section).empty() != sections_.back().is_for_empty) result_.resize(sections_.back().begin);
      sections_.pop_back();
      return {};
    }
    if (known_.count(name) == 0) fail("a skeleton asks for an unknown value", name);
    used_.insert(name);
    return known_.at(name);
  }

  [[noreturn]] static void fail(const std::string& what, std::string_view name) {
    throw InternalError(what + ": " + std::string(name));
  }

  struct Section {
    std::string_view name;
    bool is_for_empty;
    std::size_t begin;  ///< in result_
  };

  std::map<std::string_view, std::string_view> known_;
  std::set<std::string_view> used_;
  std::vector<Section> sections_;  ///< that are not finished
  std::string result_;
};

}  // namespace

std::string comment_safe(std::string_view text, std::size_t max_length) {
  std::string safe;
  for (char c : text) {
    if (is_utf8_continuation(c)) continue;  // a code point outside ASCII becomes one underscore
    if (!is_printable_ascii(c)) c = '_';
    if (c == '\\') c = '|';
    if (!safe.empty() && !pair_is_safe(safe.back(), c)) safe += ' ';
    safe += c;
    if (safe.size() > max_length) {
      safe.resize(max_length - 3);
      return safe + "...";
    }
  }
  return safe;
}

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?') {  // "\?" so that no trigraph can form
      literal += '\\';
      literal += c;
    } else if (is_printable_ascii(c)) {
      literal += c;
    } else {
      literal += octal(static_cast<unsigned char>(c));
    }
  }
  return literal + '"';
}

std::string multiline_literal(std::string_view text, std::string_view indent) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.push_back(std::string(indent) + string_literal(take_line(text)));
  return lines.empty() ? std::string(indent) + "\"\"" : join(lines, "\n");
}

std::string fill_lines(std::string_view text, std::string_view prefix, std::string_view continuation) {
  std::string filled;
  std::string line(prefix);
  bool empty_line = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    if (!empty_line && line.size() + 1 + word.size() > max_columns) {
      filled += line + '\n';
      line = continuation;
      empty_line = true;
    }
    if (!empty_line) line += ' ';
    line += word;
    empty_line = false;
  }
  return filled + line;
}

std::string wrap_statement(std::string_view statement, std::string_view indent) {
  const std::size_t hanging = hanging_indent(statement);
  constexpr std::size_t width_of_opening = 3;  // "+ ("
  Indents indents(indent.size() + hanging, hanging == usual_indent ? 0 : width_of_opening);
  std::string wrapped;
  std::string prefix(indent);
  int depth = 0;
  while (true) {
    const std::size_t room = statement_columns - std::min(prefix.size(), statement_columns / 2);
    const Break cut =
        statement.size() <= room ? Break{statement.size()} : break_position(statement, room, depth);
    wrapped += prefix;
    wrapped += statement.substr(0, cut.position);
    if (cut.position == statement.size()) return wrapped;
    wrapped += '\n';
    statement.remove_prefix(cut.position + 1);
    depth = cut.depth;
    prefix = std::string(indents.after(cut), ' ');
  }
}

std::string comment_table(const std::vector<std::vector<std::string>>& rows, bool right) {
  std::vector<std::size_t> width;
  for (const std::vector<std::string>& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : rows) {
    std::string line = "//";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(c + 1 == row.size() ? 0 : width[c] - row[c].size(), ' ');
      line += "  " + (right && c > 0 ? padding + row[c] : row[c] + padding);
    }
    lines.push_back(line);
  }
  return join(lines, "\n");
}

std::string literal(double value, std::string_view scalar) {
  if (!std::isfinite(value)) throw InternalError("a number to be emitted is not finite");
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  const std::size_t exponent = text.find('e');
  const std::size_t mantissa = exponent == std::string::npos ? text.size() : exponent;
  if (text.find('.') == std::string::npos) text.insert(mantissa, ".0");
  return text + (scalar == "float" ? "f" : "");
}

std::string literal_or_infinity(double value, const std::string& scalar) {
  if (!std::isinf(value)) return literal(value, scalar);
  return (value < 0.0 ? "-std::numeric_limits<" : "std::numeric_limits<") + scalar + ">::infinity()";
}

std::string render(std::string_view text, const std::vector<Replacement>& values,
                   const std::vector<Replacement>& shared) {
  return Renderer(values, shared).run(text, values);
}

}  // namespace featherline::emit
