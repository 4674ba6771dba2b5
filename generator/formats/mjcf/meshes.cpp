#include "formats/mjcf/item.hpp"

#include "support/text.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::mjcf {
namespace {

namespace fs = std::filesystem;

std::string file_name(const Item& mesh, const Settings& settings) {
  const fs::path file = mesh.text("file");
  return settings.strippath ? file.filename().string() : file.string();
}

std::string name_of(const Item& mesh) {
  return mesh.text("name", fs::path(mesh.text("file")).stem().string());
}

/// Its own attributes vertex and face, in single precision as MuJoCo has them.
void add_points(const Item& mesh, Triangles& triangles) {
  constexpr std::size_t most = 3000000;
  const auto points = mesh.numbers("vertex", 3, most).value_or(std::vector<double>{});
  const auto corners = mesh.numbers("face", 0, most).value_or(std::vector<double>{});
  for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
    const auto point = Eigen::Vector3d::Map(points.data() + i).cast<float>().cast<double>();
    triangles.points.push_back(point);
  }
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    std::array<std::size_t, 3> face{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double corner = corners[i + k];
      if (!(corner >= 0.0 && corner < static_cast<double>(triangles.points.size())))
        return mesh.element().error(
            "a corner of a face of " + describe(*mesh.element().xml) + " is no vertex",
            "count vertices from 0");
      face[k] = static_cast<std::size_t>(corner);
    }
    triangles.faces.push_back(face);
  }
}

/// Pyramids over the triangles with their tip at `tip`, or the triangles themselves for a shell.
class Sum {
 public:
  Sum(const Triangles& mesh, const std::string& kind) : mesh_(mesh), kind_(kind) {}

  Vector3d centre_of_faces() const {
    double area = 0.0;
    Vector3d sum = Vector3d::Zero();
    for (std::size_t k = 0; k < mesh_.faces.size(); ++k) {
      const auto& [a, b, c] = mesh_.faces[k];
      area += area_of(k);
      sum += area_of(k) / 3.0 * (mesh_.points[a] + mesh_.points[b] + mesh_.points[c]);
    }
    return area > 0.0 ? Vector3d(sum / area) : sum;
  }

  /// The volume with its centre and its mean products about `tip`.
  Matter about(const Vector3d& tip) const {
    Matter all;
    Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
    for (std::size_t k = 0; k < mesh_.faces.size(); ++k) {
      const auto& [a, b, c] = mesh_.faces[k];
      const Vector3d A = mesh_.points[a] - tip, B = mesh_.points[b] - tip, C = mesh_.points[c] - tip,
                     s = A + B + C;
      const bool is_shell = kind_ == "shell";
      double volume = is_shell ? area_of(k) : A.dot(B.cross(C)) / 6.0;
      if (kind_ == "legacy") volume = sign_of(k) * std::abs(volume);
      all.mass += volume;
      all.com += volume / (is_shell ? 3.0 : 4.0) * s;
      products += volume / (is_shell ? 12.0 : 20.0) *
                  (A * A.transpose() + B * B.transpose() + C * C.transpose() + s * s.transpose());
    }
    all.com = tip + all.com / all.mass;
    all.inertia = products.trace() * Eigen::Matrix3d::Identity() - products;
    return all;
  }

 private:
  double sign_of(std::size_t face) const { return mesh_.reversed.count(face) > 0 ? -1.0 : 1.0; }
  double area_of(std::size_t face) const {
    const auto& [a, b, c] = mesh_.faces[face];
    return 0.5 * sign_of(face) *
           (mesh_.points[b] - mesh_.points[a]).cross(mesh_.points[c] - mesh_.points[a]).norm();
  }

  const Triangles& mesh_;
  const std::string& kind_;
};

/// Applies refpos, refquat and scale.
void place(const Item& mesh, Triangles& triangles) {
  const Vector3d refpos = mesh.vector("refpos"), scale = mesh.vector("scale", Vector3d::Ones());
  const auto quat = mesh.numbers("refquat", 4, 4);
  const Eigen::Quaterniond q = quat ? unit_quaternion(*quat, mesh.element()) : Eigen::Quaterniond::Identity();
  for (Vector3d& point : triangles.points) point = scale.cwiseProduct(q.conjugate() * (point - refpos));
  if (scale.prod() > 0.0) return;
  for (auto& face : triangles.faces) std::swap(face[1], face[2]);
}

}  // namespace

