#include "support/diagnostic_format.hpp"

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

/// `, likewise 2 others: "b" (line 7), "c" (line 9)`; nothing where the finding stands alone.
std::string likewise(const Diagnostic& finding) {
  constexpr std::size_t most = 10;
  if (finding.num_others == 0) return {};
  std::string text = finding.num_others == 1
                         ? ", likewise one other: "
                         : ", likewise " + std::to_string(finding.num_others) + " others: ";
  const std::size_t shown = std::min(finding.others.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    const Diagnostic::Other& other = finding.others[i];
    const std::string line = "line " + std::to_string(other.where.line);
    text += (i == 0 ? "" : ", ") + (other.name.empty() ? line : other.name + " (" + line + ')');
  }
  return shown < finding.num_others ? text + ", ..." : text;
}

Json others_json(const Diagnostic& finding) {
  Json array = Json::array();
  for (const Diagnostic::Other& other : finding.others) {
    array.push_back({{"name", other.name}, {"line", other.where.line}, {"element", other.where.element}});
  }
  return array;
}

}  // namespace

std::string format(const Diagnostic& finding) {
  std::string text = printable(finding.where.file);
  if (finding.where.line > 0) text += ':' + std::to_string(finding.where.line);
  text += std::string(": ") + name_of(finding.severity) + ": " + finding.message + likewise(finding);
  if (!finding.remedy.empty()) text += "; " + finding.remedy;
  return text;
}

std::string format_text(const Diagnostics& findings) {
  std::string text;
  for (const Diagnostic& finding : findings.sorted()) text += format(finding) + '\n';
  if (findings.dropped() > 0)
    text += "(" + std::to_string(findings.dropped()) + " further findings not shown)\n";
  return text;
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
    if (finding.num_others > 0) array.back()["others"] = others_json(finding);
  }
  if (findings.dropped() > 0) {
    array.push_back({{"severity", "note"},
                     {"file", ""},
                     {"line", 0},
                     {"element", ""},
                     {"message", std::to_string(findings.dropped()) + " further findings not shown"},
                     {"remedy", ""}});
  }
  return print_json(array);
}

}  // namespace featherline
