#include "algorithms/steps/contact_points.hpp"
#include "algorithms/whole_body/whole_body.hpp"

#include <algorithm>
#include <map>

/// Calls of contact_step_derivatives and contact_step_parameter_derivatives (contact_columns.hpp).
namespace featherline::algorithms {
namespace {

/// Coordinates that some row of Y has; one where nothing moves a point, because C++ has no empty arrays.
std::vector<int> touched(const ImpulseResponse& response) {
  std::vector<int> list;
  for (int i = 0; i < static_cast<int>(response.Y.front().size()); ++i) {
    const auto has = [&](const Coordinates& row) { return !row[index(i)].is_zero(); };
    if (std::ranges::any_of(response.Y, has)) list.push_back(i);
  }
  if (list.empty()) list.push_back(0);
  return list;
}

/// Columns of Y^T G, whose rows are those of touched coordinates: fewer than what impulses and Y take apart. Inputs:
/// solver, G. Both matrices are by rows.
Code folding_function(const Arguments& inputs, const ImpulseResponse& numbered, int lanes) {
  const int m = numbered.num_rows();
  const std::vector<int> coordinates = touched(numbered);
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = "folded_columns_" + std::to_string(lanes);
  kernel->inputs = buffers(inputs);
  kernel->outputs = {{"x", m * static_cast<int>(coordinates.size() - 1) + lanes}};
  const ImpulseResponse response = solver_of_numbers(numbered, *kernel);
  Coordinates G;
  for (int r = 0; r < m; ++r) G.push_back(kernel->gather(1, spaced_places(m * r, lanes)));
  G = response.links.of_links(G);
  for (std::size_t t = 0; t < coordinates.size(); ++t) {
    Scalar sum;
    for (std::size_t r = 0; r < G.size(); ++r) sum += response.Y[r][index(coordinates[t])] * G[r];
    kernel->scatter(0, spaced_places(m * static_cast<int>(t), lanes), sum);
  }
  return kernel;
}

/// Solves for a group of columns. Inputs: solver, Y^T G, rates, right sides.
Code solving_function(const Arguments& inputs, const ImpulseResponse& numbered, const PositionRates& rates,
                      const ColumnGroup& group) {
  const int n = static_cast<int>(numbered.Y.front().size()), m = numbered.num_rows();
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = (group.moves_q() ? "position_columns_" : "columns_") + std::to_string(group.lanes);
  kernel->inputs = buffers(inputs);
  kernel->outputs = {{"x", 2 * n * group.lanes}};
  const ImpulseResponse response = solver_of_numbers(numbered, *kernel);
  const PositionRates by = solver_of_numbers(rates, *kernel, 2);
  const auto rows = [&](int from, int to) {
    Coordinates list;
    for (int r = from; r < to; ++r)
      list.push_back(kernel->gather(3, spaced_places(group.lanes * r, group.lanes)));
    return list;
  };
  Coordinates y = response.factor.half(rows(0, n)), U = rows(n, n + m);
  const Coordinates z = response.factor.over_D(y);
  U = U + response.links.of_constraints(speeds_of_rows(response.Y, z));
  int place = 0;
  for (const int i : touched(numbered)) {
    for (int c = 0; c < m; ++c) y[index(i)] -= kernel->gather(1, {place++}) * U[index(c)];
  }
  const Coordinates dv = response.factor.from_half(std::move(y));
  Coordinates dq = by(dv);
  if (group.moves_q()) dq = dq + rows(n + m, n + m + n);
  for (int r = 0; r < n; ++r) {
    kernel->scatter(0, spaced_places(r, group.lanes, 2 * n), dq[index(r)]);
    kernel->scatter(0, spaced_places(n + r, group.lanes, 2 * n), dv[index(r)]);
  }
  return kernel;
}

/// The same for impulses that change by known numbers. Inputs: solver, rates, numbers.
Code pushing_function(const Arguments& inputs, const ImpulseResponse& numbered, const PositionRates& rates,
                      int lanes) {
  const int n = static_cast<int>(numbered.Y.front().size()), m = numbered.num_rows();
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = "pushed_columns_" + std::to_string(lanes);
  kernel->inputs = buffers(inputs);
  kernel->outputs = {{"x", 2 * n * lanes}};
  Coordinates pushes;
  for (int r = 0; r < m; ++r) pushes.push_back(kernel->gather(2, spaced_places(m * r, lanes)));
  const Coordinates dv = solver_of_numbers(numbered, *kernel).change(pushes);
  const Coordinates dq = solver_of_numbers(rates, *kernel, 1)(dv);
  for (int r = 0; r < n; ++r) {
    kernel->scatter(0, spaced_places(r, lanes, 2 * n), dq[index(r)]);
    kernel->scatter(0, spaced_places(n + r, lanes, 2 * n), dv[index(r)]);
  }
  return kernel;
}

/// The step solved, its response to changes, and the function behind the solver.
class BehindSolver {
 public:
  BehindSolver(Context& c, int most_lanes) : c_(c), n_(c.nv()), most_lanes_(most_lanes) {
    const int N = c.full_tree().constraints.count();
    m_ = 3 * N;
    c.scratch("impulse", m_);
    c.scratch("status", 4 + N);
    solved_.emplace(solve_contacts(c));
    c.scratch("response", 2 * m_ * m_ + 5 * N);
    c.call({.routine = ir::Routine::contact_response,
            .arguments = c.arrays({"D", "speeds", "contact", "impulse", "status", "response"}),
            .num_points = N});
    solver_ = {"solver", "solver", solved_->solver_size};
    ground_ = {"ground", "response", 5 * N, 2 * m_ * m_};
    velocity_ = {{"free", "free", n_}, {"dt", "free", 1, n_}, {"impulse", "impulse", m_}};
  }

