#include "support/diagnostic.hpp"
#include "support/finding_kind.hpp"
#include "support/json.hpp"

#include <algorithm>

namespace featherline {
namespace {

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  throw InternalError("a severity without a name");
}

/// How many of the others a line of text names. One more would take no more room than "and 1 more".
std::size_t num_named(const Diagnostic& finding) {
  constexpr std::size_t most = 5;
  return finding.num_others <= most + 1 ? finding.others.size() : std::min(finding.others.size(), most);
}

std::string place(const Diagnostic::Other& other) {
  if (other.where.line == 0) return other.name;
  const std::string line = "line " + std::to_string(other.where.line);
  return other.name.empty() ? line : other.name + " (" + line + ')';
}

/// `, likewise 2 others: "b" (line 7), "c" (line 9)`; nothing if the finding stands alone.
std::string likewise(const Diagnostic& finding) {
  if (finding.num_others == 0) return {};
  std::string text = finding.num_others == 1 ? ", likewise one other"
                                             : ", likewise " + std::to_string(finding.num_others) + " others";
  const std::size_t named = num_named(finding);
  for (std::size_t i = 0; i < named; ++i) text += (i == 0 ? ": " : ", ") + place(finding.others[i]);
  return named < finding.num_others ? text + ", and " + std::to_string(finding.num_others - named) + " more"
                                    : text;
}

/// Whether a line of text leaves out something of the others: some of them, or numbers of their own. Numbers of notes do
/// not count: they say how often something occurs.
bool is_short(const Diagnostic& finding) {
  if (num_named(finding) < finding.num_others) return true;
  const std::string told = without_subject(finding.message);
  return finding.severity != Severity::note &&
         std::any_of(finding.others.begin(), finding.others.end(),
                     [&](const Diagnostic::Other& other) { return without_subject(other.message) != told; });
}

std::string text_line(const Diagnostic& finding, const std::string& others) {
  std::string text = printable(finding.where.file);
  if (finding.where.line > 0) text += ':' + std::to_string(finding.where.line);
  text += std::string(": ") + name_of(finding.severity) + ": " + finding.message + others;
  if (!finding.remedy.empty()) text += "; " + finding.remedy;
  if (finding.finding) text += " [" + name_of(*finding.finding) + ']';
  return text;
}

/// Every finding by itself, sorted.
std::vector<Diagnostic> ungrouped(const Diagnostics& findings) {
  std::vector<Diagnostic> all;
  for (const Diagnostic& finding : findings.all()) {
    all.push_back({finding.severity, finding.where, finding.message, finding.remedy, {}, 0, finding.finding});
    for (const Diagnostic::Other& other : finding.others)
      all.push_back({finding.severity, other.where, other.message, other.remedy, {}, 0, finding.finding});
  }
  sort_by_place(all);
  return all;
}

/// The number of findings that are not in `all()`, neither as a finding nor among the others of one.
std::size_t num_lost(const Diagnostics& findings) {
  std::size_t lost = findings.dropped();
  for (const Diagnostic& finding : findings.all()) lost += finding.num_others - finding.others.size();
  return lost;
}

std::string not_shown(std::size_t count) {
  return count == 0 ? "" : "(" + std::to_string(count) + " further findings not shown)\n";
}

Json others_json(const Diagnostic& finding) {
  Json array = Json::array();
  for (const Diagnostic::Other& other : finding.others) {
    array.push_back({{"name", other.name},
                     {"line", other.where.line},
                     {"element", other.where.element},
                     {"message", other.message},
                     {"remedy", other.remedy}});
  }
  return array;
}

}  // namespace

std::string format(const Diagnostic& finding) { return text_line(finding, likewise(finding)); }

std::string format_text(const Diagnostics& findings) {
  std::string text;
  bool are_short = false;
  for (const Diagnostic& finding : findings.sorted()) {
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
  for (const Diagnostic& finding : findings.sorted()) {
    array.push_back({{"severity", name_of(finding.severity)},
                     {"file", finding.where.file},
                     {"line", finding.where.line},
                     {"element", finding.where.element},
                     {"message", finding.message},
                     {"remedy", finding.remedy}});
    if (finding.finding) array.back()["finding"] = name_of(*finding.finding);
    if (finding.num_others > 0) array.back()["others"] = others_json(finding);
  }
  if (const std::size_t lost = num_lost(findings)) {
    array.push_back({{"severity", "note"},
                     {"file", ""},
                     {"line", 0},
                     {"element", ""},
                     {"message", std::to_string(lost) + " further findings not shown"},
                     {"remedy", ""}});
  }
  return print_json(array);
}

}  // namespace featherline
