#pragma once

#include "description/number.hpp"
#include "formats/reader.hpp"

#include <tinyxml2.h>
#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace featherline::formats
