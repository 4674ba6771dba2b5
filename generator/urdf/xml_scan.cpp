#include "urdf/xml_scan.hpp"

#include "urdf/xml_references.hpp"

#include <algorithm>
#include <vector>

namespace featherline::urdf {
namespace {

constexpr std::string_view white_space = " \t\r\n";

bool is_name_start(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' ||
         byte >= 0x80;
}

bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

/// Thrown and caught inside this file: the first defect ends the walk.
struct Defect {
  int line;
  std::string message, remedy;
};

struct OpenElement {
  std::string_view name;
  int line;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  void run() {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") skip(3);
    while (at_ < text_.size()) {
      read_text();
      if (at_ < text_.size()) read_markup();
    }
    if (!open_.empty()) {
      fail(open_.back().line, tag(open_.back().name) + " is never closed",
           "add " + closing(open_.back().name));
    }
    if (!seen_root_)
      fail(1, "the file holds no XML element", "give a URDF file, which starts with <robot name=...>");
  }

 private:
  [[noreturn]] static void fail(int line, std::string message, std::string remedy) {
    throw Defect{line, std::move(message), std::move(remedy)};
  }

  static std::string tag(std::string_view name) { return '<' + printable(name.substr(0, 60)) + '>'; }
  static std::string closing(std::string_view name) { return "</" + printable(name.substr(0, 60)) + '>'; }

  bool starts_with(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void skip(std::size_t count) {
    const auto first = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    line_ += static_cast<int>(std::count(first, first + static_cast<std::ptrdiff_t>(count), '\n'));
    at_ += count;
  }

  void skip_white_space() { skip(std::min(text_.find_first_not_of(white_space, at_), text_.size()) - at_); }

  /// Moves behind the next `end`, or reports that the construct opened here has none.
  void skip_past(std::string_view end, const char* construct) {
    const std::size_t found = text_.find(end, at_);
    if (found == text_.npos) {
      fail(line_, std::string(construct) + " is never closed", "add \"" + std::string(end) + '"');
    }
    skip(found + end.size() - at_);
  }

  void read_text() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const std::string_view content = text_.substr(at_, end - at_);
    if (open_.empty()) {
      skip_white_space();
      if (at_ < end) {
        fail(line_,
             "text outside of every element: " + quoted(text_.substr(at_, std::min(end - at_, size_t{20}))),
             "give a URDF file, which is XML with one <robot> element");
      }
    }
    check_references(content.substr(content.size() - (end - at_)));
    skip(end - at_);
  }

  void check_references(std::string_view content) const {
    const auto bad = find_bad_reference(content);
    if (!bad) return;
    const auto first = content.begin();
    const auto lines = std::count(first, first + static_cast<std::ptrdiff_t>(bad->at), '\n');
    fail(line_ + static_cast<int>(lines), bad->problem, "write &amp; for the character '&' itself");
  }

  void read_markup() {
    if (starts_with("<!--")) return skip_past("-->", "a comment");
    if (starts_with("<![CDATA[")) return skip_past("]]>", "a CDATA section");
    if (starts_with("<?")) return skip_past("?>", "a processing instruction");
    if (starts_with("<!")) return read_declaration();
    if (starts_with("</")) return close_element();
    open_element();
  }

  void read_declaration() {
    const std::string_view declaration = text_.substr(at_, text_.find('>', at_) - at_);
    if (declaration.find('[') != declaration.npos) {
      fail(line_, "a document type declaration that defines entities",
           "expand the entities and remove the declaration");
    }
    skip_past(">", "a declaration");
  }

  std::string_view read_name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  void close_element() {
    at_ += 2;
    const std::string_view name = read_name();
    skip_white_space();
    if (!starts_with(">")) fail(line_, closing(name) + " does not end with '>'", "complete the closing tag");
    if (open_.empty()) fail(line_, closing(name) + " closes nothing", "remove it or add the opening tag");
    if (open_.back().name != name) {
      fail(line_, closing(name) + " where " + closing(open_.back().name) + " is expected",
           "close " + tag(open_.back().name) + " of line " + std::to_string(open_.back().line) + " first");
    }
    ++at_;
    open_.pop_back();
  }

  void open_element() {
    const int line = line_;
    ++at_;
    const std::string_view name = read_name();
    if (name.empty()) fail(line_, "'<' is not followed by a name", "write &lt; for the character itself");
    if (open_.empty() && seen_root_) {
      fail(line_, "a second top-level element " + tag(name), "keep one <robot> per file");
    }
    seen_root_ = true;
    const bool closed = read_attributes(name);
    if (closed) return;
    open_.push_back({name, line});
    if (open_.size() > XmlLimits::depth) {
      fail(line, "more than " + std::to_string(XmlLimits::depth) + " elements inside one another",
           "flatten the file; a URDF needs six levels");
    }
  }

  /// \return whether the element ends at once, with "/>"
  bool read_attributes(std::string_view element) {
    std::vector<std::string_view> names;
    for (;;) {
      const std::size_t before = at_;
      skip_white_space();
      if (starts_with("/>")) return ++at_, ++at_, true;
      if (starts_with(">")) return ++at_, false;
      const std::string_view name = read_name();
      if (name.empty() || (before + name.size() == at_)) {
        fail(line_, "malformed tag " + tag(element), "write <name attribute=\"value\" ...>");
      }
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        fail(line_, "attribute " + quoted(name) + " is given twice in " + tag(element), "keep one");
      }
      names.push_back(name);
      if (names.size() > XmlLimits::attributes) {
        fail(line_, tag(element) + " has more than " + std::to_string(XmlLimits::attributes) + " attributes",
             "remove those that URDF does not know");
      }
      read_value(element, name);
    }
  }

  void read_value(std::string_view element, std::string_view attribute) {
    skip_white_space();
    const bool equals = starts_with("=");
    if (equals) ++at_;
    skip_white_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (!equals || (quote != '"' && quote != '\'')) {
      fail(line_, "attribute " + quoted(attribute) + " of " + tag(element) + " has no quoted value",
           "write " + printable(attribute.substr(0, 60)) + "=\"...\"");
    }
    const std::size_t end = text_.find(quote, ++at_);
    const std::string_view value = text_.substr(at_, std::min(end, text_.size()) - at_);
    if (end == text_.npos || value.find('<') != value.npos) {
      fail(line_, "the value of attribute " + quoted(attribute) + " of " + tag(element) + " is not closed",
           std::string("add ") + quote + " behind it (and write &lt; for the character '<')");
    }
    check_references(value);
    skip(value.size());
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool seen_root_ = false;
  std::vector<OpenElement> open_;
};

/// Bytes that show that the text is in no encoding we read.
void check_bytes(std::string_view text) {
  if (text.size() > XmlLimits::bytes) {
    throw Defect{0, "the file has more than " + std::to_string(XmlLimits::bytes >> 20) + " MiB",
                 "give the URDF itself; a URDF refers to meshes and does not contain them"};
  }
  const std::string_view mark = text.substr(0, 2);
  if (mark == "\xff\xfe" || mark == "\xfe\xff") throw Defect{1, "the file is in UTF-16", "save it as UTF-8"};
  const std::size_t zero = text.find('\0');
  if (zero == text.npos) return;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
  throw Defect{static_cast<int>(line), "a NUL byte", "give a text file in UTF-8"};
}

}  // namespace

bool scan_xml(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  try {
    check_bytes(text);
    Scanner(text).run();
    return true;
  } catch (const Defect& defect) {
    diagnostics.error({file, defect.line, {}}, defect.message, defect.remedy);
    return false;
  }
}

}  // namespace featherline::urdf
