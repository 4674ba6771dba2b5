#include "cli/names.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

/// What `generate` suggests for a name it does not know; empty where it suggests nothing.
std::string suggested(const std::string& name) {
  const std::string text =
      run_featherline({"generate", test::planar3, "-o", "no_such_folder", "--functions", name}).err;
  REQUIRE(contains(text, "is not one of"));
  const std::string lead = "did you mean \"";
  const std::size_t begin = text.find(lead);
  if (begin == std::string::npos) return {};
  const std::size_t first = begin + lead.size();
  return text.substr(first, text.find('"', first) - first);
}

}  // namespace

TEST_CASE("names of other libraries lead to ours") {
  const std::vector<std::pair<std::string, std::string>> names{
      {"crba", "mass_matrix"},
      {"CRBA", "mass_matrix"},
      {"pinocchio::crba", "mass_matrix"},
      {"nonLinearEffects", "bias"},
      {"computeConstraintDynamicsDerivatives", "constrained_dynamics_derivatives"},
      {"ForwardDynamicsConstraintsDirect", "constrained_dynamics"},
      {"computeDelassusMatrix", "delassus"},
      {"computeGeneralizedGravity", "gravity"},
      {"computeCoriolisMatrix", "coriolis_matrix"},
      {"computeMinverse", "minv"},
      {"computeRNEADerivatives", "rnea_derivatives"},
      {"computeABADerivatives", "aba_derivatives"},
      {"ComputeRNEASecondOrderDerivatives", "rnea_second_derivatives"},
      {"forwardKinematics", "forward_kinematics"},
      {"framesForwardKinematics", "forward_kinematics"},
      {"computeFrameJacobian", "frame_jacobian"},
      {"getFrameJacobian", "frame_jacobian"},
      {"computeJointJacobians", "frame_jacobian"},
      {"mj_inverse", "rnea"},
      {"mj_forward", "aba"},
      {"mj_fullM", "mass_matrix"},
      {"mj_solveM", "aza"},
      {"InverseDynamics", "rnea"},
      {"ForwardDynamics", "aba"},
      {"CompositeRigidBodyAlgorithm", "mass_matrix"},
      {"NonlinearEffects", "bias"},
      {"CalcPointJacobian", "frame_jacobian"},
      {"inverse_dynamics", "rnea"},
      {"forward-dynamics", "aba"},
      {"id", "rnea"},
      {"fd", "aba"},
      {"M", "mass_matrix"},
      {"mass", "mass_matrix"},
      {"inertia", "mass_matrix"},
      {"coriolis", "coriolis_matrix"},
      {"fk", "forward_kinematics"},
      {"jacobian", "frame_jacobian"},
      {"hessian", "rnea_second_derivatives"},
  };
  for (const auto& [theirs, ours] : names) {
    CAPTURE(theirs);
    CHECK(suggested(theirs) == ours);
  }
}

TEST_CASE("our own names in another style are recognised") {
  CHECK(suggested("RNEA") == "rnea");
  CHECK(suggested("ABA") == "aba");
  CHECK(suggested("massMatrix") == "mass_matrix");
  CHECK(suggested("rnea-derivatives") == "rnea_derivatives");
  CHECK(suggested("RNEA_Derivatives_Packed") == "rnea_derivatives_packed");
  CHECK(suggested("All") == "all");
  CHECK(suggested("second_order") == "second-order");
}

TEST_CASE("a slip of the fingers is still found, and nothing is suggested for what we do not have") {
  CHECK(suggested("rnae") == "rnea");
  CHECK(suggested("computeCollisions").empty());
  CHECK(suggested("_").empty());
}

TEST_CASE("--formulation takes the same hints") {
  const std::string text =
      run_featherline({"generate", test::planar3, "-o", "no_such_folder", "--formulation", "crba=x"}).err;
  CHECK(contains(text, "did you mean \"mass_matrix\"?"));
}

TEST_CASE("every foreign name leads to a function that exists") {
  const std::vector<std::string> targets = cli::targets_of_foreign_names();
  CHECK(targets.size() >= 60);
  for (const std::string& ours : targets) {
    CAPTURE(ours);
    CHECK(cli::resolve_functions({ours}).size() == 1);
  }
}
