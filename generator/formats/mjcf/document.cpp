#include "formats/mjcf/document.hpp"

#include "support/text.hpp"

namespace featherline::mjcf {
namespace fs = std::filesystem;

Document::Document(const XMLElement& root, ElementReader& reader)
    : folder_(fs::path(reader.file()).parent_path()), root_{&root, &reader} {
  seen_.insert(fs::path(reader.file()).lexically_normal());
  add_children(root, reader, folder_, 0, root_);
}

std::vector<std::string> Document::included() const {
  return each(files_, [&](const File& file) { return file.reader.file(); });
}

fs::path file_in(const fs::path& folder, const fs::path& file, const Element& element) {
  const fs::path relative = file.lexically_normal();
  if (relative.is_absolute() || (!relative.empty() && *relative.begin() == ".."))
    element.note("file " + in_quotes(file.string()) + " is outside of the folder of the robot");
  return (folder / file).lexically_normal();
}

std::vector<const Element*> elements_in(const Element& root, std::string_view section, std::string_view tag) {
  std::vector<const Element*> found;
  for (const Element& top : root.children) {
    if (top.tag() != section) continue;
    for (const Element& child : top.children) {
      if (tag.empty() || child.tag() == tag) found.push_back(&child);
    }
  }
  return found;
}

void Document::add_children(const XMLElement& xml, ElementReader& reader, const fs::path& folder,
                            std::size_t depth, Element& parent) {
  for (const XMLElement* child = xml.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    Element element{child, &reader};
    if (depth > XmlLimits::depth) {
      element.error("included files nest too deep", "flatten them");
    } else if (element.tag() == "include") {
      include(element, folder, depth, parent);
    } else {
      add_children(*child, reader, folder, depth + 1, element);
      parent.children.push_back(std::move(element));
    }
  }
}

void Document::include(const Element& at, const fs::path& folder, std::size_t depth, Element& parent) {
  const auto name = at.reader->name(*at.xml, "file");
  if (!name) return;
  fs::path path = file_in(folder_, *name, at);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) path = (folder / *name).lexically_normal();
  if (!seen_.insert(path).second)
    return at.error("file " + in_quotes(path.string()) + " is included a second time",
                    "include it once; MuJoCo refuses this, too");
  if (const XMLElement* root = open(path, at, files_))
    add_children(*root, files_.back().reader, path.parent_path(), depth + 1, parent);
}

}  // namespace featherline::mjcf
