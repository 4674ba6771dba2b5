#include "catalog/functions.hpp"
#include "cli/commands.hpp"
#include "run_featherline.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

std::string answer(const std::string& name) {
  return run_featherline({"generate", test::planar3, "-o", "no_such_folder", "--functions", name}).err;
}

/// What `generate` suggests for a name it does not know; empty where it suggests nothing.
std::string suggested(const std::string& name) {
  const std::string text = answer(name);
  for (const std::string lead : {"did you mean \"", " is \""}) {
    const std::size_t begin = text.find(lead);
    if (begin == std::string::npos) continue;
    const std::size_t first = begin + lead.size();
    return text.substr(first, text.find('"', first) - first);
  }
  return {};
}

}  // namespace

TEST_CASE("names of other libraries lead to ours, with the difference that matters") {
  CHECK(answer("crba") ==
        "featherline: error: --functions: \"crba\" of Pinocchio is \"mass_matrix\" here: it fills both "
        "triangles, "
        "crba the upper one alone; featherline generate --help lists all functions\n");
  CHECK(
      contains(answer("randomConfiguration"), "\"randomConfiguration\" of Pinocchio does not exist here: "));
  CHECK(
      contains(answer("CalcGravityGeneralizedForces"), "of Drake is \"gravity\" here: with the other sign"));
  CHECK(contains(answer("mj_solveM"), "of MuJoCo is \"aza\" here"));
  CHECK(contains(answer("computeJointJacobian"), "LOCAL is that of computeJointJacobian"));
  CHECK(contains(answer("CalcBodySpatialJacobian"), "in body axes it is local"));
  CHECK(contains(answer("CalcMInvTimesTau"), "of RBDL is \"aza\" here"));
  CHECK(contains(answer("jacobian"), "\"jacobian\" is \"frame_jacobian\" here; featherline"));
}

TEST_CASE("names in any style lead to ours") {
  const std::vector<std::pair<std::string, std::string>> names{
      {"crba", "mass_matrix"},
      {"CRBA", "mass_matrix"},
      {"pinocchio::crba", "mass_matrix"},
      {"pin.crba", "mass_matrix"},
      {"EvalBodySpatialVelocityInWorld", "frame_velocities"},
      {"compute_minverse", "minv"},
      {"computeRneaDerivatives", "rnea_derivatives"},
      {"compute_rnea_derivatives", "rnea_derivatives"},
      {"frameJacobian", "frame_jacobian"},
      {"get_frame_jacobian", "frame_jacobian"},
      {"ccrba", "centroidal_momentum_matrix"},
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
      {"framesForwardKinematics", "link_poses"},
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
  for (const auto& name : names) {
    CAPTURE(name.first);
    CHECK(suggested(name.first) == name.second);
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
  CHECK(contains(text, "\"crba\" of Pinocchio is \"mass_matrix\" here"));
}

TEST_CASE(
    "every foreign name is written plainly, once in its library, and leads to a function or says why not") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const cli::ForeignName& name : cli::foreign_names()) {
    CAPTURE(name.theirs);
    CHECK(cli::plain(name.theirs) == name.theirs);
    CHECK(seen.emplace(name.library, name.theirs).second);
    if (name.ours.empty())
      CHECK_FALSE(name.note.empty());
    else
      CHECK(cli::resolve_functions({std::string(name.ours)}).size() == 1);
  }
  CHECK(seen.size() >= 180);
}

TEST_CASE("no foreign name hides one of ours") {
  for (const catalog::FunctionSpec& function : catalog::functions()) {
    CAPTURE(function.name);
    const cli::ForeignName* foreign = cli::find_foreign_name(function.name);
    CHECK((foreign == nullptr || foreign->ours == function.name));
  }
}
