#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/steps/steps.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <featherline/step_derivatives.hpp>

/// Steps as calls. Forward dynamics and their derivatives are an internal function, which all stages of Runge and Kutta
/// share; so is the way from one stage to the next. Routines of the runtime make A and B (step_derivatives.hpp there).
namespace featherline::algorithms {
namespace {

using detail::Moves;
using ir::Routine;

Code make_code(const WalkedTree& tree, const std::string& name, const Arguments& read,
               const Arguments& written, const std::function<void(Context&)>& algorithm) {
  auto code = std::make_shared<ir::Kernel>(trace(tree, buffers(read), buffers(written), algorithm));
  code->name = name;
  return code;
}

/// "q_2"; of the first stage the input.
std::string of_stage(const std::string& quantity, int stage) {
  return stage == 1 ? quantity : quantity + "_" + std::to_string(stage);
}

/// Writes q (+) w's derivatives into the array `moves`, behind `numbers`; those by w times `time`. What no routine
/// reads stays as it is: the padding, and by q behind a floating base whose columns are known.
void write_moves(Context& c, const Coordinates& numbers, const Scalar& time, const Coordinates& step,
                 bool behind_base = false) {
  const PositionDerivatives d = position_derivatives(c, step);
  std::vector<StoredEntry> entries;
  std::set<int> unread;
  int place = 0;
  for (const Scalar& x : numbers) entries.push_back({{place++}, x});
  for (int i = 0; i < c.num_bodies(); ++i) {
    const model::Joint& joint = c.joint(i);
    const int height = Moves::height(joint.nv);
    if (joint.nv < 2) continue;
    for (const SquareMatrix* A : {&d.dq, &d.ddv}) {
      for (int k = 0; k < joint.nv * height; ++k, ++place) {
        const int row = joint.idx_v + k % height, column = joint.idx_v + k / height;
        if ((behind_base && i == 0 && A == &d.dq) || k % height >= joint.nv)
          unread.insert(place);
        else
          entries.push_back({{place}, (A == &d.ddv ? time : Scalar(1.0)) * (*A)(row, column)});
      }
    }
  }
  c.output("moves", entries, unread);
}

/// The calls of one step.
class StepCalls {
 public:
  StepCalls(Context& context, const Arguments& results, const std::function<void(Context&)>& dynamics)
      : c_(context),
        results_(results),
        nq_(c_.full_tree().nq),
        n_(c_.full_tree().nv),
        is_implicit_(c_.full_tree().integrator == model::Integrator::semi_implicit),
        dynamics_(make_code(c_.walked_tree(), "dynamics", inputs(1), results_, dynamics)) {
    write_times();
  }

  int n() const { return n_; }
  /// All inputs, with q and v of a stage.
  Arguments inputs(int stage) const {
    Arguments all;
    for (const ir::Buffer& input : c_.input_arrays()) {
      const bool is_state = input.name == "q" || input.name == "v";
      if (input.name != time_step)
        all.push_back({input.name, is_state ? of_stage(input.name, stage) : input.name, input.size});
      else if (is_implicit_)
        all.push_back({input.name, "times", 1});  // dt is no array
    }
    return all;
  }
  PassedArray times(int stage) const { return {"times", "times", Moves::first, Moves::first * (stage - 1)}; }

  /// Forward dynamics store none of the first columns by q and by v, unless a routine may read them.
  void leave_out_columns(int by_q, int by_v) {
    ir::Kernel kernel = *dynamics_;
    if (!std::ranges::all_of(kernel.calls(), [](const ir::Call* call) { return call->body != nullptr; }))
      return;
    std::erase_if(kernel.stores, [&](const ir::Store& s) {
      const std::string& name = kernel.output_or_local(s.buffer).name;
      if (name == "A") {
        const int column = s.entry / (2 * n_);
        return column < by_q || (column >= n_ && column < n_ + by_v);
      }
      return s.entry < n_ * (name == "da_dq" ? by_q : name == "da_dv" ? by_v : 0);
    });
    dynamics_ = std::make_shared<ir::Kernel>(std::move(kernel));
  }
  /// Declares locals for results.
  void declare(const Arguments& written) {
    for (const PassedArray& x : written) c_.scratch(x.outside, x.size);
  }
  void call_dynamics(int stage) { call_dynamics(stage, results_); }
  /// The same to other places.
  void call_dynamics(int stage, const Arguments& results) {
    call_code(c_, dynamics_, inputs(stage), results);
  }
  /// Calls code that walks all limbs.
  void call(Code& code, const std::string& name, const Arguments& read, const Arguments& written,
            const std::function<void(Context&)>& algorithm) {
    if (!code) code = make_code(c_.full_tree(), name, read, written, algorithm);
    call_code(c_, code, read, written);
  }
  void call(Routine routine, std::vector<std::string> arguments) {
    Context full = c_.unfolded();
    call_on_tree(full, Routines::loops, routine, arguments);
  }

