#pragma once

#include "formats/mjcf/matter.hpp"

#include <memory>

namespace featherline::mjcf {

class Library;

/// A model: its file with what that includes, and what counts in all of it.
struct Source {
  Source(const XMLElement& xml, ElementReader& reader, UnknownWords unknown);

  const Element& root() const { return document.root(); }

  Document document;
  Settings settings;
  Classes classes;
  Meshes meshes;
  std::map<std::string, Source*> models = {};  ///< those of <asset>, which <attach> names
};

/// The models that a robot consists of. Each file is read once.
class Library {
 public:
  explicit Library(UnknownWords unknown) : unknown_(unknown) {}

  Source& read(const XMLElement& root, ElementReader& reader);
  /// What was read besides the main file.
  std::vector<std::string> other_files() const;

 private:
  struct File {
    File(std::string path, Diagnostics& findings) : reader(std::move(path), findings) {}

    ElementReader reader;
    tinyxml2::XMLDocument xml = {};
    Source* source = nullptr;
  };

  void read_models(Source& source);
  Source* open(const Element& model, const Source& in);

  UnknownWords unknown_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::map<std::string, std::unique_ptr<File>> files_;
};

/// Where an element comes from: its model, and what attaching and replicating that adds to names.
struct Scope {
  Source* source = nullptr;
  std::string prefix = {}, suffix = {};
  int depth = 0;  ///< of <attach>es

  bool operator==(const Scope& other) const {
    return source == other.source && prefix == other.prefix && suffix == other.suffix;
  }
  std::string name(const std::string& written) const { return prefix + written + suffix; }
};

}  // namespace featherline::mjcf
