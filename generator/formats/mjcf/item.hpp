#pragma once

#include "formats/mjcf/document.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace featherline::mjcf {

/// An element, and behind it the defaults of its class, nearest first.
class Item {
 public:
  Item(const Element& element, std::vector<const Element*> defaults)
      : element_(&element), defaults_(std::move(defaults)) {}

  const Element& element() const { return *element_; }
  /// The element that gives the attribute: this one, or a default. Null if none does.
  const Element* giver(const char* attribute) const;
  bool has(const char* attribute) const { return giver(attribute) != nullptr; }

  std::string text(const char* attribute, const std::string& otherwise = {}) const;
  /// One of the words. Others are errors.
  std::string word(const char* attribute, std::initializer_list<const char*> words,
                   const std::string& otherwise) const;
  bool flag(const char* attribute, bool otherwise) const;
  double number(const char* attribute, double otherwise) const;
  /// Nothing if the attribute is absent or wrong.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least,
                                             std::size_t most) const;
  Vector3d vector(const char* attribute, const Vector3d& otherwise = Vector3d::Zero()) const;
  /// A list that MuJoCo writes over the one of the default, which may be longer.
  std::vector<double> overwritten(const char* attribute, std::vector<double> start) const;

 private:
  const Element* element_;
  std::vector<const Element*> defaults_;
};

/// The numbers of an attribute of this element. Their count has to lie between the bounds.
std::optional<std::vector<double>> numbers_of(const Element& element, const char* attribute,
                                              std::size_t least, std::size_t most);

/// The classes of <default>. A class is a copy of its parent at the place where it is read.
class Classes {
 public:
  explicit Classes(const Element& root);

  /// `kind` is the tag that its defaults have. The class is the element's own, or `childclass`, or main.
  Item item(const Element& element, const char* kind, const std::string& childclass = "main") const;
  /// The class for what stands in the element: its childclass, if it has one.
  std::string childclass_in(const Element& element, const std::string& outer) const;

 private:
  using Defaults = std::map<std::string, std::vector<const Element*>, std::less<>>;  ///< by kind

  void read(const Element& element, const std::string& name);
  bool exists(const Element& element, const char* attribute) const;

  std::map<std::string, Defaults> classes_{{"main", {}}};
};

/// Whether the tag is one of <actuator>. They share their defaults.
bool is_actuator(std::string_view tag);

/// What <compiler> and <option> say. Of several elements the last that has an attribute counts, for the whole file.
struct Settings {
  std::optional<bool> degrees = {};  ///< otherwise radians; degrees if the file does not say
  std::string eulerseq = "xyz";
  bool autolimits = true;
  std::string inertiafromgeom = "auto";  ///< "false", "true" or "auto"
  int first_group = 0, last_group = 5;   ///< of the geoms that make inertias
  double boundmass = 0.0, boundinertia = 0.0, totalmass = -1.0;
  bool balanceinertia = false, strippath = false, alignfree = false;
  std::string meshdir;
  Vector3d gravity{0.0, 0.0, -9.81};

  double angle(double value) const;  ///< in radians
};

Settings read_settings(const Element& root);

/// The attribute `pos` and one of quat, axisangle, xyaxes, zaxis, euler.
Pose read_pose(const Item& item, const Settings& settings);
Eigen::Quaterniond euler(const std::vector<double>& angles, const Settings& settings);
/// The smallest turn that takes z to this direction.
Eigen::Quaterniond z_to(const Vector3d& direction);

}  // namespace featherline::mjcf
