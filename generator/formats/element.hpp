#pragma once

#include "formats/format.hpp"

#include <Eigen/Geometry>

#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// What readers of formats share whose robots may stand in several files.
namespace featherline::formats {

using Eigen::Vector3d;

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
  /// Errors and notes that begin with what the element is: "<joint> "a" has no <child>".
  void fault(const std::string& message, std::string remedy) const {
    error(describe(*xml) + message, std::move(remedy));
  }
  void remark(const std::string& message) const { note(describe(*xml) + message); }
};

/// A file beside the main one.
struct File {
  explicit File(ElementReader of_file) : reader(std::move(of_file)) {}

  ElementReader reader;
  tinyxml2::XMLDocument xml = {};
};

/// Reads one more file. \return its top-level element; null after a report by the element that names the file
const XMLElement* open(const std::filesystem::path& path, const Element& at, std::deque<File>& files);

/// The numbers in a text of this element, whose name is `subject`. Their count has to lie between the bounds. Nothing
/// after a report.
std::optional<std::vector<double>> numbers_in(const char* text, const Element& element,
                                              const std::string& subject, std::size_t least, std::size_t most,
                                              double largest = ElementReader::plausible);

struct Pose {
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
  Vector3d p = Vector3d::Zero();

  Pose operator*(const Pose& inner) const { return {q * inner.q, q * inner.p + p}; }
  Pose inverse() const { return {q.conjugate(), -(q.conjugate() * p)}; }
  bool is_identity() const { return p.isZero(0.0) && q.vec().isZero(0.0); }
  Origin origin(int line) const;
};

/// Scaled to unit length. Zero is an error.
Eigen::Quaterniond unit_quaternion(const std::vector<double>& wxyz, const Element& element);

/// Names that the file gives, and new ones beside them.
class Names {
 public:
  void take(const std::string& name) { taken_.insert(name); }
  std::string unique(std::string name);

 private:
  std::set<std::string> taken_;
};

/// What welds the link to its parent, at the lines of the link.
Joint fixed_joint(std::string name, std::string parent, const Pose& pose, const Link& link);

/// With all elements in it.
Element with_children(const XMLElement& xml, ElementReader& reader);

/// Reports what the format does not have, and what we do not read although dynamics depends on it, by the table
/// templates/words/FORMAT.in.
///
///  - An attribute or element that we do not know, in an element that dynamics reads, is an error, or a warning if
///    unknown words are ignored: it may be a mistyped number of the robot.
///  - In the <robot> of URDF, and where the name of an attribute has a prefix, it is a warning: it belongs to another
///    tool. Text between elements is a warning, too.
///  - What is known to be for other tools may be a note. Appearance and collision are not mentioned.
void check_words(const Element& root, std::string_view format, UnknownWords unknown);

}  // namespace featherline::formats
