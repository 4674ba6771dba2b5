#pragma once

#include <string>
#include <vector>

namespace featherline::bench {

/// Arguments of any emitted function at one state.
template <class S>
struct Inputs {
  const S *q, *v, *a;
  int link;  ///< for kinematics: index in Tree::links
};

template <class S>
using Call = void (*)(const Inputs<S>& inputs, S* output);

/// One emitted function behind a common signature. Outputs are stored one after the other: R and p, say.
struct EmittedFunction {
  std::string name;
  int num_outputs;
  Call<double> in_double;
  Call<float> in_float;
};

/// One robot generated for the benches; made by emitted_robot.cpp.in.
struct EmittedRobot {
  std::string name, urdf, manifest;
  bool floating_base;
  std::vector<EmittedFunction> functions;
};

/// All robots this build generated; made by robot_list.cpp.in.
std::vector<EmittedRobot> emitted_robots();

}  // namespace featherline::bench
