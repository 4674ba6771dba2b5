#include "formats/xml_scan.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace featherline::formats {
namespace {

bool is_entity(std::string_view name) {
  constexpr std::array<std::string_view, 5> entities = {"amp", "lt", "gt", "quot", "apos"};
  return std::find(entities.begin(), entities.end(), name) != entities.end();
}

bool is_character_number(std::string_view name) {
  if (name.substr(0, 1) != "#") return false;
  const bool hexadecimal = name.substr(1, 1) == "x";
  name.remove_prefix(hexadecimal ? 2 : 1);
  unsigned value = 0;
  const auto [end, status] =
      std::from_chars(name.data(), name.data() + name.size(), value, hexadecimal ? 16 : 10);
  if (status != std::errc{} || end != name.data() + name.size()) return false;
  if (value == '\t' || value == '\n' || value == '\r') return true;
  return (value >= 0x20 && value < 0xd800) || (value >= 0xe000 && value < 0xfffe) ||
         (value >= 0x10000 && value <= 0x10ffff);
}

struct BadReference {
  std::size_t at;  ///< position of its '&'
  std::string problem;
};

/// The first '&', in text or in an attribute's value, that begins no valid reference. Valid are the five entities of
/// XML and numbers of characters that XML allows. Source: XML 1.0, fifth edition, productions 2 and 66 to 68.
std::optional<BadReference> find_bad_reference(std::string_view content) {
  for (std::size_t at = content.find('&'); at != content.npos; at = content.find('&', at + 1)) {
    constexpr std::size_t longest = 12;
    const std::string_view rest = content.substr(at + 1, longest);
    const std::size_t end = rest.find(';');
    const std::string_view name = rest.substr(0, end);
    if (end != rest.npos && (is_entity(name) || is_character_number(name))) continue;
    const std::string shown = in_quotes(content.substr(at, end == rest.npos ? longest : end + 2));
    return BadReference{
        at, shown + (name.substr(0, 1) == "#" ? " is not a character of XML" : " is not an entity of XML")};
  }
  return std::nullopt;
}

/// The first place where a text is not well-formed XML. It ends the walk.
struct XmlDefect {
  int line;
  std::string message, remedy;
};

/// A place in the text that moves forward and counts lines.
class XmlCursor {
 public:
  explicit XmlCursor(std::string_view text) : text_(text) {}

  int line() const { return line_; }
  bool at_end() const { return at_ == text_.size(); }
  std::string_view rest() const { return text_.substr(at_); }
  bool starts_with(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  /// The text from here to the next `stop`, or to the end.
  std::string_view until(char stop) const { return text_.substr(at_, text_.find(stop, at_) - at_); }

  void skip(std::size_t count) {
    const auto first = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    line_ += static_cast<int>(std::count(first, first + static_cast<std::ptrdiff_t>(count), '\n'));
    at_ += count;
  }

  /// \return whether there was any white space
  bool skip_white_space() {
    const std::size_t begin = at_;
    skip(std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()) - at_);
    return at_ > begin;
  }

  /// Moves behind the next `end`. If there is none, reports that the construct is never closed.
  void skip_past(std::string_view end, const char* construct) {
    const std::size_t found = text_.find(end, at_);
    if (found == text_.npos)
      fail(std::string(construct) + " is never closed", "add \"" + std::string(end) + '"');
    skip(found + end.size() - at_);
  }

