#include "formats/mjcf/item.hpp"

#include "description/checks.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace featherline::mjcf {

std::optional<std::vector<double>> numbers_of(const Element& element, const char* attribute,
                                              std::size_t least, std::size_t most) {
  return numbers_in(element.attribute(attribute), element,
                    std::string(attribute) + " of " + describe(*element.xml), least, most);
}

const Element* Item::giver(const char* attribute) const {
  if (element_->attribute(attribute) != nullptr) return element_;
  for (const Element* element : defaults_) {
    if (element->attribute(attribute) != nullptr) return element;
  }
  return nullptr;
}

std::string Item::text(const char* attribute, const std::string& otherwise) const {
  const Element* element = giver(attribute);
  return element == nullptr ? otherwise : element->attribute(attribute);
}

std::string Item::word(const char* attribute, std::initializer_list<const char*> words,
                       const std::string& otherwise) const {
  const Element* element = giver(attribute);
  if (element == nullptr) return otherwise;
  std::string found = element->attribute(attribute);
  if (std::ranges::find(words, found) != words.end()) return found;
  element->error(fmt::format("{} of {} is {}", attribute, describe(*element->xml), in_quotes(found)),
                 "write one of " + join({words.begin(), words.end()}));
  return otherwise;
}

bool Item::flag(const char* attribute, bool otherwise) const {
  return word(attribute, {"true", "false"}, otherwise ? "true" : "false") == "true";
}

std::optional<std::vector<double>> Item::numbers(const char* attribute, std::size_t least,
                                                 std::size_t most) const {
  const Element* element = giver(attribute);
  return element == nullptr ? std::nullopt : numbers_of(*element, attribute, least, most);
}

double Item::number(const char* attribute, double otherwise) const {
  const auto read = numbers(attribute, 1, 1);
  return read ? read->front() : otherwise;
}

Vector3d Item::vector(const char* attribute, const Vector3d& otherwise) const {
  const auto read = numbers(attribute, 3, 3);
  return read ? Vector3d((*read)[0], (*read)[1], (*read)[2]) : otherwise;
}

std::vector<double> Item::overwritten(const char* attribute, std::vector<double> start) const {
  std::vector<const Element*> givers(defaults_.rbegin(), defaults_.rend());
  givers.push_back(element_);
  for (const Element* element : givers) {
    if (element->attribute(attribute) == nullptr) continue;
    const auto read = numbers_of(*element, attribute, 1, start.size());
    if (read) std::copy(read->begin(), read->end(), start.begin());
  }
  return start;
}

bool is_actuator(std::string_view tag) {
  constexpr std::string_view tags[] = {"general",     "motor",       "position", "velocity",
                                       "intvelocity", "orientation", "pid",      "cylinder",
                                       "damper",      "adhesion",    "dcmotor",  "muscle"};
  return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

Classes::Classes(const Element& root) {
  for (const Element& section : root.children) {
    if (section.tag() != "default") continue;
    const char* name = section.attribute("class");
    if (name != nullptr && name != std::string_view("main"))
      section.error("the outermost <default> is class " + in_quotes(name),
                    "call it main, or put it into another");
    read(section, "main");
  }
}

void Classes::read(const Element& element, const std::string& name) {
  Defaults& defaults = classes_[name];
  for (const Element& child : element.children) {
    if (child.tag() == "default") continue;
    auto& list = defaults[is_actuator(child.tag()) ? "actuator" : std::string(child.tag())];
    list.insert(list.begin(), &child);
  }
  for (const Element& child : element.children) {
    if (child.tag() != "default") continue;
    const auto inner = child.reader->name(*child.xml, "class");
    if (!inner) continue;
    const bool is_new = classes_.emplace(*inner, classes_.at(name)).second;
    if (!is_new) child.error("a second class " + in_quotes(*inner), "rename one of them");
    if (is_new) read(child, *inner);
  }
}

bool Classes::exists(const Element& element, const char* attribute) const {
  const char* name = element.attribute(attribute);
  if (name == nullptr) return false;
  if (classes_.count(name) > 0) return true;
  std::vector<std::string> names = each(classes_, [&](const auto& entry) { return entry.first; });
  const std::string nearest = nearest_name(name, names);
  element.fault(
      " has class " + in_quotes(name) + ", which does not exist",
      nearest.empty() ? "add <default class=\"...\">" : "correct it; there is " + in_quotes(nearest));
  return false;
}

Item Classes::item(const Element& element, const char* kind, const std::string& childclass) const {
  const Defaults& defaults = classes_.at(exists(element, "class") ? element.attribute("class") : childclass);
  const auto found = defaults.find(kind);
  return {element, found == defaults.end() ? std::vector<const Element*>() : found->second};
}

std::string Classes::childclass_in(const Element& element, const std::string& outer) const {
  return exists(element, "childclass") ? element.attribute("childclass") : outer;
}

}  // namespace featherline::mjcf
