#pragma once

#include "formats/format.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <deque>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
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

struct Triangles {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<std::size_t, 3>> faces;
  std::set<std::size_t> reversed = {};  ///< faces that are cut out of a polygon, and lie the other way round
};

/// Read the bytes of a file, in single precision as MuJoCo does. \return what is wrong with them, or nothing
std::string read_stl(std::string_view bytes, Triangles& mesh);
std::string read_obj(std::string_view bytes, Triangles& mesh);
std::string read_msh(std::string_view bytes, Triangles& mesh);

/// The faces of the hull of the points, with normals to the outside; none where the points are in a plane.
std::vector<std::array<std::size_t, 3>> convex_hull(const std::vector<Eigen::Vector3d>& points);

/// Mass, centre, and inertia about the centre in the axes that the centre is given in.
struct Matter {
  double mass = 0.0;
  Vector3d com = Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();

  Matter seen_from(const Pose& pose) const;
};

/// All of them as one body.
Matter sum(const std::vector<Matter>& parts);

/// The meshes of <asset>. A file is read when a geom needs it.
class Meshes {
 public:
  Meshes(const Document& document, const Classes& classes, const Settings& settings);

  /// What 1 kg per m^3 (a shell: per m^2) would be; nothing after a report, which names the geom.
  std::optional<Matter> of_density_1(const std::string& name, const Element& geom, bool moves);
  /// The files that were read.
  const std::set<std::string>& files() const { return files_; }

 private:
  std::optional<Matter> read(const Item& mesh, const Element& geom, bool moves);
  /// \return what is wrong with it, or nothing
  std::string load(const Item& mesh, Triangles& triangles);

  const Document& document_;
  const Settings& settings_;
  std::map<std::string, Item> meshes_;
  std::map<std::string, Matter> read_;
  std::set<std::string> files_;
};

/// Reports matter that cannot be read: an error, or a warning where its body never moves.
void report_matter(const Element& geom, bool moves, const std::string& what);
/// The matter of a geom in its body's frame; nothing if it has none.
std::optional<Matter> matter_of_geom(const Item& geom, const Pose& frame, const Settings& settings,
                                     Meshes& meshes, bool moves);
/// <inertial>, in its body's frame.
Matter read_inertial(const Item& inertial, const Settings& settings);
/// Bounds and balances it as <compiler> says.
Matter corrected(const Matter& matter, const Settings& settings);

using Eigen::Vector3d;

/// What a body weighs if a cubic metre of it (of a shell: a square metre) weighs 1 kg, centre at the origin.
struct Shape {
  double volume = 0.0;                  ///< [m^3] or [m^2]
  Vector3d moments = Vector3d::Zero();  ///< of 1 kg, about its axes [m^2]
};

/// Size as MJCF has it: radius and half of the length, or half of the three sides.
Shape solid(std::string_view type, const Vector3d& size);
Shape shell(std::string_view type, const Vector3d& size);

/// How many numbers the size of this type has; 0 for a type without a shape of its own.
int num_sizes(std::string_view type);

}  // namespace featherline::mjcf
