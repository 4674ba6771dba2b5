#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/constraint_solver.hpp"
#include "algorithms/derivatives/rates.hpp"
#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace featherline::algorithms {
namespace {

bool all_zero(const Values& values) {
  return std::ranges::all_of(values, [](const Scalar& x) { return x.is_zero(); });
}

Values column_of(const std::vector<Values>& rows, int k) {
  return each(rows, [&](const Values& row) { return row[index(k)]; });
}

struct ColumnSolver {
  ConstrainedSolver solver;
  WorldRows world;

  template <class F>
  void each_number(const F& f) {
    const auto scalar = [&](Scalar& x) { f(x, 1); };
    solver.each_number(scalar);
    world.each_number(scalar);
  }
  /// The derivatives along a column, those of lambda in axes of the world.
  ConstrainedSolution solve(const Values& b, const Values& gamma, const Values& turned) const {
    ConstrainedSolution solution = solver.solve(b, gamma);
    solution.lambda = world(solution.lambda);
    for (std::size_t r = 0; r < turned.size(); ++r) solution.lambda[r] += turned[r];
    return solution;
  }
};

struct Columns {
  ColumnSolver solver;
  std::vector<DerivativeColumn> all;
};

Columns columns_of(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const FreeRobot free(c, own_frames);
  const ConstrainedMotion motion(c, factor_in_section(c, free.M), free.net_torque);
  return {{motion.solver, motion.world}, derivative_columns(c, own_frames, motion.a, motion.lambda)};
}

constexpr std::size_t most_lanes = 8;

/// Solves for `lanes` columns side by side.
std::shared_ptr<const ir::Kernel> solving_function(const ColumnCalls& calls, const ColumnSolver& by,
                                                   int lanes, const DerivativeColumn& shape) {
  const int n = static_cast<int>(shape.b.size()), m = static_cast<int>(shape.gamma.size()),
            end = n + m + static_cast<int>(shape.turned.size());
  auto kernel = std::make_shared<ir::Kernel>();
  kernel->name = (end > n + m ? "turned_columns_" : "columns_") + std::to_string(lanes);
  kernel->inputs = calls.inputs(lanes * end);
  kernel->outputs = {{"x", n * lanes}, {"lambda", m * lanes}};
  const ColumnSolver solver = solver_of_numbers(by, *kernel);
  const auto rows = [&](int from, int to) {
    Values list;
    for (int r = from; r < to; ++r) list.push_back(kernel->gather(1, spaced_places(lanes * r, lanes)));
    return list;
  };
  const Values b = rows(0, n), gamma = rows(n, n + m), turned = rows(n + m, end);
  const auto [x, lambda] = solver.solve(b, gamma, turned);
  for (int r = 0; r < n; ++r) kernel->scatter(0, spaced_places(r, lanes, n), x[index(r)]);
  for (int r = 0; r < m; ++r) kernel->scatter(1, spaced_places(r, lanes, m), lambda[index(r)]);
  return kernel;
}

/// Row by row, those of all columns.
Values side_by_side(std::span<const DerivativeColumn> columns) {
  Values entries;
  for (const auto part : {&DerivativeColumn::b, &DerivativeColumn::gamma, &DerivativeColumn::turned}) {
    for (std::size_t r = 0; r < (columns.front().*part).size(); ++r) {
      for (const DerivativeColumn& column : columns) entries.push_back((column.*part)[r]);
    }
  }
  return entries;
}

}  // namespace

Values turned_rows(const Context& c, const WorldRows& world, int k, const Values& lambda) {
  if (!has_floating_base(c.full_tree()) || k < 3 || k >= 6) return {};
  const Values rows = world.by_turn(k - 3, lambda);
  return all_zero(rows) ? Values{} : rows;
}

ConstraintRates constraint_rates(const Context& c, const std::vector<ConstraintMotion>& motions,
                                 const Values& lambda) {
  ConstraintRates rates{SquareMatrix(c.nv()), {}, {}};
  auto first = lambda.begin();
  for (const ConstraintMotion& motion : motions) {
    const auto [by_q, by_v, _] = motion.derivatives();
    rates.by_q.insert(rates.by_q.end(), by_q.begin(), by_q.end());
    rates.by_v.insert(rates.by_v.end(), by_v.begin(), by_v.end());
    motion.add_force_derivative(Values(first, first + motion.num_rows()), rates.force);
    first += motion.num_rows();
  }
  return rates;
}

