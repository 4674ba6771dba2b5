#include "description/checks.hpp"
#include "formats/mjcf/bodies.hpp"
#include "formats/mjcf/item.hpp"
#include "support/text.hpp"

namespace featherline::mjcf {
namespace {

/// settotalmass: scales the mass of all bodies, also of those that do not move.
void scale_masses(double total, Description& robot) {
  double sum = 0.0;
  for (const Link& link : robot.links) sum += link.inertial ? link.inertial->mass : 0.0;
  for (Link& link : robot.links) {
    if (!link.inertial || !(sum > 0.0)) continue;
    link.inertial->mass *= total / sum;
    link.inertial->inertia *= total / sum;
  }
}

Settings checked_settings(const Element& root, UnknownWords unknown) {
  check_words(root, "MJCF", unknown);
  return read_settings(root);
}

}  // namespace

void read(const XMLElement& mujoco, const std::string&, UnknownWords unknown, Description& robot,
          ElementReader& reader) {
  const char* name = mujoco.Attribute("model");
  robot.name = name == nullptr ? "robot" : name;
  robot.line = mujoco.GetLineNum();
  robot.siblings_as_written = robot.armature_by_default = true;
  Library library(unknown);
  Source& main = library.read(mujoco, reader);
  Bodies bodies(robot);
  if (reader.diagnostics().has_errors()) return;
  robot.gravity = main.settings.gravity;
  bodies.read(main);
  if (reader.diagnostics().has_errors()) return;
  read_equalities(bodies, robot);
  for (const Scope& scope : bodies.scopes) read_drives(scope, bodies, robot);
  read_keyframes(bodies, robot);
  if (main.settings.totalmass > 0.0) scale_masses(main.settings.totalmass, robot);
  robot.other_files = library.other_files();
  check(robot, reader.diagnostics());
}

Source::Source(const XMLElement& xml, ElementReader& reader, UnknownWords unknown)
    : document(xml, reader),
      settings(checked_settings(document.root(), unknown)),
      classes(document.root()),
      meshes(document, classes, settings) {}

Source& Library::read(const XMLElement& xml, ElementReader& reader) {
  Source& source = sources_.emplace_back(xml, reader, unknown_);
  for (const Element* model : elements_in(source.document.root(), "asset", "model")) {
    const auto file = model->reader->name(*model->xml, "file");
    if (!file) continue;
    const std::string path = file_in(source.document.folder(), *file, *model).string();
    const auto [known, is_new] = by_path_.emplace(path, nullptr);
    if (const XMLElement* root = is_new ? open(path, *model, files_) : nullptr)
      known->second = &read(*root, files_.back().reader);
    if (!is_new && known->second == nullptr)
      model->error("model file " + in_quotes(path) + " needs itself", "correct the files");
    if (known->second == nullptr) continue;
    const char* own = known->second->document.root().attribute("model");
    const std::string name = Item(*model, {}).text("name", own == nullptr ? "" : own);
    if (!source.models.emplace(name, known->second).second)
      model->error("a second model named " + in_quotes(name), "rename one of them");
  }
  return source;
}

std::vector<std::string> Library::other_files() const {
  std::vector<std::string> names = each(files_, [&](const File& file) { return file.reader.file(); });
  for (const Source& source : sources_) {
    const std::vector<std::string> included = source.document.included();
    names.insert(names.end(), included.begin(), included.end());
    names.insert(names.end(), source.meshes.files().begin(), source.meshes.files().end());
  }
  return names;
}

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
