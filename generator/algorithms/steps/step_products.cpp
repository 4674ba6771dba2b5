#include "algorithms/steps/steps.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <vector>

/// w^T times the derivatives of a step, from its end back to its start: what a later value weighs goes to those that it
/// came from. A stage costs forward dynamics and aba_vjp.
namespace featherline::algorithms {
namespace {

/// A^T x.
Coordinates transposed_product(const SquareMatrix& A, const Coordinates& x) {
  Coordinates y(x.size());
  for (int k = 0; k < A.size(); ++k) y[index(k)] = dot(A.column(k), x);
  return y;
}

/// Of q (+) step: the weights of q, and those of the step.
std::pair<Coordinates, Coordinates> weights_of_move(Context& c, const Coordinates& step,
                                                    const Coordinates& w) {
  const PositionDerivatives d = position_derivatives(c, step);
  return {c.keep(transposed_product(d.dq, w)), c.keep(transposed_product(d.ddv, w))};
}

/// The weights of q_next and of v_next.
std::pair<Coordinates, Coordinates> weights_of_end(const Context& c) {
  const Coordinates& w = c.input(step_weights);
  const auto middle = w.begin() + c.nv();
  return {{w.begin(), middle}, {middle, w.end()}};
}

/// Forward dynamics at a state.
struct Stage {
  Context at;
  Solve solve;
  Coordinates v, a;

  Stage(Context context, const Coordinates& velocities, MakeSolver* make_solver)
      : at(std::move(context)),
        solve(make_solver(at)),
        v(velocities),
        a(at.keep(solve(net_torque(at, v, at.input("tau"))))) {}
  Stage(const Stage&) = delete;  // the solver refers to the context

  WeightedRates weights(const Coordinates& of_a) { return weighted_rates(at, solve, v, a, of_a); }
};

WeightedRates semi_implicit(Context& c, MakeSolver* make_solver) {
  const Scalar dt = c.dt();
  Stage stage(c, c.input("v"), make_solver);
  const auto [of_q_next, of_v_next] = weights_of_end(c);
  const auto [of_q, of_step] = weights_of_move(c, scaled(dt, c.keep(plus(stage.v, dt, stage.a))), of_q_next);
  const Coordinates of_v = c.keep(plus(of_v_next, dt, of_step));
  const WeightedRates w = stage.weights(c.keep(scaled(dt, of_v)));
  return {of_q + w.q, of_v + w.v, w.tau};
}

WeightedRates runge_kutta(Context& c, MakeSolver* make_solver) {
  const Coordinates &q = c.input("q"), &v = c.input("v");
  const Scalar dt = c.dt(), half = Scalar(0.5) * dt, sixth = Scalar(1.0 / 6.0) * dt;
  const std::vector<Scalar> reach{half, half, dt},
      part{sixth, Scalar(2.0) * sixth, Scalar(2.0) * sixth, sixth};
  std::vector<std::unique_ptr<Stage>> stages;
  std::vector<Coordinates> steps;  // by stage: from q to the next one
  Coordinates mean = c.zeros();
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Context at = i == 0 ? c : c.at(c.keep(position_after(c, q, steps.back())));
    stages.push_back(std::make_unique<Stage>(at, i == 0 ? v : c.keep(plus(v, reach[i - 1], stages.back()->a)),
                                             make_solver));
    const Coordinates& v_i = stages.back()->v;
    add_multiple(mean, part[i], v_i);
    if (i < reach.size()) steps.push_back(c.keep(scaled(reach[i], v_i)));
  }
  const auto [of_q_next, of_v_next] = weights_of_end(c);
  const auto [of_q, of_mean] = weights_of_move(c, mean, of_q_next);
  WeightedRates sum{of_q, of_v_next, c.zeros()};
  Coordinates of_a = scaled(part.back(), of_v_next), of_v = scaled(part.back(), of_mean);
  for (std::size_t i = part.size(); i-- > 0;) {
    const WeightedRates w = stages[i]->weights(c.keep(of_a));
    const Coordinates of_v_i = c.keep(of_v + w.v);
    sum.v = sum.v + of_v_i;
    sum.tau = sum.tau + w.tau;
    if (i == 0) {
      sum.q = sum.q + w.q;
      break;
    }
    const auto [by_q, by_step] = weights_of_move(c, steps[i - 1], c.keep(w.q));
    sum.q = sum.q + by_q;
    of_v = plus(scaled(part[i - 1], of_mean), reach[i - 1], by_step);
    of_a = plus(scaled(part[i - 1], of_v_next), reach[i - 1], of_v_i);
  }
  return sum;
}

}  // namespace

void step_vjp(Context& c, MakeSolver* make_solver) {
  const bool is_implicit = c.full_tree().integrator == model::Integrator::semi_implicit;
  const WeightedRates w = is_implicit ? semi_implicit(c, make_solver) : runge_kutta(c, make_solver);
  c.output("wq", w.q);
  c.output("wv", w.v);
  c.output("wtau", w.tau);
}

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
