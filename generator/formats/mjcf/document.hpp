#pragma once

#include "formats/element.hpp"

#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace featherline::mjcf {

using namespace description;
using namespace formats;

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
