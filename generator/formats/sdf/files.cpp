#include "formats/sdf/sdf.hpp"

#include "description/checks.hpp"

#include <charconv>

namespace featherline::sdf {
namespace fs = std::filesystem;
namespace {

constexpr int oldest = 4, newest = 12;    ///< SDF 1.4: since then all of it is read with the rules of today
constexpr std::size_t most_files = 1000;  ///< more are hostile: files that include each other several times

/// 9 of "1.9" or "1.9.1"; -1 if the text is no version.
int version_of(std::string_view text) {
  int version = -1;
  if (text.starts_with("1.")) std::from_chars(text.data() + 2, text.data() + text.size(), version);
  return version;
}

}  // namespace

const Root* Files::take(const XMLElement& xml, ElementReader& reader) {
  Root& root = roots_.emplace_back(Root{with_children(xml, reader)});
  const auto text = reader.name(xml, "version");
  if (!text) return nullptr;
  root.version = version_of(*text);
  if (root.version < oldest || root.version > newest) {
    root.element.error("this is SDF " + in_quotes(*text) + ", and SDF 1.4 to 1.12 are read",
                       "convert it with `gz sdf -p`, or correct the version");
    return nullptr;
  }
  if (root.version < 7) root.element.note("SDF " + *text + " is read with the rules of SDF 1.7");
  check_words(root.element, "SDF", unknown_);
  return &root;
}

/// The newest file that model.config names; model.sdf where there is none.
fs::path Files::file_of_folder(const fs::path& folder, const Element& include) {
  std::error_code ignored;
  const fs::path config = folder / "model.config";
  fs::path best = folder / "model.sdf";
  if (!fs::exists(config, ignored)) return best;
  const XMLElement* root = formats::open(config, include, files_);
  int newest_version = -1;
  const auto* sdf = root == nullptr ? nullptr : root->FirstChildElement("sdf");
  for (; sdf != nullptr; sdf = sdf->NextSiblingElement("sdf")) {
    const char* version = sdf->Attribute("version");
    const int found = version == nullptr ? 0 : version_of(version);
    if (found <= newest_version || found > newest || sdf->GetText() == nullptr) continue;
    newest_version = found;
    const Element element{sdf, &files_.back().reader};
    best = folder / text_of(&element);
  }
  return best;
}

/// A file or folder; empty if there is none. Models are looked for beside the file and one folder above, and in folders
/// "models" there.
fs::path Files::find(const Element& include, const std::string& uri) const {
  const std::size_t scheme_end = uri.find("://");
  const std::string scheme = uri.substr(0, scheme_end == uri.npos ? 0 : scheme_end);
  const fs::path name = scheme_end == uri.npos ? uri : uri.substr(scheme_end + 3);
  const fs::path here = fs::path(include.file()).parent_path(),
                 main = fs::path(roots_.front().element.file()).parent_path();
  std::error_code ignored;
  if (scheme.empty() || scheme == "file") return (here / name).lexically_normal();
  if (scheme != "model" && scheme != "package") return {};
  for (const fs::path& folder : {here, main}) {
    for (const char* way : {"", "..", "models", "../models", "../.."}) {
      fs::path path = (folder / way / name).lexically_normal();
      if (fs::exists(path, ignored)) return path;
    }
  }
  return {};
}

const Root* Files::open(const Element& include) {
  const std::string uri = text_of(child(&include, "uri"));
  fs::path path = uri.empty() ? fs::path() : find(include, uri);
  if (path.empty()) {
    include.error("the model " + in_quotes(uri) + " of <include> is not on this machine",
                  "put its folder beside the file, or remove the <include>");
    return nullptr;
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) path = file_of_folder(path, include);
  if (files_.size() >= most_files) {
    include.error("more than 1000 files are included", "flatten them");
    return nullptr;
  }
  const XMLElement* xml = formats::open(path, include, files_);
  if (xml == nullptr) return nullptr;
  if (xml->Name() == std::string_view("sdf")) return take(*xml, files_.back().reader);
  include.error(
      "the included file " + in_quotes(path.string()) + " is <" + printable(xml->Name()) + ">, not <sdf>",
      "convert it to SDF");
  return nullptr;
}

std::vector<std::string> Files::names() const {
  std::set<std::string> names;
  for (const File& file : files_) names.insert(file.reader.file());
  return {names.begin(), names.end()};
}

}  // namespace featherline::sdf
