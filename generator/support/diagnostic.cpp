#include "support/diagnostic.hpp"

#include "support/finding_kind.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace featherline {

void Diagnostics::error(Location where, std::string message, std::string remedy) {
  add({Severity::error, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::warning(Finding finding, Location where, std::string message, std::string remedy) {
  add({Severity::warning, std::move(where), std::move(message), std::move(remedy), {}, 0, finding});
}

void Diagnostics::note(Location where, std::string message, std::string remedy) {
  add({Severity::note, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::group(Diagnostic& speaker, Diagnostic finding) {
  speaker.num_others += 1 + finding.num_others;
  std::vector<Diagnostic::Other> others = std::move(finding.others);
  others.insert(others.begin(), {subject_text(finding.message), std::move(finding.where),
                                 std::move(finding.message), std::move(finding.remedy)});
  const std::size_t room = most_others - std::min(most_others, num_others_);
  others.resize(std::min(others.size(), room));
  num_others_ += others.size();
  std::move(others.begin(), others.end(), std::back_inserter(speaker.others));
}

void Diagnostics::add(Diagnostic finding) {
  if (finding.finding && std::find(accepted_.begin(), accepted_.end(), *finding.finding) != accepted_.end())
    return;
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

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  sort_by_place(result);
  return result;
}

void sort_by_place(std::vector<Diagnostic>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.where.file, a.where.line) < std::tie(b.where.file, b.where.line);
  });
}

namespace {

void append_escaped(std::string& out, unsigned char c) {
  static constexpr char digits[] = "0123456789abcdef";
  if (c == '"' || c == '\\') {
    out += {'\\', static_cast<char>(c)};
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else {
    out += {'\\', 'x', digits[c >> 4], digits[c & 15]};
  }
}

/// Appends `text`. Keeps whole UTF-8 characters, and escapes everything that would control a terminal.
void append_printable(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto c = static_cast<unsigned char>(text[0]);
    if (length > 1 && !is_control(text.substr(0, length))) {
      out += text.substr(0, length);
    } else if (length == 1 && c >= 0x20 && c != 0x7f && c != '"' && c != '\\') {
      out += text[0];
    } else {
      for (const char byte : text.substr(0, std::max<std::size_t>(length, 1))) {
        append_escaped(out, static_cast<unsigned char>(byte));
      }
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t longest = 80, shown_head = 40, shown_tail = 20;
  std::string out = "\"";
  if (name.size() <= longest) {
    append_printable(out, name);
    return out + '"';
  }
  std::size_t head = shown_head, tail = name.size() - shown_tail;
  while (head < tail && is_continuation(name[head])) ++head;
  while (tail < name.size() && is_continuation(name[tail])) ++tail;
  append_printable(out, name.substr(0, head));
  out += "...";
  append_printable(out, name.substr(tail));
  return out + "\" (" + std::to_string(name.size()) + " bytes)";
}

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    out += (i == 0 ? "" : ", ") + featherline::in_quotes(names[i]);
  if (names.size() > most) out += ", ... " + std::to_string(names.size()) + " in all";
  return out;
}

void stop_on_errors(const Diagnostics& findings) {
  if (findings.has_errors()) throw InputError(findings);
}

}  // namespace featherline
