#pragma once

#include "description/description.hpp"
#include "support/diagnostic.hpp"

#include <tinyxml2.h>
#include <Eigen/Core>

#include <optional>
#include <string>

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

  /// The attribute's text. It is an error if it is absent or empty.
  std::optional<std::string> name(const XMLElement& element, const char* attribute);

  /// One number. Absence is not an error.
  std::optional<double> number(const XMLElement& element, const char* attribute, double largest = plausible);
  /// One number. Absence is an error.
  std::optional<double> required_number(const XMLElement& element, const char* attribute);
  /// Three numbers. Absence is not an error.
  std::optional<Eigen::Vector3d> vector3(const XMLElement& element, const char* attribute);
  /// Four numbers. Absence is not an error.
  std::optional<Eigen::Vector4d> vector4(const XMLElement& element, const char* attribute);

  const std::string& file() const { return file_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Location where(const XMLElement& element, int line) const;
  /// Reports `${...}` and `$(...)`, which only xacro understands.
  bool is_expression(const XMLElement& element, const tinyxml2::XMLAttribute& attribute);
  /// The numbers of `vector3` or `vector4`. `in_words` says how many there must be.
  template <int size>
  std::optional<Eigen::Matrix<double, size, 1>> vector(const XMLElement& element, const char* attribute,
                                                       const char* in_words);
  std::optional<double> parse(const XMLElement& element, const tinyxml2::XMLAttribute& attribute,
                              std::string_view text, double largest);

  std::string file_;
  Diagnostics& diagnostics_;
};

/// An element in a message: `<mass> of link "arm"`, or `link "arm"` for the link itself.
std::string describe(const XMLElement& element);

/// Names from the root down to `element`, e.g. `robot/joint "elbow"/axis`.
std::string path_of(const XMLElement& element);

}  // namespace featherline::formats
