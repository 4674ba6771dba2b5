#pragma once

#include "formats/mjcf/mesh_files.hpp"
#include "formats/mjcf/settings.hpp"

#include <Eigen/Core>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace featherline::mjcf {

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

}  // namespace featherline::mjcf
