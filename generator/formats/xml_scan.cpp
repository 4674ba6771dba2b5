#include "formats/format.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace featherline::formats {
namespace {

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
  constexpr std::string_view entities[] = {"amp", "lt", "gt", "quot", "apos"};
  for (std::size_t at = content.find('&'); at != content.npos; at = content.find('&', at + 1)) {
    constexpr std::size_t longest = 12;
    const std::string_view rest = content.substr(at + 1, longest);
    const std::size_t end = rest.find(';');
    const std::string_view name = rest.substr(0, end);
    const bool is_entity = std::ranges::find(entities, name) != std::end(entities);
    if (end != rest.npos && (is_entity || is_character_number(name))) continue;
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

bool is_name_start(char c) {  // bytes outside ASCII are accepted without a check
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

/// The name that a text begins with; empty if it begins with none.
std::string_view name_at_front(std::string_view text) {
  if (text.empty() || !is_name_start(text.front())) return {};
  return text.substr(0,
                     static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_char) - text.begin()));
}

std::string short_tag(std::string_view name) { return '<' + printable(name.substr(0, 60)) + '>'; }
std::string closing(std::string_view name) { return "</" + printable(name.substr(0, 60)) + '>'; }

struct OpenElement {
  std::string_view name;
  int line;
};

/// Reads a text from its front, and counts lines.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  void run() {
    if (rest_.starts_with("\xef\xbb\xbf")) skip(3);
    while (!rest_.empty()) {
      read_text();
      if (!rest_.empty()) read_markup();
    }
    if (!open_.empty()) {
      const auto& [name, line] = open_.back();
      throw XmlDefect{line, short_tag(name) + " is never closed", "add " + closing(name)};
    }
    if (!seen_root_) {
      throw XmlDefect{1, "the file holds no XML element",
                      "give a robot's file; a URDF starts with <robot name=...>"};
    }
  }

  void skip(std::size_t count) {
    line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + count, '\n'));
    rest_.remove_prefix(count);
  }

  [[noreturn]] void fail(std::string message, std::string remedy) const {
    throw XmlDefect{line_, std::move(message), std::move(remedy)};
  }

 private:
  std::string_view until(char stop) const { return rest_.substr(0, rest_.find(stop)); }

  /// \return whether the text goes on with `what`, which is then behind
  bool skip_if(std::string_view what) {
    const bool found = rest_.starts_with(what);
    if (found) skip(what.size());
    return found;
  }

  /// \return whether there was any
  bool skip_white_space() {
    const std::size_t count = std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size());
    skip(count);
    return count > 0;
  }

  void skip_past(std::string_view end, const char* construct) {
    const std::size_t found = rest_.find(end);
    if (found == rest_.npos)
      fail(std::string(construct) + " is never closed", "add \"" + std::string(end) + '"');
    skip(found + end.size());
  }

  std::string_view read_name() {
    const std::string_view name = name_at_front(rest_);
    skip(name.size());
    return name;
  }

  /// Text or a value, with its references checked.
  void skip_content(std::string_view content) {
    if (const auto bad = find_bad_reference(content)) {
      skip(bad->at);
      fail(bad->problem, "write &amp; for the character '&' itself");
    }
    skip(content.size());
  }

  void read_text() {
    if (open_.empty()) skip_white_space();
    const std::string_view content = until('<');
    if (open_.empty() && !content.empty()) {
      fail("text outside of every element: " + in_quotes(content.substr(0, 20)),
           "give a robot's file, which is XML with one top-level element");
    }
    skip_content(content);
  }

  void read_markup() {
    if (rest_.starts_with("<!--")) return skip_past("-->", "a comment");
    if (rest_.starts_with("<![CDATA[")) return skip_past("]]>", "a CDATA section");
    if (rest_.starts_with("<?")) return skip_past("?>", "a processing instruction");
    if (rest_.starts_with("<!") && until('>').find('[') != rest_.npos) {
      fail("a document type declaration that defines entities",
           "expand the entities and remove the declaration");
    }
    if (rest_.starts_with("<!")) return skip_past(">", "a declaration");
    if (skip_if("</")) return close_element();
    open_element();
  }

  void close_element() {
    const std::string_view name = read_name();
    skip_white_space();
    if (!rest_.starts_with(">")) fail(closing(name) + " does not end with '>'", "complete the closing tag");
    if (open_.empty()) fail(closing(name) + " closes nothing", "remove it or add the opening tag");
    const OpenElement& last = open_.back();
    if (last.name != name) {
      fail(closing(name) + " where " + closing(last.name) + " is expected",
           "close " + short_tag(last.name) + " of line " + std::to_string(last.line) + " first");
    }
    skip(1);
    open_.pop_back();
  }

  void open_element() {
    const int line = line_;
    skip(1);
    const std::string_view name = read_name();
    if (name.empty()) fail("'<' is not followed by a name", "write &lt; for the character itself");
    if (open_.empty() && seen_root_) fail("a second top-level element " + short_tag(name), "keep one");
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
      const bool separated = skip_white_space();
      if (skip_if("/>")) return true;
      if (skip_if(">")) return false;
      const std::string_view name = read_name();
      if (name.empty() || !separated)
        fail("malformed tag " + short_tag(element), "write <name attribute=\"value\" ...>");
      if (std::ranges::find(names, name) != names.end())
        fail("attribute " + in_quotes(name) + " is given twice in " + short_tag(element), "keep one");
      names.push_back(name);
      if (names.size() > XmlLimits::attributes) {
        fail(short_tag(element) + " has more than " + std::to_string(XmlLimits::attributes) + " attributes",
             "remove those that do not matter to dynamics");
      }
      read_value(element, name);
    }
  }

  void read_value(std::string_view element, std::string_view attribute) {
    const std::string subject = "attribute " + in_quotes(attribute) + " of " + short_tag(element);
    skip_white_space();
    const bool equals = skip_if("=");
    skip_white_space();
    if (!equals || !(rest_.starts_with('"') || rest_.starts_with('\''))) {
      fail(subject + " has no quoted value", "write " + printable(attribute.substr(0, 60)) + "=\"...\"");
    }
    const char quote = rest_.front();
    skip(1);
    const std::string_view value = until(quote);
    if (value.size() == rest_.size() || value.find('<') != value.npos) {
      fail("the value of " + subject + " is not closed",
           std::string("add ") + quote + " behind it (and write &lt; for the character '<')");
    }
    skip_content(value);
    skip(1);
  }

  std::string_view rest_;
  int line_ = 1;
  bool seen_root_ = false;
  std::vector<OpenElement> open_;
};

/// Bytes which show that the text has an encoding that we do not read.
void check_bytes(std::string_view text) {
  if (text.size() > XmlLimits::bytes) {
    throw XmlDefect{0, "the file has more than " + std::to_string(XmlLimits::bytes >> 20) + " MiB",
                    "give the robot's file itself, which refers to meshes and does not contain them"};
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw XmlDefect{1, "the file is in UTF-16", "save it as UTF-8"};
  const std::size_t zero = text.find('\0');
  if (zero == text.npos) return;
  Scanner place(text);
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
