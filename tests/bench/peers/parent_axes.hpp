#pragma once

#include <vector>

#include "model/tree.hpp"
#include "robot_inputs.hpp"

namespace featherline::bench {

/// Our floating and planar joints give v and a in the child's axes, a as componentwise derivative. Others use
/// the rate of the position, in the parent's axes: v_P = R v, a_P = R (a + omega x v). Angular parts stay as
/// they are.
void to_parent_axes(const model::Tree& tree, State& state);

/// The matching change of generalised forces, from the parent's axes back: f = R^T f_P.
void forces_to_body_axes(const model::Tree& tree, const State& state, std::vector<double>& tau);

}  // namespace featherline::bench
