#include "support/diagnostic.hpp"

#include "support/json.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <tuple>

namespace featherline {
namespace {

/// The end of the quoted text that begins at `begin`. Quotes inside it are escaped (see quoted()).
std::size_t end_of_quotes(const std::string& text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
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

/// Two findings are reported as one if this text is the same for both.
std::string kind_of(const Diagnostic& finding) {
  return std::to_string(static_cast<int>(finding.severity)) + finding.where.file + '\n' +
         without_names(finding.message) + '\n' + without_names(finding.remedy);
}

std::string first_name(const std::string& message) {
  const std::size_t begin = message.find('"');
  return begin == message.npos ? "" : message.substr(begin, end_of_quotes(message, begin) - begin);
}

void take(Diagnostic& speaker, const Diagnostic& finding) {
  const auto keep = [&](const Diagnostic::Other& other) {
    if (speaker.others.size() < Diagnostics::most_kept) speaker.others.push_back(other);
  };
  keep({first_name(finding.message), finding.where});
  for (const Diagnostic::Other& other : finding.others) keep(other);
  speaker.num_others += 1 + finding.num_others;
}

}  // namespace

void Diagnostics::error(Location where, std::string message, std::string remedy) {
  add({Severity::error, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::warning(Location where, std::string message, std::string remedy) {
  add({Severity::warning, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::note(Location where, std::string message, std::string remedy) {
  add({Severity::note, std::move(where), std::move(message), std::move(remedy)});
}

void Diagnostics::add(Diagnostic finding) {
  const std::string kind = kind_of(finding);
  const auto same = kinds_.find(kind);
  const std::size_t most_single = finding.severity == Severity::error ? most_single_errors : 1;
  if (same != kinds_.end() && same->second.count >= most_single)
    return take(all_[same->second.last], finding);
  const auto severity = static_cast<std::size_t>(finding.severity);
  ++counts_[severity];
  if (kept_[severity] == most_kept) return;
  ++kept_[severity];
  Kind& seen = kinds_[kind];
  ++seen.count;
  seen.last = all_.size();
  all_.push_back(std::move(finding));
}

void Diagnostics::append(const Diagnostics& others) {
  for (const Diagnostic& finding : others.all_) add(finding);
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += others.counts_[i] - others.kept_[i];
}

std::size_t Diagnostics::dropped() const {
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) dropped += counts_[i] - kept_[i];
  return dropped;
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.where.file, a.where.line) < std::tie(b.where.file, b.where.line);
  });
  return result;
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

std::string quoted(std::string_view name) {
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
    out += (i == 0 ? "" : ", ") + featherline::quoted(names[i]);
  if (names.size() > most) out += ", ... " + std::to_string(names.size()) + " in all";
  return out;
}

void stop_on_errors(const Diagnostics& findings) {
  if (findings.has_errors()) throw InputError(findings);
}

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

/// `, likewise 2 others: "b" (line 7), "c" (line 9)`; nothing if the finding stands alone.
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
