#include "description/number.hpp"
#include "formats/element.hpp"
#include "support/text.hpp"

#include <algorithm>

namespace featherline::formats {
namespace {

bool contains(std::string_view words, std::string_view word) {
  const auto list = split_words(words);
  return std::ranges::find(list, word) != list.end();
}

class Vocabulary {
 public:
  Vocabulary(const Words& words, UnknownWords unknown) : words_(words), unknown_(unknown) {}

  void visit(const Element& element, std::string_view kind) const {
    const auto found = std::ranges::find(words_.rows, words_.row_of(kind), &WordRow::kind);
    const WordRow row = found == words_.rows.end() ? WordRow{kind, "", ""} : *found;
    for (const auto* attribute = element.xml->FirstAttribute(); attribute != nullptr;
         attribute = attribute->Next()) {
      const std::string_view name = attribute->Name();
      const bool is_for_xml = name.find(':') != name.npos || name.starts_with("xmlns");
      if (!is_for_xml && !contains(row.attributes, name))
        report(element, "attribute " + in_quotes(name) + " in " + describe(*element.xml), name,
               row.attributes);
    }
    for (const Element& child : element.children) visit_child(child, row);
  }

 private:
  void visit_child(const Element& child, const WordRow& row) const {
    const std::string below = std::string(row.kind) + '/' + std::string(child.tag());
    const bool has_own_kind = contains(row.children, below);
    const std::string kind = has_own_kind ? below : std::string(child.tag());
    if (std::ranges::find(words_.refused, kind) != words_.refused.end())
      return child.error(describe(*child.xml) + " is not read, and the dynamics depend on it",
                         "remove it, or use a model without it");
    if (has_own_kind || contains(row.children, kind)) return visit(child, kind);
    if (!contains(row.others, kind))
      report(child, describe(*child.xml) + " in <" + printable(row.kind) + ">", child.tag(), row.children);
    else if (contains(words_.noted, kind))
      child.note(describe(*child.xml) + " is left out: it is for simulators");
  }

  void report(const Element& place, const std::string& what, std::string_view name,
              std::string_view known) const {
    std::vector<std::string> names;
    for (const std::string_view word : split_words(known)) names.emplace_back(word);
    const std::string nearest = nearest_name(std::string(name), names);
    const std::string correct =
        nearest.empty() ? "" : "did you mean " + in_quotes(nearest) + "? Correct it, or ";
    if (unknown_ == UnknownWords::ignored)
      place.reader->warning("unknown-attribute", *place.xml,
                            "ignored: " + what + ", which " + std::string(words_.format) + " does not have",
                            correct.empty() ? "remove it" : correct + "remove it");
    else
      place.error(what + " is unknown", correct + remove_unknown);
  }

  const Words& words_;
  UnknownWords unknown_;
};

}  // namespace

void check_words(const Element& root, const Words& words, UnknownWords unknown) {
  Vocabulary(words, unknown).visit(root, root.tag());
}

}  // namespace featherline::formats
