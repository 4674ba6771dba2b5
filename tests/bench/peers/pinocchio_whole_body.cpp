#include "peers/pinocchio_robot.hpp"

#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/energy.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace featherline::bench {

namespace {

using Robot = PinocchioRobot;
using State = PinocchioState;
using List = std::vector<double>;

}  // namespace

const std::vector<PinocchioFunction> pinocchio_whole_body = {
    {"coriolis_matrix",
     [](Robot& r, const State& x) { pinocchio::computeCoriolisMatrix(r.model, r.data, x.q, x.v); },
     [](const Robot& r, List& y) { append(y, r.data.C); }},
    {"center_of_mass", [](Robot& r, const State& x) { pinocchio::centerOfMass(r.model, r.data, x.q, false); },
     [](const Robot& r, List& y) { append(y, r.data.com[0]); }},
    {"center_of_mass_jacobian",
     [](Robot& r, const State& x) { pinocchio::jacobianCenterOfMass(r.model, r.data, x.q, false); },
     [](const Robot& r, List& y) { append(y, r.data.Jcom); }},
    {"centroidal_momentum",
     [](Robot& r, const State& x) { pinocchio::computeCentroidalMomentum(r.model, r.data, x.q, x.v); },
     [](const Robot& r, List& y) { append(y, r.data.hg.toVector()); }},
    {"centroidal_momentum_matrix",
     [](Robot& r, const State& x) { pinocchio::computeCentroidalMap(r.model, r.data, x.q); },
     [](const Robot& r, List& y) { append(y, r.data.Ag); }},
    {"centroidal_momentum_bias",
     [](Robot& r, const State& x) {
       pinocchio::computeCentroidalMomentumTimeVariation(r.model, r.data, x.q, x.v, r.no_acceleration);
     },
     [](const Robot& r, List& y) { append(y, r.data.dhg.toVector()); }},
    {"kinetic_energy",
     [](Robot& r, const State& x) { pinocchio::computeKineticEnergy(r.model, r.data, x.q, x.v); },
     [](const Robot& r, List& y) { y.push_back(r.data.kinetic_energy); }},
    {"potential_energy",
     [](Robot& r, const State& x) { pinocchio::computePotentialEnergy(r.model, r.data, x.q); },
     [](const Robot& r, List& y) { y.push_back(r.data.potential_energy); }},
    {"regressor",
     [](Robot& r, const State& x) { pinocchio::computeJointTorqueRegressor(r.model, r.data, x.q, x.v, x.a); },
     [](const Robot& r, List& y) { append(y, r.data.jointTorqueRegressor); }},
    {"integrate", [](Robot& r, const State& x) { pinocchio::integrate(r.model, x.q, x.v, r.position); },
     [](const Robot& r, List& y) { append(y, r.position); }},
    {"difference", [](Robot& r, const State& x) { pinocchio::difference(r.model, x.q, x.q1, r.step); },
     [](const Robot& r, List& y) { append(y, r.step); }},
};

}  // namespace featherline::bench
