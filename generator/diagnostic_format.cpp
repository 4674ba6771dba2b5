#include "diagnostic_format.hpp"

#include <nlohmann/json.hpp>

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

}  // namespace

std::string format(const Diagnostic& finding) {
  std::string text = printable(finding.where.file);
  if (finding.where.line > 0) text += ':' + std::to_string(finding.where.line);
  text += std::string(": ") + name_of(finding.severity) + ": " + finding.message;
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
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const Diagnostic& finding : findings.sorted()) {
    array.push_back({{"severity", name_of(finding.severity)},
                     {"file", finding.where.file},
                     {"line", finding.where.line},
                     {"element", finding.where.element},
                     {"message", finding.message},
                     {"remedy", finding.remedy}});
  }
  if (findings.dropped() > 0) {
    array.push_back({{"severity", "note"},
                     {"file", ""},
                     {"line", 0},
                     {"element", ""},
                     {"message", std::to_string(findings.dropped()) + " further findings not shown"},
                     {"remedy", ""}});
  }
  return array.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace featherline
