#include "description/checks.hpp"
#include "formats/format.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace featherline::formats {
namespace {

using List = std::vector<std::string>;

bool contains(const List& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::string tag(std::string_view name) { return '<' + printable(name) + '>'; }

/// What may stand in an element that dynamics reads, by its kind. That is its tag, or PARENT/TAG where tags mean
/// several things. `others` are words that are not looked at. An element without a row has no attributes and no
/// children.
struct Row {
  List kinds, attributes, children, others;
};

/// A table of templates/words: "KINDS: attributes | children | others", or a list, "NAME = words". A line with a blank
/// in front belongs to the line before.
class Table {
 public:
  explicit Table(std::string_view path) {
    std::string line;
    for (const std::string& part : split_at(std::string(skeleton(path)), '\n')) {
      if (part.starts_with('#')) continue;
      if (!part.starts_with(' ')) take(std::exchange(line, ""));
      line += part;
    }
  }

  std::vector<Row> rows;
  /// "refused": kinds that dynamics depends on and we do not read; "noted": what is worth a note of `others`; "open":
  /// the kinds in which others write much; "text": the format has this list if its elements hold text.
  List list(const std::string& name) const { return lists_.contains(name) ? lists_.at(name) : List(); }

 private:
  void take(const std::string& line) {
    const std::size_t end = line.find_first_of(":=");
    if (end == line.npos) return;
    List parts = split_at(line.substr(end + 1), '|');
    parts.resize(3);
    if (line[end] == '=')
      lists_[trimmed(line.substr(0, end))] = words_in(parts[0]);
    else
      rows.push_back(
          {words_in(line.substr(0, end)), words_in(parts[0]), words_in(parts[1]), words_in(parts[2])});
  }
  List words_in(const std::string& text) const {
    List words;
    for (const std::string_view word : split_words(text)) {
      const List more = word.starts_with('$') ? list(std::string(word)) : List{std::string(word)};
      words.insert(words.end(), more.begin(), more.end());
    }
    return words;
  }

  std::map<std::string, List> lists_;
};

/// An attribute or an element.
struct Word {
  std::string name;
  bool is_element;
  const Element& place;  ///< that has the attribute, or the element itself
  std::string text;      ///< in messages
};

class Vocabulary {
 public:
  Vocabulary(std::string_view format, UnknownWords unknown)
      : table_("words/" + in_lower_case(format)),
        format_(format),
        unknown_(unknown),
        refused_(table_.list("refused")),
        noted_(table_.list("noted")),
        open_(table_.list("open")) {}

  void visit(const Element& element, const std::string& kind) {
    const auto found =
        std::ranges::find_if(table_.rows, [&](const Row& row) { return contains(row.kinds, kind); });
    Row row = found == table_.rows.end() ? Row() : *found;
    row.kinds = {kind};
    for (const auto* attribute = element.xml->FirstAttribute(); attribute != nullptr;
         attribute = attribute->Next()) {
      const std::string name = attribute->Name();
      const bool is_for_xml = name.starts_with("xmlns") || name.starts_with("xml:");
      if (contains(row.others, name))
        note(element, "attribute " + in_quotes(name) + " in " + tag(kind));
      else if (!is_for_xml && !contains(row.attributes, name))
        report({name, false, element, "attribute " + in_quotes(name) + " in " + describe(*element.xml)}, row);
    }
    for (const auto* node = element.xml->FirstChild(); node != nullptr; node = node->NextSibling()) {
      const bool may_hold_text = row.children.empty() && !table_.list("text").empty();
      if (node->ToText() != nullptr && !split_words(node->Value()).empty() && !may_hold_text)
        ignore(element, "text in " + describe(*element.xml), "correct its place, or remove it");
    }
    for (const Element& child : element.children) visit_child(child, row);
  }

 private:
  void visit_child(const Element& child, const Row& row) {
    const std::string name(child.tag()), below = row.kinds.front() + '/' + name;
    const bool has_own_kind = contains(row.children, below);
    const std::string kind = has_own_kind ? below : name;
    if (contains(refused_, kind))
      return child.fault(" is not read, and the dynamics depend on it",
                         "remove it, or use a model without it");
    if (has_own_kind || contains(row.children, kind)) return visit(child, kind);
    if (!contains(row.others, kind))
      report({name, true, child, in_owner(*child.xml, row.kinds.front())}, row);
    else if (contains(noted_, kind))
      note(child, tag(name));
  }

  /// "<foo> of link "a"", or with "in <inertial>" if that does not say what it stands in.
  static std::string in_owner(const XMLElement& child, const std::string& kind) {
    const std::string text = describe(child), owner = describe(*child.Parent()->ToElement());
    return text.ends_with(" of " + owner) ? text : text + " in " + tag(kind);
  }

  /// Once for all that have this name.
  void note(const Element& place, const std::string& what) {
    if (told_.insert(what).second) place.note(what + " is left out: it is for other tools");
  }
  void ignore(const Element& place, const std::string& what, const std::string& remedy) const {
    place.reader->warning("unknown-attribute", *place.xml,
                          "ignored: " + what + ", which " + std::string(format_) + " does not have", remedy);
  }

  void report(const Word& word, const Row& row) const {
    const std::string remedy = remedy_for(word, row);
    if (unknown_ == UnknownWords::ignored || !may_matter(word, row))
      ignore(word.place, word.text, remedy.empty() ? "remove it" : remedy + ", or remove it");
    else
      word.place.error(word.text + " is unknown", (remedy.empty() ? "" : remedy + ", ") + remove_unknown);
  }

  /// Whether dynamics could have meant it. In an open element only what looks like a part of ours counts. Elements with
  /// a prefix count elsewhere: <drake:rotor_inertia>, or what an unknown macro would have made.
  bool may_matter(const Word& word, const Row& row) const {
    if (!contains(open_, row.kinds.front())) return word.is_element || word.name.find(':') == word.name.npos;
    return word.name.starts_with("featherline_") ||
           (word.is_element && !nearest_name(word.name, row.children).empty());
  }

  /// What the user can do about a word that nobody knows.
  std::string remedy_for(const Word& word, const Row& row) const {
    if (word.name.starts_with("xacro:"))
      return "xacro left it, because it did not know this macro: include the file that defines it";
    if (!word.is_element && word.name.find(':') != word.name.npos) return "";  // of another tool
    List owners;
    for (const Row& other : table_.rows) {
      if (word.is_element && contains(other.children, word.name))
        owners.insert(owners.end(), other.kinds.begin(), other.kinds.end());
    }
    if (owners.size() == 1) return "move it into " + tag(owners.front());
    List all = row.attributes;
    all.insert(all.end(), row.children.begin(), row.children.end());
    const auto shown = [&](const std::string& name) {
      return contains(row.children, name) ? tag(name) : in_quotes(name);
    };
    constexpr std::size_t most_shown = 12;
    const std::string nearest = nearest_name(word.name, all);
    if (nearest.empty())
      return all.empty() || all.size() > most_shown
                 ? ""
                 : tag(row.kinds.front()) + " has " + join(each(all, shown)) + ": correct it";
    const bool is_same_kind = contains(word.is_element ? row.children : row.attributes, nearest);
    const char* kind = is_same_kind ? "" : word.is_element ? "the attribute " : "the element ";
    return std::string("did you mean ") + kind + shown(nearest) + "? Correct it";
  }

  Table table_;
  std::string_view format_;
  UnknownWords unknown_;
  List refused_, noted_, open_;
  std::set<std::string> told_;
};

}  // namespace

Element with_children(const XMLElement& xml, ElementReader& reader) {
  Element element{&xml, &reader};
  for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    element.children.push_back(with_children(*child, reader));
  return element;
}

void check_words(const Element& root, std::string_view format, UnknownWords unknown) {
  Vocabulary(format, unknown).visit(root, std::string(root.tag()));
}

}  // namespace featherline::formats
