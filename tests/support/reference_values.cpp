#include "support/reference_values.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace featherline::test {
namespace {

using nlohmann::json;

Eigen::VectorXd vector(const json& values) {
  const auto entries = values.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

Eigen::MatrixXd matrix(const json& values, int n) {
  const Eigen::VectorXd entries = vector(values);
  if (entries.size() != Eigen::Index{n} * n) throw std::runtime_error("reference matrix of unexpected size");
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      entries.data(), n, n);
}

Eigen::VectorXd tensor(const json& sample, const char* name, int n) {
  if (!sample.contains(name)) return {};
  const Eigen::VectorXd row_major = vector(sample.at(name));
  if (row_major.size() != Eigen::Index{n} * n * n)
    throw std::runtime_error("reference tensor of unexpected size");
  Eigen::VectorXd T(row_major.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) T[i + n * (j + n * k)] = row_major[(i * n + j) * n + k];
    }
  }
  return T;
}

ReferenceJoint read_joint(const json& j) {
  ReferenceJoint joint;
  joint.name = j.at("name");
  joint.parent = j.at("parent").get<int>() - 1;
  joint.idx_q = j.at("idx_q");
  joint.nq = j.at("nq");
  joint.idx_v = j.at("idx_v");
  joint.nv = j.at("nv");
  joint.placement_R = matrix(j.at("placement_R"), 3);
  joint.placement_p = vector(j.at("placement_p"));
  joint.mass = j.at("mass");
  joint.com = vector(j.at("com"));
  joint.inertia_com = matrix(j.at("inertia_com"), 3);
  return joint;
}

ReferenceSample read_sample(const json& s, int n) {
  return {vector(s.at("q")),
          vector(s.at("v")),
          vector(s.at("a")),
          vector(s.at("tau_in")),
          vector(s.at("tau_rnea")),
          vector(s.at("ddq_aba")),
          matrix(s.at("M"), n),
          matrix(s.at("Minv"), n),
          matrix(s.at("dtau_dq"), n),
          matrix(s.at("dtau_dv"), n),
          matrix(s.at("ddq_dq"), n),
          matrix(s.at("ddq_dv"), n),
          tensor(s, "d2tau_dqdq", n),
          tensor(s, "d2tau_dvdv", n),
          tensor(s, "d2tau_dqdv", n),
          tensor(s, "dM_dq", n),
          {},
          {},
          {}};
}

/// Block `k` of `rows` x `columns`, row by row.
Eigen::MatrixXd block(const Eigen::VectorXd& values, std::size_t k, int rows, int columns) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Index size = Eigen::Index{rows} * columns;
  if (values.size() < size * static_cast<Eigen::Index>(k + 1))
    throw std::runtime_error("reference values of unexpected size");
  return Eigen::Map<const RowMajor>(values.data() + size * static_cast<Eigen::Index>(k), rows, columns);
}

void read_frames(const json& s, std::size_t count, int nv, ReferenceSample& sample) {
  for (std::size_t k = 0; k < count; ++k) {
    sample.frame_p.push_back(block(vector(s.at("frame_p")), k, 3, 1));
    sample.frame_R.push_back(block(vector(s.at("frame_R")), k, 3, 3));
    sample.frame_J.push_back(block(vector(s.at("frame_J")), k, 6, nv));
  }
}

/// URDFs are named relative to `root`.
ReferenceFile read_reference(const std::filesystem::path& path, const std::filesystem::path& root) {
  const json data = json::parse(std::ifstream(path));
  ReferenceFile file;
  file.name = path.stem().string();
  file.urdf = root / data.at("source").get<std::string>();
  file.floating_base = data.at("base") == "floating";
  file.has_tensors = data.at("tensors");
  file.nq = data.at("nq");
  file.nv = data.at("nv");
  if (data.contains("frames")) file.frames = data.at("frames").get<std::vector<std::string>>();
  for (const json& joint : data.at("joints")) file.joints.push_back(read_joint(joint));
  for (const json& sample : data.at("samples")) {
    file.samples.push_back(read_sample(sample, file.nv));
    read_frames(sample, file.frames.size(), file.nv, file.samples.back());
  }
  return file;
}

NamedReferenceFile read_named_reference(const std::filesystem::path& path,
                                        const std::filesystem::path& root) {
  const json data = json::parse(std::ifstream(path));
  NamedReferenceFile file;
  file.name = path.stem().string();
  file.urdf = root / data.at("source").get<std::string>();
  file.floating_base = data.at("base") == "floating";
  file.nv = data.at("nv");
  file.frames = data.at("frames").get<std::vector<std::string>>();
  for (const json& sample : data.at("samples")) {
    auto& values = file.samples.emplace_back();
    for (const auto& [name, value] : sample.items()) {
      if (value.is_array()) values[name] = vector(value);
      if (value.is_number()) values[name] = Eigen::VectorXd::Constant(1, value);
    }
  }
  return file;
}

/// What `read` makes of all files of a folder, sorted by name.
template <class File>
std::vector<File> load_folder(const std::filesystem::path& folder, const std::filesystem::path& root,
                              File (*read)(const std::filesystem::path&, const std::filesystem::path&)) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<File> files;
  for (const auto& path : paths) files.push_back(read(path, root));
  return files;
}

bool wants_own() {
  const char* wanted = std::getenv("FEATHERLINE_REFERENCE_VALUES");
  return wanted == nullptr || std::string(wanted) == "own";
}

}  // namespace

std::vector<ReferenceFile> load_references() {
  if (wants_own()) return load_folder("tests/reference", ".", read_reference);
  const std::filesystem::path folder = shared_or_skip("reference");
  return load_folder(folder, folder.parent_path(), read_reference);
}

std::vector<NamedReferenceFile> load_named_references() {
  if (wants_own()) return load_folder("tests/reference", ".", read_named_reference);
  const std::filesystem::path folder = shared_or_skip("reference");
  return load_folder(folder / "more", folder.parent_path(), read_named_reference);
}

}  // namespace featherline::test
