#include "emit/text.hpp"

#include <algorithm>

namespace featherline::emit {
namespace {

constexpr std::size_t max_columns = 110;
constexpr std::size_t statement_columns = 100;

bool is_printable_ascii(char c) { return c >= ' ' && c <= '~'; }
bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Whether `next` may follow `previous` in a comment: no delimiters, no "??" that could begin a trigraph.
bool pair_is_safe(char previous, char next) {
  const bool delimiter = (previous == '*' && next == '/') || (previous == '/' && next == '*');
  return !delimiter && !(previous == '?' && next == '?');
}

std::string octal(unsigned char byte) {
  const auto digit = [](unsigned value) { return static_cast<char>('0' + (value & 7U)); };
  return {'\\', digit(byte >> 6U), digit(byte >> 3U), digit(byte)};
}

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

namespace {

/// Brackets of all kinds; < and > are brackets of template arguments where no space makes them operators.
int depth_change(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c == '(' || c == '{' || (c == '<' && text[i + 1] != ' ')) return 1;
  if (c == ')' || c == '}' || (c == '>' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '-')) return -1;
  return 0;
}

/// Where `text` should be cut so that its first `room` columns hold the first line; text.size() if nowhere.
std::size_t break_position(std::string_view text, std::size_t room) {
  constexpr std::string_view operators = "+-*/";
  int depth = 0;
  int best_depth = 0;
  std::size_t best = text.size();
  for (std::size_t i = 0; i + 2 < text.size() && i <= room; ++i) {
    depth += depth_change(text, i);
    if (text[i] != ' ' || i == 0) continue;
    const bool operator_follows = operators.find(text[i + 1]) != operators.npos && text[i + 2] == ' ';
    if (!operator_follows && text[i - 1] != ',') continue;
    const bool shallower = best == text.size() || depth <= best_depth || best < room / 2;
    if (!shallower) continue;
    best = i;
    best_depth = depth;
  }
  return best;
}

}  // namespace

std::string wrap_statement(std::string_view statement, std::string_view indent) {
  std::string wrapped;
  std::string prefix(indent);
  while (true) {
    const std::size_t room = statement_columns - std::min(prefix.size(), statement_columns / 2);
    const std::size_t cut = statement.size() <= room ? statement.size() : break_position(statement, room);
    wrapped += prefix;
    wrapped += statement.substr(0, cut);
    if (cut == statement.size()) return wrapped;
    wrapped += '\n';
    statement.remove_prefix(cut + 1);
    prefix = std::string(indent) + "    ";
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

}  // namespace featherline::emit
