#include "formats/mjcf/source.hpp"

#include "formats/mjcf/vocabulary.hpp"

namespace featherline::mjcf {
namespace {

Settings checked_settings(const Element& root, UnknownWords unknown) {
  check_vocabulary(root, unknown);
  return read_settings(root);
}

}  // namespace

Source::Source(const XMLElement& xml, ElementReader& reader, UnknownWords unknown)
    : document(xml, reader),
      settings(checked_settings(root(), unknown)),
      classes(root()),
      meshes(document, classes, settings) {}

Source& Library::read(const XMLElement& root, ElementReader& reader) {
  Source& source = *sources_.emplace_back(std::make_unique<Source>(root, reader, unknown_));
  read_models(source);
  return source;
}

void Library::read_models(Source& source) {
  for (const Element* model : elements_in(source.root(), "asset", "model")) {
    Source* found = open(*model, source);
    if (found == nullptr) continue;
    const char* own = found->root().attribute("model");
    const std::string name = Item(*model, {}).text("name", own == nullptr ? "" : own);
    if (!source.models.emplace(name, found).second)
      model->error("a second model named " + in_quotes(name), "rename one of them");
  }
}

Source* Library::open(const Element& model, const Source& in) {
  const auto name = model.reader->name(*model.xml, "file");
  if (!name) return nullptr;
  const std::string path = file_in(in.document.folder(), *name, model).string();
  auto& file = files_[path];
  if (file) {
    if (file->source == nullptr)
      model.error("model file " + in_quotes(path) + " needs itself, or cannot be read", "correct the files");
    return file->source;
  }
  std::string problem;
  const auto text = read_text(path, problem);
  if (!text) {
    model.error("the model file " + in_quotes(path) + ' ' + problem,
                "correct the path; it counts from the folder of the file that names it");
    return nullptr;
  }
  file = std::make_unique<File>(path, model.reader->diagnostics());
  const XMLElement* root = parse(*text, file->xml, file->reader);
  if (root == nullptr) return nullptr;
  if (root->Name() != std::string_view("mujoco")) {
    model.error("the model file " + in_quotes(path) + " has top-level element <" + printable(root->Name()) +
                    ">, not <mujoco>",
                "name a file of MJCF");
    return nullptr;
  }
  return file->source = &read(*root, file->reader);
}

std::vector<std::string> Library::other_files() const {
  std::vector<std::string> names;
  for (const auto& entry : files_) names.push_back(entry.first);
  for (const auto& source : sources_) {
    for (std::string& name : source->document.included()) names.push_back(std::move(name));
    names.insert(names.end(), source->meshes.files().begin(), source->meshes.files().end());
  }
  return names;
}

}  // namespace featherline::mjcf
