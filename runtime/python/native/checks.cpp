#include "checks.hpp"

#include <cmath>
#include <string>

namespace featherline::python {

namespace {

std::string of_state(const Count& count, npy_intp state) {
  return count.is_batch ? " of state " + std::to_string(state) : "";
}

template <class S>
double norm_squared(const S* numbers) {
  double sum = 0.0;
  for (int i = 0; i < 4; ++i) sum += static_cast<double>(numbers[i]) * static_cast<double>(numbers[i]);
  return sum;
}

bool refuse_quaternion(const Place& place, const Quaternion& quaternion, double norm, const Count& count,
                       npy_intp state) {
  char text[32];
  PyOS_snprintf(text, sizeof text, "%.9g", norm);
  PyErr_Format(PyExc_ValueError, "%s: %s[%d:%d]%s, the quaternion of joint \"%s\", has norm %s; expected 1",
               place.function, place.array.name, quaternion.index, quaternion.index + 4,
               of_state(count, state).c_str(), quaternion.joint, text);
  return false;
}

/// The norm that rounding, and an integrator that renormalises now and then, leave.
constexpr double norm_tolerance_float64 = 1e-6, norm_tolerance_float32 = 1e-4;

template <class S>
bool check_norms(const Place& place, const Robot& robot, const S* q, const Count& count, double tolerance) {
  for (npy_intp state = 0; state < count.value; ++state) {
    for (const Quaternion& quaternion : robot.quaternions) {
      const double squared = norm_squared(q + state * robot.nq + quaternion.index);
      if (!(std::fabs(squared - 1.0) <= 2.0 * tolerance))  // NaN, too
        return refuse_quaternion(place, quaternion, std::sqrt(squared), count, state);
    }
  }
  return true;
}

template <class S>
bool check_active(const Place& place, const Robot& robot, const S* active, const Count& count) {
  const int size = place.array.sides[0];
  const bool weighs = place.array.demand == Demand::weights;
  for (npy_intp i = 0; i < count.value * size; ++i) {
    const S x = active[i];
    if (weighs ? x >= S(0) && std::isfinite(x) : x == S(0) || x == S(1)) continue;
    const int k = static_cast<int>(i % size);
    char text[32];
    PyOS_snprintf(text, sizeof text, "%.9g", static_cast<double>(active[i]));
    PyErr_Format(
        PyExc_ValueError,
        "%s: %s[%d]%s, of constraint \"%s\", is %s; expected %s, or 0 for a constraint that does not hold",
        place.function, place.array.name, k, of_state(count, i / size).c_str(), robot.constraints[k].name,
        text, weighs ? "a positive weight" : "1");
    return false;
  }
  return true;
}

template <class S>
bool check(const Place& place, const Robot& robot, const S* numbers, const Count& count, double tolerance) {
  if (place.array.demand != Demand::unit_quaternions) return check_active(place, robot, numbers, count);
  return robot.quaternions.size == 0 || check_norms(place, robot, numbers, count, tolerance);
}

}  // namespace

bool check_numbers(const Place& place, const Robot& robot, PyArrayObject* array, int scalar,
                   const Count& count) {
  if (place.array.demand == Demand::none) return true;
  const void* numbers = PyArray_DATA(array);
  if (scalar == NPY_DOUBLE)
    return check(place, robot, static_cast<const double*>(numbers), count, norm_tolerance_float64);
  return check(place, robot, static_cast<const float*>(numbers), count, norm_tolerance_float32);
}

}  // namespace featherline::python
