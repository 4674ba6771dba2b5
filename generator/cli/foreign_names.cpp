#include "cli/foreign_names.hpp"

#include "support/diagnostic.hpp"

#include <algorithm>
#include <span>

namespace featherline::cli {
namespace {

struct Entry {
  std::string_view theirs, ours, note = {};
};

// Source: include/pinocchio/algorithm of Pinocchio 3.7, and the names of its Python module.
constexpr Entry pinocchio[] = {
    {"crba", "mass_matrix", "it fills both triangles, crba the upper one alone"},
    {"nonlineareffects", "bias"},
    {"computegeneralizedgravity", "gravity"},
    {"computestatictorque", "bias",
     "call it with v = 0; --external-forces names the links that forces act on"},
    {"computecoriolismatrix", "coriolis_matrix"},
    {"getcoriolismatrix", "coriolis_matrix"},
    {"computeminverse", "minv", "it fills both triangles, computeMinverse the upper one alone"},
    {"computeminv", "minv"},
    {"decompose", "aza", "it factors M and solves in one call"},
    {"solve", "aza", "it factors M and solves in one call"},
    {"computerneaderivatives", "rnea_derivatives",
     "it fills dtau_dq and dtau_dv, and clears them itself; dtau_da is mass_matrix"},
    {"computeabaderivatives", "aba_derivatives", "da_dtau is M^-1 with both triangles"},
    {"computerneasecondorderderivatives", "rnea_second_derivatives"},
    {"computegeneralizedgravityderivatives", "rnea_derivatives", "dtau_dq at v = 0 and a = 0"},
    {"computestatictorquederivatives", "rnea_derivatives",
     "dtau_dq at v = 0 and a = 0, with --external-forces"},
    {"computeallterms", "", "name what you need, e.g. --functions mass_matrix,bias,link_poses"},
    {"framesforwardkinematics", "link_poses",
     "forward_kinematics gives one link, frame_poses those of --frames"},
    {"updateframeplacement", "forward_kinematics", "q is its input; no call has to come before"},
    {"updateframeplacements", "link_poses", "q is its input; no call has to come before"},
    {"updateglobalplacements", "link_poses", "q is its input; no call has to come before"},
    {"computeframejacobian", "frame_jacobian",
     "local_world_aligned is its default, LOCAL that of computeFrameJacobian"},
    {"getframejacobian", "frame_jacobian", "q is its input; no call has to come before"},
    {"computejointjacobian", "frame_jacobian",
     "it takes the link that the joint moves; LOCAL is that of computeJointJacobian"},
    {"computejointjacobians", "frame_jacobian", "it takes a link; frame_jacobians gives those of --frames"},
    {"getjointjacobian", "frame_jacobian", "it takes the link that the joint moves"},
    {"getframevelocity", "frame_velocities", "of the frames of --frames, in the axes of --frame-axes"},
    {"getvelocity", "frame_velocities", "of the frames of --frames, in the axes of --frame-axes"},
    {"getframeacceleration", "frame_accelerations", "they are classical, as getFrameClassicalAcceleration"},
    {"getframeclassicalacceleration", "frame_accelerations", "of the frames of --frames"},
    {"getacceleration", "frame_accelerations", "they are classical, as getClassicalAcceleration"},
    {"getclassicalacceleration", "frame_accelerations", "of the frames of --frames"},
    {"framejacobiantimevariation", "frame_bias", "the product dJ/dt v; dJ/dt itself does not exist"},
    {"getframejacobiantimevariation", "frame_bias", "the product dJ/dt v; dJ/dt itself does not exist"},
    {"computejointjacobianstimevariation", "frame_bias", "the product dJ/dt v; dJ/dt itself does not exist"},
    {"getjointjacobiantimevariation", "frame_bias", "the product dJ/dt v; dJ/dt itself does not exist"},
    {"computeforwardkinematicsderivatives", "frame_acceleration_derivatives", "of the frames of --frames"},
    {"getframevelocityderivatives", "frame_velocity_derivatives", "dV_dq; dV_dv is frame_jacobians"},
    {"getjointvelocityderivatives", "frame_velocity_derivatives", "dV_dq; dV_dv is frame_jacobians"},
    {"getpointvelocityderivatives", "frame_velocity_derivatives", "dV_dq; dV_dv is frame_jacobians"},
    {"getframeaccelerationderivatives", "frame_acceleration_derivatives", "of classical accelerations"},
    {"getjointaccelerationderivatives", "frame_acceleration_derivatives", "of classical accelerations"},
    {"getpointclassicaccelerationderivatives", "frame_acceleration_derivatives", "of the frames of --frames"},
    {"computejointkinematichessians", "frame_velocity_derivatives", "d(J v)/dq for a given v"},
    {"getjointkinematichessian", "frame_velocity_derivatives", "d(J v)/dq for a given v"},
    {"computejointtorqueregressor", "regressor"},
    {"computestaticregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"bodyregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"jointbodyregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"framebodyregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"computekineticenergyregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"computepotentialenergyregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"computejointkinematicregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"computeframekinematicregressor", "", "of the regressors only that of joint torques exists, regressor"},
    {"jacobiancenterofmass", "center_of_mass_jacobian"},
    {"getjacobiancomfromcrba", "center_of_mass_jacobian"},
    {"jacobiansubtreecenterofmass", "", "center_of_mass_jacobian is that of the whole robot"},
    {"getjacobiansubtreecenterofmass", "", "center_of_mass_jacobian is that of the whole robot"},
    {"getcomfromcrba", "center_of_mass"},
    {"getcenterofmassvelocityderivatives", "", "center_of_mass_jacobian is the derivative with respect to v"},
    {"computetotalmass", "", "total_mass is a constant of the emitted header"},
    {"computesubtreemasses", "", "featherline inspect shows the masses"},
    {"computecentroidalmomentum", "centroidal_momentum"},
    {"computecentroidalmomentumtimevariation", "centroidal_momentum_bias",
     "the rate is A a + b, A being centroidal_momentum_matrix"},
    {"ccrba", "centroidal_momentum_matrix"},
    {"computecentroidalmap", "centroidal_momentum_matrix"},
    {"dccrba", "centroidal_momentum_bias", "the product dA/dt v; dA/dt itself does not exist"},
    {"computecentroidalmaptimevariation", "centroidal_momentum_bias",
     "the product dA/dt v; dA/dt itself does not exist"},
    {"computecentroidaldynamicsderivatives", "", "centroidal quantities have no derivatives here"},
    {"getcentroidaldynamicsderivatives", "", "centroidal quantities have no derivatives here"},
    {"computekineticenergy", "kinetic_energy", "armature has no part in it"},
    {"computepotentialenergy", "potential_energy"},
    {"computemechanicalenergy", "kinetic_energy", "add potential_energy; armature has no part in it"},
    {"constraintdynamics", "constrained_dynamics", "--contacts and the URDF say what is held"},
    {"initconstraintdynamics", "constrained_dynamics", "nothing has to be initialised"},
    {"contactaba", "constrained_dynamics"},
    {"constrainedaba", "constrained_dynamics"},
    {"pv", "constrained_dynamics"},
    {"initpvsolver", "constrained_dynamics", "nothing has to be initialised"},
    {"contactdynamics", "constrained_dynamics"},
    {"computeconstraintdynamicsderivatives", "constrained_dynamics_derivatives"},
    {"computekktcontactdynamicmatrixinverse", "constrained_dynamics_derivatives",
     "da_dtau and dlambda_dtau are its blocks"},
    {"getkktcontactdynamicmatrixinverse", "constrained_dynamics_derivatives",
     "da_dtau and dlambda_dtau are its blocks"},
    {"impulsedynamics", "impulse_dynamics", "impacts are inelastic"},
    {"computeimpulsedynamicsderivatives", "", "impulse_dynamics has no derivatives"},
    {"contactinversedynamics", "", "rnea with --external-forces takes known forces"},
    {"computecontactforces", "", "constrained_dynamics gives the forces lambda"},
    {"computecontactimpulses", "", "impulse_dynamics gives the impulses"},
    {"computedelassusmatrix", "delassus"},
    {"initpvdelassus", "delassus", "nothing has to be initialised"},
    {"computedampeddelassusmatrixinverse", "delassus", "the matrix itself, without damping"},
    {"getconstraintjacobian", "frame_jacobians", "name the contacts' frames in --frames"},
    {"getconstraintsjacobian", "frame_jacobians", "name the contacts' frames in --frames"},
    {"dintegrate", "integrate_derivatives"},
    {"dintegratetransport", "integrate_derivatives", "multiply with dq or ddv"},
    {"ddifference", "integrate_derivatives",
     "at dv = difference(q0, q1), the derivative with respect to q1 is the inverse of ddv"},
    {"interpolate", "integrate", "integrate(q0, u * difference(q0, q1))"},
    {"distance", "difference", "its norm"},
    {"squareddistance", "difference", "its squared norm"},
    {"issameconfiguration", "difference", "it is zero then"},
    {"normalize", "", "integrate returns unit quaternions"},
    {"isnormalized", "", "integrate returns unit quaternions"},
    {"neutral", "", "neutral is a constant of the emitted header"},
    {"randomconfiguration", "", "the limits stand in joints[] of the emitted header"},
    {"computesupportedinertiabyframe", "", "there is no such function"},
    {"computesupportedforcebyframe", "", "there is no such function"},
    {"buildreducedmodel", "", "give the joints to --lock JOINT=VALUE,..."},
    {"buildmimicmodel", "", "write <mimic> into the URDF"},
    {"transformjointintomimic", "", "write <mimic> into the URDF"},
    {"appendmodel", "", "put both robots into one URDF"},
    {"getrelativeplacement", "forward_kinematics", "relative to the world"},
    {"updategeometryplacements", "link_poses", "of links; their geometry is not read"},
    {"squareddistancesum", "difference", "its squared norm"},
};

// Source: the API reference of MuJoCo.
constexpr Entry mujoco[] = {
    {"mjinverse", "rnea"},
    {"mjrne", "rnea", "mj_rne leaves out M a unless it is asked for"},
    {"mjrnepostconstraint", "frame_accelerations", "of the frames of --frames"},
    {"mjforward", "aba", "contacts with --contacts: constrained_dynamics; quaternions are x y z w here"},
    {"mjfwdacceleration", "aba"},
    {"mjstep", "aba", "then v += h a, and integrate(q, h v)"},
    {"mjfullm", "mass_matrix"},
    {"mjcrb", "mass_matrix", "it is a full matrix"},
    {"mjmakem", "mass_matrix", "it is a full matrix"},
    {"mjmulm", "mass_matrix", "multiply by it"},
    {"mjsolvem", "aza"},
    {"mjfactorm", "aza", "it factors M and solves in one call"},
    {"mjkinematics", "link_poses", "quaternions in q are x y z w here"},
    {"mjfwdposition", "link_poses", "quaternions in q are x y z w here"},
    {"mjjac", "frame_jacobian", "rows are linear, then angular"},
    {"mjjacbody", "frame_jacobian", "rows are linear, then angular"},
    {"mjjacsite", "frame_jacobian", "rows are linear, then angular; --frames places frames in links"},
    {"mjjacgeom", "frame_jacobian", "rows are linear, then angular; --frames places frames in links"},
    {"mjjacbodycom", "frame_jacobian", "of the link's origin; --frames places frames in links"},
    {"mjjacdot", "frame_bias", "the product dJ/dt v"},
    {"mjjacsubtreecom", "center_of_mass_jacobian", "of the whole robot"},
    {"mjobjectvelocity", "frame_velocities", "linear first, then angular"},
    {"mjobjectacceleration", "frame_accelerations", "linear first, then angular, without gravity"},
    {"mjcompos", "center_of_mass"},
    {"mjangmommat", "centroidal_momentum_matrix", "its first three rows are the linear momentum"},
    {"mjenergyvel", "kinetic_energy"},
    {"mjenergypos", "potential_energy"},
    {"mjgettotalmass", "", "total_mass is a constant of the emitted header"},
    {"mjintegratepos", "integrate", "quaternions are x y z w here, and linear velocity is in body axes"},
    {"mjdifferentiatepos", "difference", "quaternions are x y z w here, and linear velocity is in body axes"},
    {"mjdinversefd", "rnea_derivatives", "analytical, not by finite differences"},
    {"mjdtransitionfd", "aba_derivatives", "of the acceleration, not of a step; analytical"},
    {"qfrcbias", "bias"},
    {"qfrcinverse", "rnea"},
};

// Source: the documentation of RBDL.
constexpr Entry rbdl[] = {
    {"inversedynamics", "rnea"},
    {"forwarddynamics", "aba", "under contacts it is constrained_dynamics"},
    {"forwarddynamicslagrangian", "aba"},
    {"compositerigidbodyalgorithm", "mass_matrix", "it clears the matrix itself"},
    {"calcminvtimestau", "aza"},
    {"calccenterofmass", "center_of_mass"},
    {"calckineticenergy", "kinetic_energy"},
    {"calcpotentialenergy", "potential_energy"},
    {"calcpointjacobian", "frame_jacobian", "rows are linear, then angular; --frames places points in links"},
    {"calcpointjacobian6d", "frame_jacobian", "rows are linear, then angular"},
    {"calcbodyspatialjacobian", "frame_jacobian", "rows are linear, then angular; in body axes it is local"},
    {"calcpointvelocity", "frame_velocities", "of the frames of --frames"},
    {"calcpointvelocity6d", "frame_velocities", "linear first, then angular"},
    {"calcpointacceleration", "frame_accelerations", "of the frames of --frames"},
    {"calcpointacceleration6d", "frame_accelerations", "linear first, then angular"},
    {"calcbodytobasecoordinates", "forward_kinematics", "the point is R x + p"},
    {"calcbodyworldorientation", "forward_kinematics", "R turns link axes to world axes: the transpose"},
    {"updatekinematics", "link_poses", "no call has to come before others"},
    {"forwarddynamicsconstraintsdirect", "constrained_dynamics"},
    {"forwarddynamicsconstraintsrangespacesparse", "constrained_dynamics"},
    {"forwarddynamicsconstraintsnullspace", "constrained_dynamics"},
    {"forwarddynamicscontactsdirect", "constrained_dynamics"},
    {"forwarddynamicscontactskokkevis", "constrained_dynamics"},
    {"computeconstraintimpulsesdirect", "impulse_dynamics", "impacts are inelastic"},
    {"computeconstraintimpulsesrangespacesparse", "impulse_dynamics", "impacts are inelastic"},
    {"computeconstraintimpulsesnullspace", "impulse_dynamics", "impacts are inelastic"},
    {"calcconstraintspositionerror", "constraint_residual"},
    {"calcconstraintsvelocityerror", "constraint_residual"},
    {"calcconstraintsjacobian", "frame_jacobians", "name the contacts' frames in --frames"},
    {"inversekinematics", "", "tests/controllers solves it with frame_poses and frame_jacobians"},
};

// Source: the documentation of MultibodyPlant in Drake.
constexpr Entry drake[] = {
    {"calcinversedynamics", "rnea", "gravity is in it"},
    {"calcmassmatrix", "mass_matrix"},
    {"calcmassmatrixviainversedynamics", "mass_matrix"},
    {"calcbiasterm", "bias", "gravity is in it"},
    {"calcgravitygeneralizedforces", "gravity", "with the other sign: the torques that hold the robot"},
    {"calcjacobianspatialvelocity", "frame_jacobian", "rows are linear, then angular"},
    {"calcjacobiantranslationalvelocity", "frame_jacobian", "its first three rows"},
    {"calcjacobianangularvelocity", "frame_jacobian", "its last three rows"},
    {"calcbiasspatialacceleration", "frame_bias", "linear first, then angular"},
    {"calcbiastranslationalacceleration", "frame_bias", "its first three rows"},
    {"calccenterofmasspositioninworld", "center_of_mass"},
    {"calcjacobiancenterofmasstranslationalvelocity", "center_of_mass_jacobian"},
    {"calcspatialmomentuminworldaboutpoint", "centroidal_momentum", "about the centre of mass; linear first"},
    {"calcrelativetransform", "forward_kinematics", "relative to the world"},
    {"evalbodyposeinworld", "forward_kinematics"},
    {"evalbodyspatialvelocityinworld", "frame_velocities", "linear first, then angular"},
    {"evalbodyspatialaccelerationinworld", "frame_accelerations", "linear first, then angular"},
    {"calctotalmass", "", "total_mass is a constant of the emitted header"},
};

constexpr Entry textbooks[] = {
    {"delassusmatrix", "delassus"},
    {"com", "center_of_mass"},
    {"jcom", "center_of_mass_jacobian"},
    {"comjacobian", "center_of_mass_jacobian"},
    {"cmm", "centroidal_momentum_matrix"},
    {"id", "rnea"},
    {"newtoneuler", "rnea"},
    {"recursivenewtoneuler", "rnea"},
    {"recursivenewtoneuleralgorithm", "rnea"},
    {"rne", "rnea"},
    {"fd", "aba"},
    {"articulatedbody", "aba"},
    {"articulatedbodyalgorithm", "aba"},
    {"crb", "mass_matrix"},
    {"compositerigidbody", "mass_matrix"},
    {"m", "mass_matrix"},
    {"mass", "mass_matrix"},
    {"inertia", "mass_matrix"},
    {"inertiamatrix", "mass_matrix"},
    {"jointspaceinertia", "mass_matrix"},
    {"jointspaceinertiamatrix", "mass_matrix"},
    {"minverse", "minv"},
    {"inversemass", "minv"},
    {"inverseinertia", "minv"},
    {"massmatrixinverse", "minv"},
    {"inversemassmatrix", "minv"},
    {"inverseinertiamatrix", "minv"},
    {"c", "coriolis_matrix"},
    {"coriolis", "coriolis_matrix"},
    {"g", "gravity"},
    {"gravityvector", "gravity"},
    {"generalizedgravity", "gravity"},
    {"biasforce", "bias"},
    {"biasforces", "bias"},
    {"nle", "bias"},
    {"inversedynamicsderivatives", "rnea_derivatives"},
    {"idsva", "rnea_derivatives"},
    {"forwarddynamicsderivatives", "aba_derivatives"},
    {"dfd", "aba_derivatives"},
    {"hessian", "rnea_second_derivatives"},
    {"hessians", "rnea_second_derivatives"},
    {"idsvaso", "rnea_second_derivatives"},
    {"secondderivatives", "rnea_second_derivatives"},
    {"computeforwardkinematics", "forward_kinematics"},
    {"fk", "forward_kinematics"},
    {"j", "frame_jacobian"},
    {"jac", "frame_jacobian"},
    {"jacobian", "frame_jacobian"},
    {"jacobians", "frame_jacobian"},
    {"geometricjacobian", "frame_jacobian"},
};

std::vector<ForeignName> collect() {
  std::vector<ForeignName> names;
  const auto add = [&](std::span<const Entry> entries, std::string_view library) {
    for (const Entry& entry : entries) names.push_back({entry.theirs, entry.ours, entry.note, library});
  };
  add(pinocchio, "Pinocchio");
  add(mujoco, "MuJoCo");
  add(rbdl, "RBDL");
  add(drake, "Drake");
  add(textbooks, "");
  return names;
}

}  // namespace

std::string plain(std::string_view word) {
  const std::size_t scope = word.find_last_of(":.");
  if (scope != std::string_view::npos) word.remove_prefix(scope + 1);
  std::string text;
  for (const char c : word) {
    if (c == '_' || c == '-') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

const std::vector<ForeignName>& foreign_names() {
  static const std::vector<ForeignName> names = collect();
  return names;
}

const ForeignName* find_foreign_name(std::string_view word) {
  const std::vector<ForeignName>& names = foreign_names();
  const auto found =
      std::find_if(names.begin(), names.end(),
                   [wanted = plain(word)](const ForeignName& name) { return name.theirs == wanted; });
  return found == names.end() ? nullptr : &*found;
}

std::string describe(const ForeignName& name, std::string_view word) {
  std::string text = in_quotes(word);
  if (!name.library.empty()) text += " of " + std::string(name.library);
  text += name.ours.empty() ? " does not exist here" : " is " + in_quotes(name.ours) + " here";
  if (!name.note.empty()) text += ": " + std::string(name.note);
  return text;
}

}  // namespace featherline::cli
