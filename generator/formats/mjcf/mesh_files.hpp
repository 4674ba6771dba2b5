#pragma once

#include <Eigen/Core>

#include <array>
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

}  // namespace featherline::mjcf
