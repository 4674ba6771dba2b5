#include "description/checks.hpp"
#include "formats/mjcf/item.hpp"
#include "support/text.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>
#include <utility>

namespace featherline::mjcf {
namespace {

using description::parse_number;
using description::split_words;

/// The index that a corner such as 3/1/2 or -1 means; beyond all points if it is wrong.
std::size_t corner_of(std::string_view word, std::size_t num_points) {
  const double index = parse_number(word.substr(0, word.find('/'))).value;
  const double from_zero = index < 0.0 ? static_cast<double>(num_points) + index : index - 1.0;
  return from_zero >= 0.0 && from_zero < static_cast<double>(num_points) ? static_cast<std::size_t>(from_zero)
                                                                         : num_points;
}

/// Cuts a polygon: a quadrangle along its shorter diagonal, others as a fan, which may overlap itself.
void add_polygon(const std::vector<std::size_t>& corners, Triangles& mesh) {
  const auto distance = [&](std::size_t a, std::size_t b) {
    return (mesh.points[corners[a]] - mesh.points[corners[b]]).squaredNorm();
  };
  if (corners.size() == 4 && distance(0, 2) >= distance(1, 3)) {
    mesh.faces.push_back({corners[0], corners[1], corners[3]});
    mesh.faces.push_back({corners[1], corners[2], corners[3]});
    return;
  }
  const auto& p = mesh.points;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  const auto cross = [&](std::size_t k) -> Eigen::Vector3d {
    return (p[corners[k - 1]] - p[corners[0]]).cross(p[corners[k]] - p[corners[0]]);
  };
  for (std::size_t k = 2; k < corners.size(); ++k) normal += cross(k);
  for (std::size_t k = 2; k < corners.size(); ++k) {
    if (cross(k).dot(normal) < 0.0) mesh.reversed.insert(mesh.faces.size());
    mesh.faces.push_back({corners[0], corners[k - 1], corners[k]});
  }
}

std::string read_obj_line(const std::vector<std::string_view>& words, Triangles& mesh) {
  if (words[0] == "v" && words.size() >= 4) {
    Eigen::Vector3d point;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto number = parse_number(words[k + 1]);
      if (!number.problem.empty()) return number.problem;
      point[static_cast<Eigen::Index>(k)] = static_cast<float>(number.value);
    }
    mesh.points.push_back(point);
  }
  if (words[0] != "f") return {};
  std::vector<std::size_t> corners;
  for (std::size_t k = 1; k < words.size(); ++k) {
    corners.push_back(corner_of(words[k], mesh.points.size()));
    if (corners.back() == mesh.points.size()) return "a face has a corner without a vertex";
  }
  if (corners.size() < 3) return "a face has less than three corners";
  add_polygon(corners, mesh);
  return {};
}

using Eigen::Vector3d;

struct Face {
  std::array<std::size_t, 3> corners;
  Vector3d normal;
};

}  // namespace

std::string read_stl(std::string_view bytes, Triangles& mesh) {
  constexpr std::size_t header = 84, record = 50, normal = 12;
  std::uint32_t count = 0;
  if (bytes.size() >= header) std::memcpy(&count, bytes.data() + header - sizeof(count), sizeof(count));
  if (count == 0 || bytes.size() < header + record * count)
    return "is not a binary STL file with all its triangles";
  for (std::size_t k = 0; k < count; ++k) {
    std::array<float, 9> values{};
    std::memcpy(values.data(), bytes.data() + header + record * k + normal, sizeof(values));
    const std::size_t first = mesh.points.size();
    for (std::size_t i = 0; i < 9; i += 3) mesh.points.emplace_back(values[i], values[i + 1], values[i + 2]);
    mesh.faces.push_back({first, first + 1, first + 2});
  }
  return {};
}

/// MuJoCo's own format: numbers of points, normals, texture coordinates and faces, then all of them, without padding.
std::string read_msh(std::string_view bytes, Triangles& mesh) {
  std::array<std::int32_t, 4> counts{};
  constexpr std::size_t word = sizeof(float);
  if (bytes.size() >= sizeof(counts)) std::memcpy(counts.data(), bytes.data(), sizeof(counts));
  const bool is_possible =
      counts[0] > 0 && std::ranges::all_of(counts, [](std::int32_t n) { return n >= 0; });
  const auto [points, normals, coordinates, faces] = counts;
  const std::size_t skipped = 3 * std::size_t(normals) + 2 * std::size_t(coordinates);
  const std::size_t words = counts.size() + 3 * std::size_t(points) + skipped + 3 * std::size_t(faces);
  if (!is_possible || bytes.size() != word * words) return "is not an MSH file of the size that it says";
  const char* at = bytes.data() + sizeof(counts);
  for (std::int32_t i = 0; i < points; ++i, at += 3 * word) {
    std::array<float, 3> x{};
    std::memcpy(x.data(), at, sizeof(x));
    mesh.points.emplace_back(x[0], x[1], x[2]);
  }
  at += word * skipped;
  for (std::int32_t i = 0; i < faces; ++i, at += 3 * word) {
    std::array<std::int32_t, 3> c{};
    std::memcpy(c.data(), at, sizeof(c));
    if (std::ranges::any_of(c, [n = points](std::int32_t k) { return k < 0 || k >= n; }))
      return "has a face with a corner without a vertex";
    mesh.faces.push_back({std::size_t(c[0]), std::size_t(c[1]), std::size_t(c[2])});
  }
  return {};
}

std::string read_obj(std::string_view bytes, Triangles& mesh) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.starts_with("vn") || line.starts_with("vt")) continue;  // half of the file
    const auto words = split_words(line);
    if (words.empty()) continue;
    // MuJoCo takes the first object or group that has faces.
    if ((words[0] == "o" || words[0] == "g") && !mesh.faces.empty()) break;
    if (std::string problem = read_obj_line(words, mesh); !problem.empty())
      return "cannot be read: " + problem;
  }
  return mesh.faces.empty() ? "has no faces" : "";
}

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
