#pragma once

#include <string>
#include <vector>

namespace featherline::bench {

/// What a step takes and gives; arrays of one state.
struct Step {
  const double *q, *v, *tau;
  double dt;
  const double *contact, *start;
};
struct End {
  double *q, *v, *impulse, *status, *A, *B;
};

/// One robot with contact points.
struct ContactRobot {
  std::string name;
  int nq, nv, num_points;
  void (*free_step)(const Step&, End&);
  void (*cold)(const Step&, End&);
  void (*warm)(const Step&, End&);
  void (*derivatives)(const Step&, End&);
};

inline std::vector<ContactRobot>& contact_robots() {
  static std::vector<ContactRobot> all;
  return all;
}

template <class F>
bool add_robot(const char* name) {
  contact_robots().push_back(
      {name, F::nq, F::nv, F::num_points, F::free_step, F::cold, F::warm, F::derivatives});
  return true;
}

}  // namespace featherline::bench
