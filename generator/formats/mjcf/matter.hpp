#pragma once

#include "formats/mjcf/item.hpp"

#include <Eigen/Core>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace featherline::mjcf {

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
