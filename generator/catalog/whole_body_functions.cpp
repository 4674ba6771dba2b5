#include "catalog/entries.hpp"

#include "algorithms/limb_lanes.hpp"
#include "algorithms/regressor.hpp"
#include "algorithms/tangent_steps.hpp"
#include "catalog/formulations.hpp"

/// What the robot is and does as a whole.
namespace featherline::catalog {

using namespace algorithms;
using namespace arguments;

namespace {

const Dependence on_gravity_alone{.gravity = true};

// Parameters of bodies.
const Argument Y{
    "Y",
    {nv, 10 * num_bodies},
    "tau = Y pi: rows like tau [N m, N]; ten columns for each body in joint order, for m [kg], m cx, "
    "m cy, m cz [kg m], Ixx, Ixy, Iyy, Ixz, Iyz, Izz [kg m^2] about the origin of the body's joint "
    "frame, in its axes"};
const Argument Y_base{
    "Y",
    {nv, num_base_parameters},
    "tau = Y beta: rows like tau [N m, N], columns like base_parameters, which says how beta is "
    "made of pi. They are the columns base_columns of regressor"};

// Steps in the configuration space.
const Argument q_next{
    "q_next", {nq}, "where the step ends", "rad, m", "; quaternions are unit, order x y z w"};
const Argument dq{"dq",
                  {nv, nv},
                  "d q_next / d q: rows steps of q_next [rad, m], columns steps of q",
                  "rad, m",
                  "; the identity where q_next is q + dv"};
const Argument ddv{"ddv",
                   {nv, nv},
                   "d q_next / d dv: rows steps of q_next [rad, m], columns entries of dv",
                   "rad, m",
                   "; the identity where q_next is q + dv"};

const FunctionSpec entries[] = {
    {.name = "regressor",
     .group = whole_body,
     .brief = "Inverse dynamics, gravity included and joint dynamics left out, as a linear function of the "
              "inertial parameters of the bodies.",
     .source = "Atkeson, An, Hollerbach 1986; Featherstone, RBDA section 5.3",
     .inputs = {q, v, a},
     .outputs = {Y},
     .depends = on_gravity_alone,
     .formulations = or_lanes({{"carried axes", regressor<Scalar>}}, regressor<Scalar>)},
    {.name = "base_regressor",
     .group = whole_body,
     .brief = "The regressor of the smallest set of inertial parameters that says the same.",
     .source = "Gautier, Khalil 1990; Atkeson, An, Hollerbach 1986",
     .inputs = {q, v, a},
     .outputs = {Y_base},
     .depends = on_gravity_alone,
     .formulations = {{"carried axes", base_regressor<Scalar>},
                      in_lanes(base_regressor<Scalar>,
                               [](const model::Tree& tree) {
                                 return has_limbs(tree) && limbs_share_base_parameters(tree);
                               })}},
    {.name = "integrate",
     .group = whole_body,
     .brief =
         "A step of the tangent space, q (+) dv: floating, planar and spherical joints move for unit time "
         "with the constant velocity dv in the axes of the child, other joints add.",
     .source = "Murray, Li, Sastry 1994, section 2.3; Sola, Deray, Atchuthan 2018, \"A micro Lie theory\"",
     .inputs = {q, dv},
     .outputs = {q_next},
     .formulations = {{"exponential map", integrate<Scalar>}}},
    {.name = "difference",
     .group = whole_body,
     .brief =
         "The step from q0 to q1, q0 (+) dv = q1: quaternions turn the short way, all angles subtract. "
         "Where the angle of a planar joint changes by a full turn, no step of finite length may lead there.",
     .source = "Sola, Deray, Atchuthan 2018, \"A micro Lie theory\", eqs. (143) to (146)",
     .inputs = {q0, q1},
     .outputs = {dv},
     .formulations = {{"exponential map", difference<Scalar>}}},
    {.name = "integrate_derivatives",
     .group = whole_body,
     .brief =
         "Derivatives of q (+) dv with respect to q and dv, from tangent space to tangent space. They do not "
         "depend on q.",
     .source = "Sola, Deray, Atchuthan 2018, \"A micro Lie theory\", eqs. (143) to (180)",
     .inputs = {q, dv},
     .outputs = {dq, ddv},
     .formulations = {{"exponential map", integrate_derivatives<Scalar>}}}};

}  // namespace

std::vector<FunctionSpec> whole_body_functions() { return {std::begin(entries), std::end(entries)}; }

}  // namespace featherline::catalog
