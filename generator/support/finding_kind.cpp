#include "support/finding_kind.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace featherline {
namespace {

/// The end of the quoted text that begins at `begin`. Quotes inside it are escaped (see in_quotes()).
std::size_t end_of_quotes(const std::string& text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// The end of the parenthesis that opens at `begin`, or `begin` if it never closes.
std::size_t end_of_parenthesis(const std::string& text, std::size_t begin) {
  int depth = 0;
  for (std::size_t at = begin; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_quotes(text, at);
      continue;
    }
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    ++at;
    if (depth == 0) return at;
  }
  return begin;
}

/// `text` without what stands in parentheses: details, such as how often something occurs.
std::string without_details(const std::string& text) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (text[at] == '"') end = end_of_quotes(text, at);
    if (text[at] == '(') {
      end = end_of_parenthesis(text, at);
      if (end == at) return rest.append(text, at);
      if (rest.ends_with(' ')) rest.pop_back();
    } else {
      rest.append(text, at, end - at);
    }
    at = end;
  }
  return rest;
}

/// Where the subject of a message stands: its first name in quotes, or, if it has none, its first <element>. An empty
/// range if it has neither.
std::pair<std::size_t, std::size_t> subject_of(const std::string& message) {
  const std::size_t quote = message.find('"');
  if (quote != message.npos) return {quote, end_of_quotes(message, quote)};
  const std::size_t begin = message.find('<'), end = message.find('>', std::min(begin, message.size()));
  if (begin == message.npos || end == message.npos) return {0, 0};
  return {begin, end + 1};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text with every name and number replaced by a placeholder. A list of names becomes one placeholder.
std::string without_names(const std::string& text) {
  std::string kind;
  for (std::size_t at = 0; at < text.size();) {
    const bool signed_number =
        (text[at] == '-' || text[at] == '+') && at + 1 < text.size() && is_digit(text[at + 1]);
    if (text[at] == '"') {
      at = end_of_quotes(text, at);
      constexpr std::string_view list = "\", ";
      if (kind.size() >= list.size() && kind.ends_with(list)) kind.resize(kind.size() - list.size());
      kind += '"';
    } else if (is_digit(text[at]) || signed_number) {
      at = std::min(text.find_first_not_of("0123456789.e+-", at), text.size());
      kind += '#';
    } else {
      kind += text[at++];
    }
  }
  return kind;
}

}  // namespace

std::string kind_of(const Diagnostic& finding) {
  std::string message = without_details(finding.message);
  const auto [begin, end] = subject_of(message);
  message.replace(begin, end - begin, "\"\"");
  const std::string name = finding.finding ? name_of(*finding.finding) : "";
  return std::to_string(static_cast<int>(finding.severity)) + name + '\n' + finding.where.file + '\n' +
         without_names(message) + '\n' + without_names(without_details(finding.remedy));
}

std::string subject_text(const std::string& message) {
  const auto [begin, end] = subject_of(message);
  return message.substr(begin, end - begin);
}

std::string without_subject(const std::string& message) {
  const auto [begin, end] = subject_of(message);
  return message.substr(0, begin) + message.substr(end);
}

}  // namespace featherline
