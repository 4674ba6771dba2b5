#pragma once

#include "catalog/array.hpp"

namespace featherline::catalog {

/// Values for every input that a function has.
struct State {
  Eigen::VectorXd q, v, a, tau, b, w;
};

/// The inputs of the emitted functions. Other outputs are in functions.cpp. CMake reads the shapes, too
/// (runtime/cmake/ReadCatalogue.cmake), so an argument must begin with `Argument NAME{"NAME", {SHAPE}`.
namespace arguments {

inline const Argument q{
    "q",      {nq}, "joint positions", "rad, m", "; quaternions are unit, order x y z w", Quantity::position,
    &State::q};
inline const Argument v{"v",
                        {nv},
                        "joint velocities",
                        "rad/s, m/s",
                        "; floating: [linear; angular] in the body frame",
                        Quantity::velocity,
                        &State::v};
inline const Argument a{"a",
                        {nv},
                        "joint accelerations",
                        "rad/s^2, m/s^2",
                        ": time derivative of v, entry by entry",
                        Quantity::acceleration,
                        &State::a};
inline const Argument tau{"tau",
                          {nv},
                          "joint torques and forces",
                          "N m, N",
                          "; floating: [force; torque] in the body frame",
                          Quantity::force,
                          &State::tau};
inline const Argument b{
    "b", {nv}, "any generalised forces, like tau", "N m, N", "", Quantity::any_vector, &State::b};
inline const Argument w{"w", {nv}, "weights of the outputs", "", "", Quantity::any_vector, &State::w};

/// Inputs that every function has, after its own. There are none yet.
inline const std::vector<Argument> of_every_function{};

}  // namespace arguments

/// All inputs, in the order in which states list them.
const std::vector<Argument>& inputs();

}  // namespace featherline::catalog
