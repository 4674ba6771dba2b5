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
  return {position_after(c, q, scaled(c.dt(), next)), next};
}

}  // namespace

void take_step(Context& c, Acceleration* acceleration) {
  if (c.full_tree().integrator == model::Integrator::rk4) return runge_kutta_in_calls(c, acceleration);
  const State next = semi_implicit(c, acceleration);
  const std::vector<std::string> names = c.output_names();
  c.output_positions(names[0], next.q);
  c.output(names[1], next.v);
}

}  // namespace featherline::algorithms