  /// From stage i to the next, with the derivatives of the move if they are asked for.
  void call_move(int stage, const std::string& acceleration, bool with_moves) {
    Arguments written{{"q_next", of_stage("q", stage + 1), nq_}, {"v_next", of_stage("v", stage + 1), n_}};
    declare(written);
    if (with_moves) written.push_back({"moves", "moves", size_of_moves()});
    const Arguments read{{"q", "q", nq_},
                         {"v", "v", n_},
                         {"v_stage", of_stage("v", stage), n_},
                         {"acceleration", acceleration, n_},
                         times(stage)};
    call(move_, "move", read, written, [&](Context& c) {
      const Coordinates& times = c.input("times");
      const Scalar& reach = times[Moves::reach];
      const Coordinates step = scaled(reach, c.input("v_stage"));
      c.output_positions("q_next", position_after(c, c.input("q"), step));
      c.output("v_next", plus(c.input("v"), reach, c.input("acceleration")));
      if (with_moves) write_moves(c, times, reach, step);
    });
  }
  /// The velocities of all stages.
  Arguments velocities() const {
    Arguments all;
    for (const int i : {1, 2, 3, 4}) all.push_back({of_stage("v", i), of_stage("v", i), n_});
    return all;
  }
  int size_of_moves() const { return detail::size_of_moves(axis_table(c_.full_tree())); }

 private:
  /// The numbers that `moves` begins with, by stage.
  void write_times() {
    const Scalar dt = c_.dt(), square = dt * dt;
    Coordinates times{dt, square, dt};
    if (!is_implicit_) {
      const Scalar sixth = Scalar(1.0 / 6.0) * dt, third = Scalar(1.0 / 3.0) * dt, half = Scalar(0.5) * dt,
                   moved = Scalar(1.0 / 6.0) * square;
      times = {sixth, moved, half, third, moved, half, third, moved, dt, sixth, moved, dt};
    }
    std::vector<StoredEntry> entries;
    for (const Scalar& x : times) entries.push_back({{static_cast<int>(entries.size())}, x});
    c_.local("times", static_cast<int>(entries.size()), entries);
  }

