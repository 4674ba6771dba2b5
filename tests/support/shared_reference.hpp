#pragma once

#include <Eigen/Core>

#include <filesystem>
#include <string>
#include <vector>

/// The values of an independent library in ../shared/reference (its README holds the conventions). The folder is
/// not part of the repository; tests that need it are skipped where it is absent.
namespace featherline::test {

/// The folder ../shared beside the repository. Ends the program with the exit code that CTest reports as skipped,
/// after a message, where it does not exist: call it only in executables that test nothing else.
std::filesystem::path shared_dir_or_skip();

bool has_shared_dir();

struct ReferenceJoint {
  std::string name;
  int parent = -1;  ///< index among the joints, -1 for the world
  int idx_q = 0, nq = 0, idx_v = 0, nv = 0;
  Eigen::Matrix3d placement_R;
  Eigen::Vector3d placement_p;
  double mass = 0.0;
  Eigen::Vector3d com;
  Eigen::Matrix3d inertia_com;
};

/// Tensors are laid out as the emitted code does, T(i,j,k) at i + nv j + nv^2 k; empty where the file has none.
struct ReferenceSample {
  Eigen::VectorXd q, v, a, tau_in, tau_rnea, ddq_aba;
  Eigen::MatrixXd M, Minv, dtau_dq, dtau_dv, ddq_dq, ddq_dv;
  Eigen::VectorXd d2tau_dqdq, d2tau_dvdv, d2tau_dqdv, dM_dq;
};

struct ReferenceFile {
  std::string name;  ///< e.g. "hyq.floating"
  std::filesystem::path urdf;
  bool floating_base = false;
  bool has_tensors = false;
  int nq = 0, nv = 0;
  std::vector<ReferenceJoint> joints;
  std::vector<ReferenceSample> samples;
};

/// All files of `shared`/reference, sorted by name. Mimic joints are independent joints in them.
std::vector<ReferenceFile> load_references(const std::filesystem::path& shared);

}  // namespace featherline::test
