#pragma once

#include "support/shared_folder.hpp"

#include <Eigen/Core>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// The values of an independent library: those in tests/reference for our own robots, and those in ../shared/reference
/// for robots of other people. tests/reference/README.md holds the conventions.
namespace featherline::test {

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
  /// By frame: origin and rotation, and the Jacobian with rows [linear; angular] in the axes of the world. Empty where
  /// the file has none.
  std::vector<Eigen::Vector3d> frame_p;
  std::vector<Eigen::Matrix3d> frame_R;
  std::vector<Eigen::MatrixXd> frame_J;
};

struct ReferenceFile {
  std::string name;  ///< e.g. "hyq.floating"
  std::filesystem::path urdf;
  bool floating_base = false;
  bool has_tensors = false;
  int nq = 0, nv = 0;
  std::vector<ReferenceJoint> joints;
  std::vector<std::string> frames;  ///< names of links
  std::vector<ReferenceSample> samples;
};

/// All files, sorted by name: those of the environment variable FEATHERLINE_REFERENCE_VALUES, which is "own" (or not
/// set) or "shared"; featherline_reference_test() of FeatherlineTest.cmake sets it. Mimic joints are independent joints
/// in them.
std::vector<ReferenceFile> load_references();

/// A file with the fields that ReferenceFile does not have: external forces, payloads and others.
struct NamedReferenceFile {
  std::string name;
  std::filesystem::path urdf;
  bool floating_base = false;
  int nv = 0;
  std::vector<std::string> frames;  ///< names of links
  /// Every array and number of a sample by its name in the file; matrices row by row.
  std::vector<std::map<std::string, Eigen::VectorXd>> samples;
};

/// The same files; those of "shared" are in ../shared/reference/more.
std::vector<NamedReferenceFile> load_named_references();

}  // namespace featherline::test