  void put_columns(const std::vector<ColumnRange>& ranges) {
    Arguments inputs = state();
    inputs.push_back(ground_);
    const std::vector<ColumnGroup> groups = column_groups(ranges, n_, m_, most_lanes_);
    const int size = groups.back().first + groups.back().lanes * groups.back().rows(n_, m_);
    auto kernel = empty(inputs, {{"columns", size}});
    Context end(c_.full_tree(), *kernel);
    const RightSides sides = right_sides(end, solver_of_numbers(solved_->response, *kernel), groups);
    for (const auto& [places, x] : sides.columns) kernel->scatter(0, places, x);
    c_.local("columns", size);
    run(end, kernel, inputs, sides.rates, {{"columns", "columns"}});
    const int folded_size = m_ * static_cast<int>(touched(solved_->response).size());
    fold(folded_size);
    std::map<std::pair<int, bool>, Code> functions;
    for (const ColumnGroup& group : groups) {
      const Arguments read = {solver_,
                              {"folded", "folded", folded_size},
                              rates_,
                              {"b", "columns", group.lanes * group.rows(n_, m_), group.first}};
      Code& function = functions[{group.lanes, group.moves_q()}];
      if (function == nullptr) function = solving_function(read, solved_->response, sides.rates, group);
      write(read, function, group.output, group.coordinate);
    }
  }

  void put_pushed() {
    Arguments inputs = {solver_};
    inputs.insert(inputs.end(), velocity_.begin(), velocity_.end());
    auto kernel = empty(inputs, {});
    Context end(c_.full_tree(), *kernel);
    end.begin_section("velocities after the impulses");
    const Coordinates next =
        end.input("free") + solver_of_numbers(solved_->response, *kernel).change(end.input("impulse"));
    const PositionRates rates(end, end.dt(), position_derivatives(end, scaled(end.dt(), next)).ddv);
    run(end, kernel, inputs, rates, {});
    std::map<int, Code> functions;
    int first = m_ * m_;
    for (const std::string& output : c_.output_names()) {
      for (int k = 0, lanes = 0; k < m_ / 3; k += lanes, first += lanes) {
        lanes = std::min(most_lanes_, m_ / 3 - k);
        const Arguments read = {solver_, rates_, {"pushes", "response", m_ * (m_ - 1) + lanes, first}};
        Code& function = functions[lanes];
        if (function == nullptr) function = pushing_function(read, solved_->response, rates, lanes);
        write(read, function, output, k);
      }
    }
  }

 private:
  /// The array "folded", Y^T G.
  void fold(int size) {
    c_.scratch("folded", size);
    std::map<int, Code> functions;
    for (int k = 0, lanes = 0; k < m_; k += lanes) {
      lanes = std::min(most_lanes_, m_ - k);
      const Arguments read = {solver_, {"G", "response", m_ * (m_ - 1) + lanes, k}};
      Code& function = functions[lanes];
      if (function == nullptr) function = folding_function(read, solved_->response, lanes);
      call_code(c_, function, read, {{"x", "folded", 0, k}});
    }
  }
  /// What the inverse dynamics of the step depend on.
  Arguments state() const {
    Arguments inputs = {solver_};
    const auto is_sphere = [](const auto& x) { return x.type == model::ConstraintType::contact_sphere; };
    const bool has_spheres = std::ranges::any_of(c_.full_tree().constraints.all, is_sphere);
    for (const char* name : {"q", "v", contacts, external_forces, parameters}) {
      if (c_.has_input(name) && (name != contacts || has_spheres))
        inputs.push_back({name, name, c_.buffer(name).size});
    }
    inputs.insert(inputs.end(), velocity_.begin(), velocity_.end());
    return inputs;
  }
  std::shared_ptr<ir::Kernel> empty(const Arguments& inputs, std::vector<ir::Buffer> outputs) const {
    outputs.push_back({"rates", 0});
    auto kernel = std::make_shared<ir::Kernel>(
        trace(c_.full_tree(), buffers(inputs), std::move(outputs), [](Context&) {}));
    kernel->name = "end";
    return kernel;
  }
  /// Writes the rates, the last output of the function, and calls it.
  void run(Context& end, const std::shared_ptr<ir::Kernel>& kernel, const Arguments& inputs,
           const PositionRates& rates, Arguments outputs) {
    const std::vector<StoredEntry> numbers = solver_numbers(rates);
    const int size = numbers.back().places.back() + 1;
    kernel->outputs.back().size = size;
    end.output("rates", numbers);
    c_.scratch("rates", size);
    rates_ = {"rates", "rates", size};
    outputs.push_back(rates_);
    call_code(c_, kernel, inputs, outputs);
  }
  /// Columns from `first` on of an output.
  void write(const Arguments& read, const Code& function, const std::string& output, int first) {
    call_code(c_, function, read, {{"x", output, 0, 2 * n_ * first}});
  }

  Context& c_;
  int n_, most_lanes_, m_ = 0;
  std::optional<SolvedContacts> solved_;
  PassedArray solver_, ground_, rates_;
  Arguments velocity_;
};

}  // namespace

void contact_step_derivatives(Context& c, int most_lanes) {
  const int n = c.nv();
  BehindSolver(c, most_lanes)
      .put_columns({{"A", 0, n, By::position}, {"A", n, 2 * n, By::velocity}, {"B", 0, n, By::torque}});
}
void contact_step_sensitivities(Context& c, int most_lanes) {
  const auto p = static_cast<int>(c.input(parameters).size());
  BehindSolver(c, most_lanes).put_columns({{"dx_dp", 0, p, By::parameter}});
}
void contact_step_parameter_derivatives(Context& c, int most_lanes) {
  BehindSolver(c, most_lanes).put_pushed();
}

}  // namespace featherline::algorithms
