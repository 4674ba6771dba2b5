#include "peers/pinocchio_robot.hpp"

#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/impulse-dynamics.hpp>

namespace featherline::bench {

namespace {

using Robot = PinocchioRobot;
using State = PinocchioState;
using List = std::vector<double>;

void dynamics(Robot& r, const State& x) {
  pinocchio::constraintDynamics(r.model, r.data, x.q, x.v, x.a, r.contacts, r.contact_data, r.settings);
}

}  // namespace

const std::vector<PinocchioFunction> pinocchio_constraints = {
    {"constrained_dynamics", dynamics,
     [](const Robot& r, List& y) {
       append(y, r.data.ddq);
       append(y, r.data.lambda_c);
     }},
    {"constrained_dynamics_derivatives",
     [](Robot& r, const State& x) {
       dynamics(r, x);  // the derivatives begin with its results
       pinocchio::computeConstraintDynamicsDerivatives(r.model, r.data, r.contacts, r.contact_data,
                                                       r.settings);
     },
     [](const Robot& r, List& y) {
       append(y, r.data.ddq_dq);
       append(y, r.data.ddq_dv);
       append(y, r.data.ddq_dtau);
       append(y, r.data.dlambda_dq);
       append(y, r.data.dlambda_dv);
       append(y, r.data.dlambda_dtau);
     }},
    {"impulse_dynamics",
     [](Robot& r, const State& x) {
       pinocchio::impulseDynamics(r.model, r.data, x.q, x.v, r.contacts, r.contact_data, 0.0, r.settings);
     },
     [](const Robot& r, List& y) {
       append(y, r.data.dq_after);
       append(y, r.data.impulse_c);
     }},
};

}  // namespace featherline::bench
