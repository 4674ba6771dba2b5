#include "algorithms/steps/steps.hpp"

#include "algorithms/whole_body/whole_body.hpp"

namespace featherline::algorithms {
namespace {

struct State {
  Coordinates q, v;
};

State semi_implicit(Context& c, Acceleration* acceleration) {
  const Coordinates &q = c.input("q"), &v = c.input("v");
  const Coordinates a = acceleration(c, v, c.input("tau"));
  c.begin_section("step");
  Coordinates next = c.keep(plus(v, c.dt(), a));
  return {position_after(c, q, plus(c.zeros(), c.dt(), next)), next};
}

State runge_kutta(Context& c, Acceleration* acceleration) {
  const Coordinates &q = c.input("q"), &v = c.input("v"), &tau = c.input("tau");
  const Scalar dt = c.dt(), half = Scalar(0.5) * dt;
  Coordinates q_i = q, v_i = v, sum_v = c.zeros(), sum_a = c.zeros();
  for (const int stage : {1, 2, 3, 4}) {
    Context at = c.at(q_i);
    const Coordinates a = acceleration(at, v_i, tau);
    const Scalar weight(stage == 2 || stage == 3 ? 2.0 : 1.0), &reach = stage == 3 ? dt : half;
    c.begin_section("stage " + std::to_string(stage));
    add_multiple(sum_v, weight, v_i);
    add_multiple(sum_a, weight, a);
    if (stage == 4) break;
    q_i = position_after(c, q, plus(c.zeros(), reach, v_i));
    v_i = c.keep(plus(v, reach, a));
  }
  const Scalar sixth = Scalar(1.0 / 6.0) * dt;
  return {position_after(c, q, plus(c.zeros(), sixth, sum_v)), plus(v, sixth, sum_a)};
}

}  // namespace

void take_step(Context& c, Acceleration* acceleration) {
  const bool is_implicit = c.full_tree().integrator == model::Integrator::semi_implicit;
  const State next = is_implicit ? semi_implicit(c, acceleration) : runge_kutta(c, acceleration);
  const std::vector<std::string> names = c.output_names();
  c.output_positions(names[0], next.q);
  c.output(names[1], next.v);
}

}  // namespace featherline::algorithms
