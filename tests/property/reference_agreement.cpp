// The tree and the reference solver against the values of an independent library.
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "reference/solver.hpp"
#include "support/derivatives.hpp"
#include "support/diagnostic.hpp"
#include "support/reference_values.hpp"
#include "support/relative_error.hpp"

#include <doctest/doctest.h>

namespace property::reference_agreement {

using namespace featherline;
using test::relative_error;

namespace {

// The numbers as they stand in the file; observed: 4e-12 (tiago, whose mass matrix has condition 5e6), else 6e-13.
constexpr double tolerance = 1e-11;
// With right angles snapped, which moves decimal ones by 5e-12; observed: 6e-11 (ur5).
constexpr double snapped_tolerance = 1e-10;

const std::vector<test::ReferenceFile>& references() {
  static const std::vector<test::ReferenceFile> files = test::load_references();
  return files;
}

model::UserTree load_tree(const test::ReferenceFile& file, double snap_tolerance = 0.0) {
  Diagnostics findings;
  const description::Description robot = formats::read_file(file.urdf.string(), findings);
  model::BuildOptions options;
  options.floating_base = file.floating_base;
  options.mimic_independent = true;
  options.snap_tolerance = snap_tolerance;
  model::UserTree tree = model::build_tree(robot, options, findings);
  REQUIRE_FALSE(findings.has_errors());
  return tree;
}

Eigen::VectorXd flat(const test::Tensor& tensor) { return tensor.reshaped(); }

}  // namespace

TEST_CASE("of the independent library: the files are there") { REQUIRE(references().size() >= 8); }

TEST_CASE("of the independent library: joints, indices, placements and merged inertias") {
  for (const test::ReferenceFile& file : references()) {
    CAPTURE(file.name);
    const model::UserTree tree = load_tree(file);
    REQUIRE(tree.bodies.size() == file.joints.size());
    CHECK(tree.nq == file.nq);
    CHECK(tree.nv == file.nv);
    for (std::size_t i = 0; i < file.joints.size(); ++i) {
      const model::Body& body = tree.bodies[i];
      const test::ReferenceJoint& joint = file.joints[i];
      CAPTURE(joint.name);
      CHECK(body.joint.name == joint.name);
      CHECK(body.parent == joint.parent);
      CHECK(body.joint.idx_q == joint.idx_q);
      CHECK(body.joint.nq == joint.nq);
      CHECK(body.joint.idx_v == joint.idx_v);
      CHECK(body.joint.nv == joint.nv);
      CHECK(relative_error(body.joint.placement.R, joint.placement_R) <= tolerance);
      CHECK(relative_error(body.joint.placement.p, joint.placement_p) <= tolerance);
      CHECK(body.inertia.mass == doctest::Approx(joint.mass).epsilon(tolerance));
      CHECK(relative_error(body.inertia.h, Eigen::Vector3d(joint.mass * joint.com)) <= tolerance);
      const Eigen::Vector3d& c = joint.com;
      const Eigen::Matrix3d J =
          joint.inertia_com + joint.mass * (c.dot(c) * Eigen::Matrix3d::Identity() - c * c.transpose());
      CHECK(relative_error(body.inertia.J, J) <= tolerance);
    }
  }
}

TEST_CASE("of the independent library: inverse and forward dynamics, mass matrix and its inverse") {
  for (const test::ReferenceFile& file : references()) {
    CAPTURE(file.name);
    const model::UserTree tree = load_tree(file);
    reference::Solver<double> solver(tree);
    for (const test::ReferenceSample& s : file.samples) {
      CHECK(relative_error(solver.rnea(s.q, s.v, s.a), s.tau_rnea) <= tolerance);
      CHECK(relative_error(solver.aba(s.q, s.v, s.tau_in), s.ddq_aba) <= tolerance);
      CHECK(relative_error(solver.crba(s.q), s.M) <= tolerance);
      CHECK(relative_error(solver.minv(s.q), s.Minv) <= tolerance);
    }
  }
}

TEST_CASE("of the independent library: first derivatives") {
  for (const test::ReferenceFile& file : references()) {
    CAPTURE(file.name);
    const model::UserTree tree = load_tree(file);
    for (const test::ReferenceSample& s : file.samples) {
      const auto rnea = test::rnea_derivatives(tree, s.q, s.v, s.a);
      CHECK(relative_error(rnea.dtau_dq, s.dtau_dq) <= tolerance);
      CHECK(relative_error(rnea.dtau_dv, s.dtau_dv) <= tolerance);
      const auto aba = test::aba_derivatives(tree, s.q, s.v, s.tau_in);
      CHECK(relative_error(aba.da_dq, s.ddq_dq) <= tolerance);
      CHECK(relative_error(aba.da_dv, s.ddq_dv) <= tolerance);
      CHECK(relative_error(aba.da_dtau, s.Minv) <= tolerance);
    }
  }
}

// Forward dynamics and its derivatives are left out: they carry the snapping times the condition of M.
TEST_CASE("of the independent library: snapped to right angles by the default tolerance") {
  for (const test::ReferenceFile& file : references()) {
    CAPTURE(file.name);
    const model::UserTree tree = load_tree(file, model::BuildOptions::default_snap_tolerance);
    reference::Solver<double> solver(tree);
    for (const test::ReferenceSample& s : file.samples) {
      CHECK(relative_error(solver.rnea(s.q, s.v, s.a), s.tau_rnea) <= snapped_tolerance);
      CHECK(relative_error(solver.crba(s.q), s.M) <= snapped_tolerance);
      const auto derivatives = test::rnea_derivatives(tree, s.q, s.v, s.a);
      CHECK(relative_error(derivatives.dtau_dq, s.dtau_dq) <= snapped_tolerance);
      CHECK(relative_error(derivatives.dtau_dv, s.dtau_dv) <= snapped_tolerance);
    }
  }
}

TEST_CASE("of the independent library: second derivatives") {
  int compared = 0;
  for (const test::ReferenceFile& file : references()) {
    if (!file.has_tensors) continue;
    CAPTURE(file.name);
    const model::UserTree tree = load_tree(file);
    for (const test::ReferenceSample& s : file.samples) {
      const auto d2 = test::rnea_second_derivatives(tree, s.q, s.v, s.a);
      CHECK(relative_error(flat(d2.d2tau_dqdq), s.d2tau_dqdq) <= tolerance);
      CHECK(relative_error(flat(d2.d2tau_dvdv), s.d2tau_dvdv) <= tolerance);
      CHECK(relative_error(flat(d2.d2tau_dqdv), s.d2tau_dqdv) <= tolerance);
      CHECK(relative_error(flat(d2.dM_dq), s.dM_dq) <= tolerance);
      ++compared;
    }
  }
  CHECK(compared >= 11);
}

}  // namespace property::reference_agreement
