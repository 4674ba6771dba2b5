#include "catalog/entries.hpp"

#include "algorithms/limb_lanes.hpp"
#include "algorithms/regressor.hpp"
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
                      in_lanes(base_regressor<Scalar>, [](const model::Tree& tree) {
                        return has_limbs(tree) && limbs_share_base_parameters(tree);
                      })}}};

}  // namespace

std::vector<FunctionSpec> whole_body_functions() { return {std::begin(entries), std::end(entries)}; }

}  // namespace featherline::catalog