void report_matter(const Element& geom, bool moves, const std::string& what) {
  const std::string message = "the inertia of " + describe(*geom.xml) + " comes from " + what;
  const char* remedy = "give its body an <inertial>";
  if (moves)
    geom.error(message, remedy);
  else
    geom.reader->warning("missing-mesh", *geom.xml,
                         message + ": the mass of this body, which stands still, is left out", remedy);
}

Meshes::Meshes(const Document& document, const Classes& classes, const Settings& settings)
    : document_(document), settings_(settings) {
  for (const Element& section : document.root().children) {
    if (section.tag() != "asset") continue;
    for (const Element& element : section.children) {
      if (element.tag() != "mesh") continue;
      const Item mesh = classes.item(element, "mesh");
      if (!meshes_.emplace(name_of(mesh), mesh).second)
        element.error("a second mesh named " + in_quotes(name_of(mesh)), "rename one of them");
    }
  }
}

std::optional<Matter> Meshes::of_density_1(const std::string& name, const Element& geom, bool moves) {
  const auto found = meshes_.find(name);
  if (found == meshes_.end()) {
    geom.fault(" has mesh " + in_quotes(name) + ", which does not exist",
               "add <mesh name=\"...\" file=\"...\"/> to <asset>");
    return std::nullopt;
  }
  if (const auto known = read_.find(name); known != read_.end()) return known->second;
  const std::optional<Matter> matter = read(found->second, geom, moves);
  if (matter) read_.emplace(name, *matter);
  return matter;
}

std::string Meshes::load(const Item& mesh, Triangles& triangles) {
  if (!mesh.has("file")) {
    if (mesh.has("builtin")) return "a mesh that MuJoCo builds, which is not read";
    if (!mesh.has("vertex")) return "a mesh without a file and without vertices, which is not read";
    add_points(mesh, triangles);
    return "";
  }
  const fs::path path =
      file_in(document_.folder(), fs::path(settings_.meshdir) / file_name(mesh, settings_), mesh.element());
  const std::string ending = in_lower_case(path.extension().string()),
                    which = "mesh file " + in_quotes(path.string()) + ", which ";
  const auto reader = ending == ".stl" ? read_stl : ending == ".obj" ? read_obj : read_msh;
  if (reader == read_msh && ending != ".msh") return which + "is neither STL, OBJ nor MSH";
  std::string problem;
  const auto bytes = read_text(path.string(), problem);
  if (!bytes) return which + problem;
  files_.insert(path.string());
  problem = reader(*bytes, triangles);
  const auto is_place = [](const Vector3d& point) { return (point.array().abs() < 1e15).all(); };
  if (problem.empty() && !std::ranges::all_of(triangles.points, is_place))
    problem = "has a coordinate that is not a number of metres";
  return problem.empty() ? "" : which + problem;
}

std::optional<Matter> Meshes::read(const Item& mesh, const Element& geom, bool moves) {
  const std::string kind = mesh.word("inertia", {"legacy", "exact", "convex", "shell"}, "legacy");
  const auto fail = [&](const std::string& what) {
    report_matter(geom, moves, what);
    return std::nullopt;
  };
  Triangles triangles;
  if (const std::string problem = load(mesh, triangles); !problem.empty()) return fail(problem);
  if (triangles.faces.empty() || kind == "convex") {
    if (mesh.number("maxhullvert", -1.0) > -1.0) return fail("a hull with maxhullvert, which is not read");
    triangles.faces = convex_hull(triangles.points);
  }
  if (!triangles.reversed.empty())
    mesh.element().remark(
        " has polygons that are not convex; MuJoCo's weight may differ, as it may cut them wrongly");
  place(mesh, triangles);
  const Sum sum(triangles, kind);
  const Vector3d com = sum.about(sum.centre_of_faces()).com;
  Matter matter = sum.about(com);
  if (!(matter.mass > 1e-15)) return fail("mesh " + in_quotes(name_of(mesh)) + ", which has no volume");
  matter.com = com;
  return matter;
}

}  // namespace featherline::mjcf
