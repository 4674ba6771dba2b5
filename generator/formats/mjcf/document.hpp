#pragma once

#include "formats/format.hpp"

#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace featherline::mjcf {

using namespace description;
using namespace formats;

/// An element of the main file, or of one that it includes.
struct Element {
  const XMLElement* xml = nullptr;
  ElementReader* reader = nullptr;  ///< of its file
  std::vector<Element> children = {};

  std::string_view tag() const { return xml->Name(); }
  const char* attribute(const char* name) const { return xml->Attribute(name); }
  int line() const { return xml->GetLineNum(); }
  const std::string& file() const { return reader->file(); }
  void error(std::string message, std::string remedy) const {
    reader->error(*xml, std::move(message), std::move(remedy));
  }
  void note(std::string message) const { reader->note(*xml, std::move(message)); }
};

/// A file beside the main one.
struct File {
  ElementReader reader;
  tinyxml2::XMLDocument xml = {};
};

/// Reads one more file. \return its top-level element; null after a report by the element that names the file
const XMLElement* open(const std::filesystem::path& path, const Element& at, std::deque<File>& files);

/// The file with what it includes spliced in. MuJoCo looks for an included file in the folder of the main file, then in
/// that of the file that includes it, drops its top-level element, and takes each file once.
class Document {
 public:
  Document(const XMLElement& root, ElementReader& reader);

  const Element& root() const { return root_; }
  const std::filesystem::path& folder() const { return folder_; }  ///< of the main file
  std::vector<std::string> included() const;

 private:
  void add_children(const XMLElement& xml, ElementReader& reader, const std::filesystem::path& folder,
                    std::size_t depth, Element& parent);
  void include(const Element& at, const std::filesystem::path& folder, std::size_t depth, Element& parent);

  std::filesystem::path folder_;
  std::set<std::filesystem::path> seen_;
  std::deque<File> files_;
  Element root_;
};

/// All elements with this tag in sections of that name.
std::vector<const Element*> elements_in(const Element& root, std::string_view section,
                                        std::string_view tag = {});

/// The file in the folder. Says so where that leads out of the folder.
std::filesystem::path file_in(const std::filesystem::path& folder, const std::filesystem::path& file,
                              const Element& element);

}  // namespace featherline::mjcf