  /// A name of XML; empty if no name begins here. Bytes outside ASCII are accepted without a check.
  std::string_view read_name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && is_name_start(text_[at_])) {
      while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  [[noreturn]] void fail(std::string message, std::string remedy) const {
    throw XmlDefect{line_, std::move(message), std::move(remedy)};
  }

 private:
  static bool is_name_start(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == ':' ||
           byte >= 0x80;
  }

  static bool is_name_char(char c) {
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::string short_tag(std::string_view name) { return '<' + printable(name.substr(0, 60)) + '>'; }
std::string closing(std::string_view name) { return "</" + printable(name.substr(0, 60)) + '>'; }

struct OpenElement {
  std::string_view name;
  int line;
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : cursor_(text) {}

  void run() {
    if (cursor_.starts_with("\xef\xbb\xbf")) cursor_.skip(3);
    while (!cursor_.at_end()) {
      read_text();
      if (!cursor_.at_end()) read_markup();
    }
    if (!open_.empty()) {
      const OpenElement& last = open_.back();
      throw XmlDefect{last.line, short_tag(last.name) + " is never closed", "add " + closing(last.name)};
    }
    if (!seen_root_) {
      throw XmlDefect{1, "the file holds no XML element",
                      "give a URDF file, which starts with <robot name=...>"};
    }
  }

 private:
  void read_text() {
    if (open_.empty()) cursor_.skip_white_space();
    const std::string_view content = cursor_.until('<');
    if (open_.empty() && !content.empty()) {
      cursor_.fail("text outside of every element: " + in_quotes(content.substr(0, 20)),
                   "give a URDF file, which is XML with one <robot> element");
    }
    check_references(content);
    cursor_.skip(content.size());
  }

  void check_references(std::string_view content) const {
    const auto bad = find_bad_reference(content);
    if (!bad) return;
    XmlCursor place = cursor_;
    place.skip(bad->at);
    place.fail(bad->problem, "write &amp; for the character '&' itself");
  }

  void read_markup() {
    if (cursor_.starts_with("<!--")) return cursor_.skip_past("-->", "a comment");
    if (cursor_.starts_with("<![CDATA[")) return cursor_.skip_past("]]>", "a CDATA section");
    if (cursor_.starts_with("<?")) return cursor_.skip_past("?>", "a processing instruction");
    if (cursor_.starts_with("<!")) return read_declaration();
    if (cursor_.starts_with("</")) return close_element();
    open_element();
  }

  void read_declaration() {
    if (cursor_.until('>').find('[') != std::string_view::npos) {
      cursor_.fail("a document type declaration that defines entities",
                   "expand the entities and remove the declaration");
    }
    cursor_.skip_past(">", "a declaration");
  }

  void close_element() {
    cursor_.skip(2);
    const std::string_view name = cursor_.read_name();
    cursor_.skip_white_space();
    if (!cursor_.starts_with(">"))
      cursor_.fail(closing(name) + " does not end with '>'", "complete the closing tag");
    if (open_.empty()) cursor_.fail(closing(name) + " closes nothing", "remove it or add the opening tag");
    const OpenElement& last = open_.back();
    if (last.name != name) {
      cursor_.fail(closing(name) + " where " + closing(last.name) + " is expected",
                   "close " + short_tag(last.name) + " of line " + std::to_string(last.line) + " first");
    }
    cursor_.skip(1);
    open_.pop_back();
  }

  void open_element() {
    const int line = cursor_.line();
    cursor_.skip(1);
    const std::string_view name = cursor_.read_name();
    if (name.empty()) cursor_.fail("'<' is not followed by a name", "write &lt; for the character itself");
    if (open_.empty() && seen_root_) {
      cursor_.fail("a second top-level element " + short_tag(name), "keep one <robot> per file");
    }
    seen_root_ = true;
    const bool closed = read_attributes(name);
    if (closed) return;
    open_.push_back({name, line});
    if (open_.size() > XmlLimits::depth) {
      throw XmlDefect{line, "more than " + std::to_string(XmlLimits::depth) + " elements inside one another",
                      "flatten the file; a URDF needs six levels"};
    }
  }

  /// \return whether the element ends at once, with "/>"
  bool read_attributes(std::string_view element) {
    std::vector<std::string_view> names;
    for (;;) {
      const bool separated = cursor_.skip_white_space();
      if (cursor_.starts_with("/>")) return cursor_.skip(2), true;
      if (cursor_.starts_with(">")) return cursor_.skip(1), false;
      const std::string_view name = cursor_.read_name();
      if (name.empty() || !separated) {
        cursor_.fail("malformed tag " + short_tag(element), "write <name attribute=\"value\" ...>");
      }
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        cursor_.fail("attribute " + in_quotes(name) + " is given twice in " + short_tag(element), "keep one");
      }
      names.push_back(name);
      if (names.size() > XmlLimits::attributes) {
        cursor_.fail(
            short_tag(element) + " has more than " + std::to_string(XmlLimits::attributes) + " attributes",
            "remove those that URDF does not know");
      }
      read_value(element, name);
    }
  }

  void read_value(std::string_view element, std::string_view attribute) {
    cursor_.skip_white_space();
    const bool equals = cursor_.starts_with("=");
    if (equals) cursor_.skip(1);
    cursor_.skip_white_space();
    const std::string_view quote = cursor_.rest().substr(0, 1);
    if (!equals || (quote != "\"" && quote != "'")) {
      cursor_.fail("attribute " + in_quotes(attribute) + " of " + short_tag(element) + " has no quoted value",
                   "write " + printable(attribute.substr(0, 60)) + "=\"...\"");
    }
    cursor_.skip(1);
    const std::string_view value = cursor_.until(quote[0]);
    if (value.size() == cursor_.rest().size() || value.find('<') != value.npos) {
      cursor_.fail(
          "the value of attribute " + in_quotes(attribute) + " of " + short_tag(element) + " is not closed",
          "add " + std::string(quote) + " behind it (and write &lt; for the character '<')");
    }
    check_references(value);
    cursor_.skip(value.size() + 1);
  }

  XmlCursor cursor_;
  bool seen_root_ = false;
  std::vector<OpenElement> open_;
};

/// Bytes which show that the text has an encoding that we do not read.
void check_bytes(std::string_view text) {
  if (text.size() > XmlLimits::bytes) {
    throw XmlDefect{0, "the file has more than " + std::to_string(XmlLimits::bytes >> 20) + " MiB",
                    "give the URDF itself; a URDF refers to meshes and does not contain them"};
  }
  const std::string_view mark = text.substr(0, 2);
  if (mark == "\xff\xfe" || mark == "\xfe\xff")
    throw XmlDefect{1, "the file is in UTF-16", "save it as UTF-8"};
  const std::size_t zero = text.find('\0');
  if (zero == text.npos) return;
  XmlCursor place(text);
  place.skip(zero);
  place.fail("a NUL byte", "give a text file in UTF-8");
}

}  // namespace

bool scan_xml(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  try {
    check_bytes(text);
    Scanner(text).run();
    return true;
  } catch (const XmlDefect& defect) {
    diagnostics.error({file, defect.line, {}}, defect.message, defect.remedy);
    return false;
  }
}

}  // namespace featherline::formats
