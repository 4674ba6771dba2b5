#include "support/diagnostic.hpp"

#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

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

/// Where the subject of a message stands. An empty range if it has none.
std::pair<std::size_t, std::size_t> find_subject(const std::string& message) {
  const std::size_t quote = message.find('"');
  if (quote != message.npos) return {quote, end_of_quotes(message, quote)};
  const std::size_t begin = message.find('<'), end = message.find('>', std::min(begin, message.size()));
  if (begin == message.npos || end == message.npos) return {0, 0};
  return {begin, end + 1};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text with every name and number replaced by a placeholder, and without what stands in parentheses: details, such
/// as how often something occurs. A list of names becomes one placeholder.
std::string without_names(const std::string& text) {
  std::string kind;
  for (std::size_t at = 0; at < text.size();) {
    const bool signed_number =
        (text[at] == '-' || text[at] == '+') && at + 1 < text.size() && is_digit(text[at + 1]);
    const std::size_t end_of_details = text[at] == '(' ? end_of_parenthesis(text, at) : at;
    if (end_of_details > at) {
      at = end_of_details;
      if (kind.ends_with(' ')) kind.pop_back();
    } else if (text[at] == '"') {
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

/// Two findings are reported as one if this text is the same for both.
std::string kind_of(const Diagnostic& finding) {
  std::string message = without_names(finding.message);
  const auto [begin, end] = find_subject(message);
  if (message[begin] == '<') message.replace(begin, end - begin, "\"");
  return fmt::format("{}{}\n{}\n{}\n{}", static_cast<int>(finding.severity), finding.finding,
                     finding.where.file, message, without_names(finding.remedy));
}

}  // namespace

void Diagnostics::error(Location where, std::string message, std::string remedy) {
  add({Severity::error, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::warning(Finding finding, Location where, std::string message, std::string remedy) {
  add({Severity::warning, std::move(where), std::move(message), std::move(remedy), finding.name});
}

void Diagnostics::note(Location where, std::string message, std::string remedy) {
  add({Severity::note, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::group(Diagnostic& speaker, Diagnostic finding) {
  speaker.num_others += 1 + std::exchange(finding.num_others, 0);
  std::vector<Diagnostic> others = std::exchange(finding.others, {});
  others.insert(others.begin(), std::move(finding));
  const std::size_t room = most_others - std::min(most_others, num_others_);
  others.resize(std::min(others.size(), room));
  num_others_ += others.size();
  std::move(others.begin(), others.end(), std::back_inserter(speaker.others));
}

void Diagnostics::add(Diagnostic finding) {
  if (std::ranges::find(accepted_, finding.finding) != accepted_.end()) return;
  const std::string kind = kind_of(finding);
  const auto same = kinds_.find(kind);
  const std::size_t most_single = finding.severity == Severity::error ? most_single_errors : 1;
  if (same != kinds_.end() && same->second.count >= most_single)
    return group(all_[same->second.last], std::move(finding));
  const auto severity = static_cast<std::size_t>(finding.severity);
  ++counts_[severity];
  if (kept_[severity] == most_kept) return;
  ++kept_[severity];
  Kind& seen = kinds_[kind];
  ++seen.count;
  seen.last = all_.size();
  num_others_ += finding.others.size();
  all_.push_back(std::move(finding));
}

void Diagnostics::append(const Diagnostics& others, Severity least) {
  for (const Diagnostic& finding : others.all_) {
    if (finding.severity >= least) add(finding);
  }
  for (auto i = static_cast<std::size_t>(least); i < counts_.size(); ++i)
    counts_[i] += others.counts_[i] - others.kept_[i];
}

std::size_t Diagnostics::dropped() const {
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) dropped += counts_[i] - kept_[i];
  return dropped;
}

std::vector<Diagnostic> sorted(std::vector<Diagnostic> findings) {
  std::ranges::stable_sort(findings, [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.where.file, a.where.line) < std::tie(b.where.file, b.where.line);
  });
  return findings;
}

std::string subject_of(const std::string& message) {
  const auto [begin, end] = find_subject(message);
  return message.substr(begin, end - begin);
}

std::string without_subject(const std::string& message) {
  const auto [begin, end] = find_subject(message);
  return message.substr(0, begin) + message.substr(end);
}

void stop_on_errors(const Diagnostics& findings) {
  if (findings.has_errors()) throw InputError(findings);
}

}  // namespace featherline
