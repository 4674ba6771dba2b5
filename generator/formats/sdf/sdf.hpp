#pragma once

#include "formats/element.hpp"

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The reader of SDF, the format of Gazebo. Source of all rules: sdformat.org, and libsdformat.
namespace featherline::sdf {

using namespace description;
using namespace formats;

/// The read function of the format (formats::Format).
void read(const XMLElement& sdf, const std::string& text, UnknownWords unknown, Description& robot,
          ElementReader& reader);

// Values. SDF writes them as text of elements. All functions take null for an element that is not there.

/// The child with that tag, or null. If there are several, the first counts, and there is a warning.
const Element* child(const Element* parent, const char* tag);
/// Without the space around it; empty if there is none.
std::string text_of(const Element* element);
std::string attribute(const Element* element, const char* name);
/// The number in the child. "inf" may stand for limits. Nothing if it is absent or wrong.
std::optional<double> number(const Element* parent, const char* tag);
/// Whether the child says so.
bool flag(const Element* parent, const char* tag, bool otherwise = false);
/// The same for a text: true, false, 1, 0, or empty.
bool flag(const std::string& text, const Element& at, bool otherwise = false);
/// Three numbers; nothing if they are wrong.
std::optional<Vector3d> vector(const Element* element);
/// Of <pose>, in all its notations.
Pose read_pose(const Element* pose);

/// The top-level element of a file.
struct Root {
  Element element = {};
  int version = 0;  ///< 9 is SDF 1.9
};

/// The files of a robot. They live as long as this.
class Files {
 public:
  explicit Files(UnknownWords unknown) : unknown_(unknown) {}

  /// With all that is in it, if its version and its words are known; else null after a report.
  const Root* take(const XMLElement& xml, ElementReader& reader);
  /// The file that the <uri> of an <include> means. Null after a report.
  const Root* open(const Element& include);
  std::vector<std::string> names() const;  ///< of those besides the main file

 private:
  std::filesystem::path find(const Element& include, const std::string& uri) const;
  std::filesystem::path file_of_folder(const std::filesystem::path& folder, const Element& include);

  UnknownWords unknown_;
  std::deque<Root> roots_;  ///< that of the main file first
  std::deque<File> files_;
};

}  // namespace featherline::sdf