  Context& c_;
  Arguments results_;
  int nq_, n_;
  bool is_implicit_;
  Code dynamics_, move_;
};

/// dt/6 (x_1 + 2 x_2 + 2 x_3 + x_4).
Coordinates mean(Context& c, const char* quantity) {
  Coordinates sum = c.zeros();
  for (const int i : {1, 2, 3, 4}) {
    const Scalar weight(i == 1 || i == 4 ? 1.0 : 2.0);
    add_multiple(sum, weight * c.input("times")[Moves::of_v], c.input(of_stage(quantity, i)));
  }
  return sum;
}

/// The entries of A that are known behind a floating base; the others in these columns are zero.
std::vector<StoredEntry> known_entries(Context& c, const Coordinates& a) {
  SquareMatrix da_dq(c.nv()), da_dv(c.nv());
  FloatingBase(c, c.input("v")).set_columns(da_dq, da_dv);
  return columns_of_step(c, a, da_dq, da_dv, FloatingBase::columns_q, FloatingBase::columns_v);
}

/// The places of these columns, but those of the entries.
std::vector<int> zeros_of_known(int n, const std::vector<StoredEntry>& entries) {
  std::set<int> zeros;
  for (int column = 0; column < n + FloatingBase::columns_v; ++column) {
    if (column == FloatingBase::columns_q) column = n;
    for (int row = 0; row < 2 * n; ++row) zeros.insert(2 * n * column + row);
  }
  for (const StoredEntry& e : entries) zeros.erase(e.places.front());
  return {zeros.begin(), zeros.end()};
}

/// What forward dynamics give to the semi-implicit step: da, or the rows of v' in A and B.
enum class GivenRates { of_acceleration, of_velocity };

void semi_implicit(Context& c, StepCalls& step, GivenRates given) {
  const int n = step.n(), size = 4 * n * n;
  const bool behind_base = FloatingBase(c, c.input("v")).applies();
  if (behind_base) step.leave_out_columns(FloatingBase::columns_q, FloatingBase::columns_v);
  step.call_dynamics(1);
  Arguments read = step.inputs(1), written{{"moves", "moves", step.size_of_moves()}};
  read.push_back({"acceleration", "acceleration", n});
  if (behind_base) written.push_back({"A", "A", size});
  std::vector<StoredEntry> entries;
  Code known;
  step.call(known, "known", read, written, [&](Context& end) {
    const Coordinates& a = end.input("acceleration");
    const Scalar dt = end.dt();
    write_moves(end, {dt, dt * dt, dt}, dt, scaled(dt, plus(end.input("v"), dt, a)), behind_base);
    if (!behind_base) return;
    entries = known_entries(end, a);
    std::set<int> of_calls;
    for (int place = 0; place < size; ++place) of_calls.insert(place);
    for (const StoredEntry& e : entries) of_calls.erase(e.places.front());
    end.output("A", entries, of_calls);
  });
  if (behind_base) c.clear_once("A", zeros_of_known(n, entries));
  if (given == GivenRates::of_velocity)
    step.call(behind_base ? Routine::positions_behind_base : Routine::positions, {"moves", "A", "B"});
  else
    step.call(behind_base ? Routine::semi_implicit_behind_base : Routine::semi_implicit,
              {"moves", "da_dq", "da_dv", "da_dtau", "A", "B"});
}

void runge_kutta(Context& c, StepCalls& step) {
  const int n = step.n();
  for (const char* rates : {"Q", "V"}) c.scratch(rates, 3 * n * n);
  const bool behind_base = FloatingBase(c, c.input("v")).applies();
  const std::vector<std::string> arguments{"moves", "da_dq", "da_dv", "da_dtau", "Q", "V", "A", "B"};
  for (const int stage : {1, 2, 3, 4}) {
    step.call_dynamics(stage);
    if (stage < 4) {
      step.call_move(stage, "acceleration", true);
      step.call(stage == 1    ? Routine::first_stage
                : behind_base ? Routine::middle_stage_behind_base
                              : Routine::middle_stage,
                arguments);
    }
  }
  Code end;
  Arguments read = step.velocities();
  read.push_back(step.times(4));
  step.call(end, "end", read, {{"moves", "moves", step.size_of_moves()}},
            [](Context& at) { write_moves(at, at.input("times"), 1.0, mean(at, "v")); });
  step.call(behind_base ? Routine::last_stage_behind_base : Routine::last_stage, arguments);
}

}  // namespace

std::vector<ir::Buffer> buffers(const Arguments& list) {
  return each(list, [](const PassedArray& x) { return ir::Buffer{x.inside, x.size}; });
}

void call_code(Context& c, Code code, const Arguments& read, const Arguments& written) {
  ir::Call call{.body = std::move(code)};
  for (const Arguments* list : {&read, &written}) {
    for (const PassedArray& x : *list) {
      call.arguments.push_back(c.array(x.outside));
      call.first.push_back(x.first);
    }
  }
  c.call(std::move(call));
}

void step_derivatives_in_calls(Context& c, const std::function<void(Context&)>& dynamics) {
  const int n = c.full_tree().nv;
  const Arguments results{{"acceleration", "acceleration", n},
                          {"da_dq", "da_dq", n * n},
                          {"da_dv", "da_dv", n * n},
                          {"da_dtau", "da_dtau", n * n}};
  StepCalls step(c, results, dynamics);
  step.declare(results);
  step.declare({{"moves", "moves", step.size_of_moves()}});
  if (c.full_tree().integrator == model::Integrator::semi_implicit)
    semi_implicit(c, step, GivenRates::of_acceleration);
  else
    runge_kutta(c, step);
}

void step_derivatives_by_limb_columns(Context& c) {
  if (c.full_tree().integrator == model::Integrator::rk4)
    return step_derivatives_in_calls(c, aba_derivatives_by_limb_columns);
  const int n = c.full_tree().nv;
  const PassedArray acceleration{"acceleration", "acceleration", n};
  StepCalls step(c, {acceleration, {"A", "A", 4 * n * n}, {"B", "B", 2 * n * n}},
                 rates_of_step_by_limb_columns);
  step.declare({acceleration, {"moves", "moves", step.size_of_moves()}});
  semi_implicit(c, step, GivenRates::of_velocity);
}

void runge_kutta_in_calls(Context& c, Acceleration* acceleration) {
  const int n = c.full_tree().nv;
  const auto to = [&](int stage) {
    const std::string place = "a_" + std::to_string(stage);
    return Arguments{{"a", place, n}};
  };
  StepCalls step(c, to(1),
                 [&](Context& at) { at.output("a", acceleration(at, at.input("v"), at.input("tau"))); });
  const std::vector<std::string> names = c.output_names();
  Arguments read = step.velocities();
  read.push_back({"q", "q", c.full_tree().nq});
  for (const int stage : {1, 2, 3, 4}) {
    step.declare(to(stage));
    step.call_dynamics(stage, to(stage));
    if (stage < 4) step.call_move(stage, to(stage).front().outside, false);
    read.push_back({of_stage("a", stage), to(stage).front().outside, n});
  }
  read.push_back(step.times(4));
  Code end;
  step.call(end, "end", read, {{"q_next", names[0], c.full_tree().nq}, {"v_next", names[1], n}},
            [](Context& at) {
              at.output_positions("q_next", position_after(at, at.input("q"), mean(at, "v")));
              at.output("v_next", at.input("v") + mean(at, "a"));
            });
}

}  // namespace featherline::algorithms
