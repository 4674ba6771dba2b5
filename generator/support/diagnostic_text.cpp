#include "support/diagnostic.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline {

std::string printable(std::string_view text) {
  constexpr std::string_view special = "\"\\\n\t", letters = "\"\\nt";
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    if (length > 0 && !is_control(character) && special.find(character) == special.npos) {
      out += character;
      continue;
    }
    for (const char byte : character) {
      const std::size_t k = special.find(byte);
      out += k == special.npos ? fmt::format("\\x{:02x}", static_cast<unsigned char>(byte))
                               : fmt::format("\\{}", letters[k]);
    }
  }
  return out;
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t longest = 80, shown_head = 40, shown_tail = 20;
  if (name.size() <= longest) return '"' + printable(name) + '"';
  const auto begins_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  std::size_t head = shown_head, tail = name.size() - shown_tail;
  while (head < tail && begins_inside(name[head])) ++head;
  while (tail < name.size() && begins_inside(name[tail])) ++tail;
  return fmt::format("\"{}...{}\" ({} bytes)", printable(name.substr(0, head)), printable(name.substr(tail)),
                     name.size());
}

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 10;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) shown.push_back(in_quotes(names[i]));
  if (names.size() > most) shown.push_back(fmt::format("... {} in all", names.size()));
  return join(shown);
}

namespace {

const char* name_of(Severity severity) {
  constexpr const char* names[] = {"note", "warning", "error"};
  return names[static_cast<std::size_t>(severity)];
}

/// How many of the others a line of text names. One more would take no more room than "and 1 more".
std::size_t num_named(const Diagnostic& finding) {
  constexpr std::size_t most = 5;
  return finding.num_others <= most + 1 ? finding.others.size() : std::min(finding.others.size(), most);
}

std::string place(const Diagnostic& finding) {
  const std::string name = subject_of(finding.message);
  if (finding.where.line == 0) return name;
  const std::string line = fmt::format("line {}", finding.where.line);
  return name.empty() ? line : name + " (" + line + ')';
}

/// `, likewise 2 others: "b" (line 7), "c" (line 9)`; nothing if the finding stands alone.
std::string likewise(const Diagnostic& finding) {
  if (finding.num_others == 0) return {};
  std::string text = finding.num_others == 1 ? ", likewise one other"
                                             : fmt::format(", likewise {} others", finding.num_others);
  const std::size_t named = num_named(finding);
  for (std::size_t i = 0; i < named; ++i) text += (i == 0 ? ": " : ", ") + place(finding.others[i]);
  return named == finding.num_others ? text : text + fmt::format(", and {} more", finding.num_others - named);
}

/// Whether a line of text leaves out something of the others: some of them, or numbers of their own. Numbers of notes
/// do not count: they say how often something occurs.
bool is_short(const Diagnostic& finding) {
  if (num_named(finding) < finding.num_others) return true;
  const std::string told = without_subject(finding.message);
  return finding.severity != Severity::note &&
         std::ranges::any_of(finding.others,
                             [&](const Diagnostic& other) { return without_subject(other.message) != told; });
}

std::string text_line(const Diagnostic& finding, const std::string& others) {
  std::string text = printable(finding.where.file);
  if (finding.where.line > 0) text += ':' + std::to_string(finding.where.line);
  text += std::string(": ") + name_of(finding.severity) + ": " + finding.message + others;
  if (!finding.remedy.empty()) text += "; " + finding.remedy;
  if (!finding.finding.empty()) text += fmt::format(" [{}]", finding.finding);
  return text;
}

/// Every finding by itself, sorted.
std::vector<Diagnostic> ungrouped(const Diagnostics& findings) {
  std::vector<Diagnostic> all;
  for (const Diagnostic& finding : findings.all()) {
    all.push_back(finding);
    all.insert(all.end(), finding.others.begin(), finding.others.end());
  }
  return sorted(std::move(all));
}

/// The number of findings that are not in `all()`, neither as a finding nor among the others of one.
std::size_t num_lost(const Diagnostics& findings) {
  std::size_t lost = findings.dropped();
  for (const Diagnostic& finding : findings.all()) lost += finding.num_others - finding.others.size();
  return lost;
}

std::string not_shown(std::size_t count) {
  return count == 0 ? "" : fmt::format("({} further findings not shown)\n", count);
}

/// Behind `first`.
Json to_json(const Diagnostic& finding, Json first) {
  first.update({{"line", finding.where.line},
                {"element", finding.where.element},
                {"message", finding.message},
                {"remedy", finding.remedy}});
  return first;
}

}  // namespace

std::string format(const Diagnostic& finding) { return text_line(finding, likewise(finding)); }

std::string format_text(const Diagnostics& findings) {
  std::string text;
  bool are_short = false;
  for (const Diagnostic& finding : sorted(findings.all())) {
    text += format(finding) + '\n';
    are_short = are_short || is_short(finding);
  }
  text += not_shown(findings.dropped());
  return are_short ? text + "(--diagnostics full lists every finding)\n" : text;
}

std::string format_full(const Diagnostics& findings) {
  std::string text;
  for (const Diagnostic& finding : ungrouped(findings)) text += text_line(finding, "") + '\n';
  return text + not_shown(num_lost(findings));
}

std::string format_json(const Diagnostics& findings) {
  Json array = Json::array();
  const auto add = [&](const Diagnostic& finding) -> Json& {
    array.push_back(
        to_json(finding, {{"severity", name_of(finding.severity)}, {"file", finding.where.file}}));
    return array.back();
  };
  for (const Diagnostic& finding : sorted(findings.all())) {
    Json& entry = add(finding);
    if (!finding.finding.empty()) entry["finding"] = finding.finding;
    if (finding.num_others > 0) entry["others"] = Json::array();
    for (const Diagnostic& other : finding.others)
      entry["others"].push_back(to_json(other, {{"name", subject_of(other.message)}}));
  }
  if (const std::size_t lost = num_lost(findings))
    add({Severity::note, {}, fmt::format("{} further findings not shown", lost), ""});
  return print_json(array);
}

}  // namespace featherline