bool DerivativeColumn::is_zero() const { return all_zero(b) && all_zero(gamma) && turned.empty(); }

std::vector<DerivativeColumn> derivative_columns(Context& c, const OwnFrames& own_frames, const Values& a,
                                                 const Values& lambda) {
  const std::vector<ConstraintMotion> constraints = constraint_motions(c, {c.input("v"), a});
  const WorldRows world(c, constraints);
  const FirstDerivatives id = first_derivatives(c, c.input("v"), a, own_frames);
  const auto [force, k_q, k_v] = constraint_rates(c, constraints, lambda);
  std::vector<DerivativeColumn> columns;
  for (int k = 0; k < c.nv(); ++k)
    columns.push_back({"_dq", k, -(id.dtau_dq.column(k) - force.column(k)), column_of(k_q, k),
                       turned_rows(c, world, k, lambda)});
  for (int k = 0; k < c.nv(); ++k)
    columns.push_back({"_dv", k, -id.dtau_dv.column(k), column_of(k_v, k), {}});
  for (int k = 0; k < c.nv(); ++k) {
    columns.push_back({"_dtau", k, c.zeros(), Values(lambda.size()), {}});
    columns.back().b[index(k)] = 1.0;
  }
  return columns;
}

void constrained_derivatives_unrolled(Context& c) {
  if (c.has_clusters()) {
    const auto [a, lambda] = constrained_motion(c);
    return output_derivatives(c, {{"a", a}, {"lambda", lambda}}, {"q", "v", "tau"});
  }
  const auto [solver, columns] = columns_of(c);
  c.begin_section("columns of the derivatives");
  std::map<std::string, Values> da, dlambda;
  for (const DerivativeColumn& column : columns) {
    const auto [x, lambda] = solver.solve(column.b, column.gamma, column.turned);
    Values &to = da[column.by], &rows = dlambda[column.by];
    c.keep(x);
    c.keep(lambda);
    to.insert(to.end(), x.begin(), x.end());
    rows.insert(rows.end(), lambda.begin(), lambda.end());
  }
  for (const auto& [by, values] : da) c.output("da" + by, values, matrix);
  for (const auto& [by, values] : dlambda)
    c.output_columns("dlambda" + by, c.full_tree().constraints.num_rows(), values);
}

void constrained_derivatives_by_columns(Context& c) {
  const auto [solver, columns] = columns_of(c);
  ColumnCalls calls(c, solver_numbers(solver));
  c.begin_section("columns of the derivatives");
  std::map<std::pair<int, bool>, std::shared_ptr<const ir::Kernel>> functions;
  for (std::size_t first = 0, end = 0; first < columns.size(); first = end) {
    const DerivativeColumn& front = columns[first];
    end = first + 1;
    if (front.is_zero()) continue;
    const auto follows = [&](const DerivativeColumn& column) {
      return column.by == front.by && column.turned.empty() == front.turned.empty() && !column.is_zero();
    };
    while (end < columns.size() && end < first + most_lanes && follows(columns[end])) ++end;
    const int lanes = static_cast<int>(end - first), k = front.coordinate,
              n = lanes * static_cast<int>(front.b.size()), m = lanes * static_cast<int>(front.gamma.size());
    std::shared_ptr<const ir::Kernel>& function = functions[{lanes, !front.turned.empty()}];
    if (function == nullptr) function = solving_function(calls, solver, lanes, front);
    calls.add(function, 1, side_by_side({&front, index(lanes)}),
              {{"da" + front.by, n / lanes * k, spaced_places(0, n)},
               {"dlambda" + front.by, m / lanes * k, spaced_places(0, m)}});
  }
  calls.run();
  for (const std::string& output : c.output_names()) calls.write(output);
}

}  // namespace featherline::algorithms
