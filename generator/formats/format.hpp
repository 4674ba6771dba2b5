#pragma once

#include "description/checks.hpp"
#include "formats/reader.hpp"

#include <tinyxml2.h>
#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cstddef>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// What readers of formats share. The table of formats is in reader.cpp.
namespace featherline::formats {

using namespace description;
using tinyxml2::XMLElement;

/// Reads attributes and children of XML elements. Reports whatever is not as it must be, with line and path. After a
/// report every function returns "nothing", so that the caller goes on with its defaults.
class ElementReader {
 public:
  /// No length, mass or angle may be larger. So the products of the dynamics cannot overflow.
  static constexpr double plausible = 1e15;

  ElementReader(std::string file, Diagnostics& diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  void error(const XMLElement& element, std::string message, std::string remedy);
  void warning(Finding finding, const XMLElement& element, std::string message, std::string remedy);
  void note(const XMLElement& element, std::string message);

  /// The child of that name, or null. If there are several, the first counts, and there is a warning.
  const XMLElement* only_child(const XMLElement& parent, const char* name);

  /// Whether the attribute is there. It is an error if it is not.
  bool has(const XMLElement& element, const char* attribute, std::string remedy = "add it");
  /// The attribute's text. It is an error if it is absent or empty.
  std::optional<std::string> name(const XMLElement& element, const char* attribute);

  /// One number. Absence is not an error.
  std::optional<double> number(const XMLElement& element, const char* attribute, double largest = plausible);
  /// One number. Absence is an error.
  std::optional<double> required_number(const XMLElement& element, const char* attribute);
  /// One, three or four numbers. Absence is not an error.
  template <int size>
  std::optional<Eigen::Matrix<double, size, 1>> numbers(const XMLElement& element, const char* attribute,
                                                        double largest = plausible);

  const std::string& file() const { return file_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Location where(const XMLElement& element, int line) const;

  std::string file_;
  Diagnostics& diagnostics_;
};

/// An element in a message: `<mass> of link "arm"`, or `link "arm"` for the link itself.
std::string describe(const XMLElement& element);

/// A number whose size is plausible; else the problem and its remedy.
ParsedNumber parse_plausible(std::string_view word, double largest = ElementReader::plausible);

/// Whether it has `${...}` or `$(...)`, which only xacro understands.
bool is_xacro_expression(std::string_view text);

/// The advice for words that no format has.
inline constexpr const char* remove_unknown =
    "remove it, or pass --allow unknown-attribute to have it ignored";

struct Format {
  const char* name;
  const char* root;  ///< the top-level element, which tells formats apart
  /// Fills the description from the element and checks it (description/checks.hpp). `text` is the whole file.
  void (*read)(const XMLElement& root, const std::string& text, UnknownWords unknown, Description& robot,
               ElementReader& reader);
};

/// The root element of well-formed XML, or null after a report.
const XMLElement* parse(const std::string& text, tinyxml2::XMLDocument& document, ElementReader& reader);

/// The bytes of a file; or nothing, and `problem` is what a message says of the file.
std::optional<std::string> read_text(const std::string& path, std::string& problem);

/// Bounds on the input. Real robots stay far below them. A file beyond them is damaged or hostile.
struct XmlLimits {
  static constexpr std::size_t bytes = std::size_t{64} << 20;
  static constexpr std::size_t depth = 64;        ///< levels of nested elements; tinyxml2 gives up at 100
  static constexpr std::size_t attributes = 256;  ///< in one element; tinyxml2 compares each with each
};

/// Walks over the text once, without recursion. Reports the first place where the text is not well-formed XML or
/// exceeds the limits. Text that passes is safe to hand to tinyxml2. tinyxml2 accepts more than the standard does, and
/// it stops at a NUL byte without a message. Source: XML 1.0, fifth edition, productions 1, 14, 15, 18, 39 to 44, 66.
/// \return whether nothing was reported
bool scan_xml(std::string_view text, const std::string& file, Diagnostics& diagnostics);

// Files that new users give in place of a robot's: formats that we do not read, meshes, web pages. The message says
// what the file is and how to get a robot's.

/// Reports a file that is not XML, or not well-formed. It judges by the first bytes and by the ending of the name.
/// \return whether nothing was reported
bool refuse_other_text(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// Reports an XML file of a format that we know but do not read. \return whether nothing was reported
bool refuse_other_root(const XMLElement& root, const std::string& file, Diagnostics& diagnostics);

// Files of xacro, a language of macros that makes URDFs. The tool xacro expands them; we only call it.

/// Whether the file's ending or its text asks for xacro. Expanded text does not, although it may declare the prefix.
bool is_xacro(const std::string& file, const std::string& text);

/// Reports an element that xacro still has to expand. \return whether there is none
bool refuse_xacro(const XMLElement& root, ElementReader& reader);

/// Puts what `xacro FILE ARGUMENTS` makes of the file into `text`; the environment variable FEATHERLINE_XACRO names
/// another command. Where there is no such command, the text stays. If it fails, what it said is reported.
/// \return the files that it read
std::vector<std::string> expand_xacro(const std::string& file, const std::string& arguments,
                                      std::string& text, Diagnostics& diagnostics);

// What readers of formats share whose robots may stand in several files.

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
