#pragma once

#include <featherline/joint_info.hpp>

#include <string>
#include <vector>

namespace featherline::bench {

template <class S>
struct State {
  const S *q, *v, *a;  ///< forward dynamics takes its torques from a
};

/// One emitted function in both scalars.
struct Function {
  std::string name;
  std::vector<int> sizes;  ///< of its output arrays
  void (*in_double)(const State<double>& x, double* y);
  void (*in_float)(const State<float>& x, float* y);
};

/// A generated robot; made by robot.cpp.in.
struct Robot {
  std::string name;
  int nq, nv;
  std::vector<JointInfo> joints;
  std::vector<Function> functions;
};

/// `sizes` so many times.
inline std::vector<int> repeated(const std::vector<int>& sizes, int times) {
  std::vector<int> all;
  for (int k = 0; k < times; ++k) {
    for (const int size : sizes) all.push_back(size);
  }
  return all;
}

/// All robots this build generated; made by robot_list.cpp.in.
std::vector<Robot> float_error_robots();

}  // namespace featherline::bench
