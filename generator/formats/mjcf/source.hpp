#pragma once

#include "formats/mjcf/matter.hpp"

namespace featherline::mjcf {

/// A model: its file with what that includes, and what counts in all of it.
struct Source {
  Source(const XMLElement& xml, ElementReader& reader, UnknownWords unknown);

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
  UnknownWords unknown_;
  std::deque<File> files_;
  std::deque<Source> sources_;
  std::map<std::string, Source*> by_path_;  ///< null while it is read, and after a report
};

/// Where an element comes from: its model, and what attaching and replicating that adds to names.
struct Scope {
  Source* source = nullptr;
  std::string prefix = {}, suffix = {};
  int depth = 0;  ///< of <attach>es

  std::string name(const std::string& written) const { return prefix + written + suffix; }
  bool operator==(const Scope&) const = default;
};

}  // namespace featherline::mjcf
