#include "formats/mjcf/source.hpp"

#include "support/text.hpp"

namespace featherline::mjcf {
namespace {

Settings checked_settings(const Element& root, UnknownWords unknown) {
  check_words(root, "MJCF", unknown);
  return read_settings(root);
}

}  // namespace

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

}  // namespace featherline::mjcf
