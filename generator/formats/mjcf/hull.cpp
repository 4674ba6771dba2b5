#include "formats/mjcf/mesh_files.hpp"
#include "support/text.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace featherline::mjcf {
namespace {

using Eigen::Vector3d;

struct Face {
  std::array<std::size_t, 3> corners;
  Vector3d normal;
};

}  // namespace

std::vector<std::array<std::size_t, 3>> convex_hull(const std::vector<Vector3d>& points) {
  const auto farthest = [&](const auto& measure) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) best = measure(i) > measure(best) ? i : best;
    return best;
  };
  const auto face = [&](std::size_t a, std::size_t b, std::size_t c) {
    return Face{{a, b, c}, (points[b] - points[a]).cross(points[c] - points[a]).stableNormalized()};
  };
  const auto height = [&](const Face& f, std::size_t i) {
    return f.normal.dot(points[i] - points[f.corners[0]]);
  };
  if (points.size() < 4) return {};
  const std::size_t a = farthest([&](auto i) { return points[i].x(); });
  const std::size_t b = farthest([&](auto i) { return (points[i] - points[a]).norm(); });
  const Vector3d along = points[b] - points[a];
  const std::size_t c = farthest([&](auto i) { return along.cross(points[i] - points[a]).norm(); });
  // A triangle with two sides. The point that is farthest from it comes first, and makes room.
  std::vector<Face> faces{face(a, b, c), face(a, c, b)};
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.size(); ++i) distances.push_back(std::abs(height(faces[0], i)));
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](auto i, auto j) { return distances[i] > distances[j]; });
  if (!(distances[order[0]] > 1e-9 * along.norm())) return {};
  const double rounding = 1e-13 * along.norm();
  for (const std::size_t i : order) {
    std::set<std::pair<std::size_t, std::size_t>> horizon;  // of the faces that see the point
    const auto sees = [&](const Face& f) { return height(f, i) > rounding; };
    for (const Face& f : faces) {
      for (std::size_t e = 0; sees(f) && e < 3; ++e) {
        const std::size_t x = f.corners[e], y = f.corners[(e + 1) % 3];
        if (horizon.erase({y, x}) == 0) horizon.emplace(x, y);
      }
    }
    if (horizon.empty()) continue;
    std::erase_if(faces, sees);
    for (const auto& [x, y] : horizon) faces.push_back(face(x, y, i));
  }
  return each(faces, &Face::corners);
}

}  // namespace featherline::mjcf
