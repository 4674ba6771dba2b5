#include "algorithms/constraints/constrained_dynamics.hpp"

#include "algorithms/constraints/constrained_columns.hpp"
#include "algorithms/dynamics/dynamics.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;

/// The solver of a state, and the right-hand sides of all columns.
class Columns {
 public:
  explicit Columns(Context& c)
      : own_frames_(chosen_frames(c.tree())),
        free_(c, own_frames_),
        constraints_(constraint_motions(c, {c.input("v"), {}})),
        solver_(c, factor_in_section(c, free_.M), constraint_jacobian(c, constraints_), active_rows(c)),
        world_(c, constraints_) {
    c.begin_section("constraint forces and accelerations");
    const ConstrainedSolution now = solver_.solve(free_.net_torque, constraint_accelerations(constraints_));
    for (const Scalar& x : now.lambda) c.keep(x);
    for (const Scalar& x : now.x) c.keep(x);
    columns_ = derivative_columns(c, own_frames_, now.x, now.lambda);
  }

  const ConstrainedSolver& solver() const { return solver_; }
  const WorldRows& world() const { return world_; }
  const std::vector<DerivativeColumn>& all() const { return columns_; }

 private:
  OwnFrames own_frames_;
  FreeRobot free_;
  std::vector<ConstraintMotion> constraints_;
  ConstrainedSolver solver_;
  WorldRows world_;
  std::vector<DerivativeColumn> columns_;
};

Values sum(Values a, const Values& b) {
  for (std::size_t r = 0; r < b.size(); ++r) a[r] += b[r];
  return a;
}

}  // namespace

void constrained_derivatives_unrolled(Context& c) {
  const Columns columns(c);
  c.begin_section("columns of the derivatives");
  std::map<std::string, Values> da, dlambda;
  for (const DerivativeColumn& column : columns.all()) {
    const ConstrainedSolution solution = columns.solver().solve(column.b, column.gamma);
    const Values rows = sum(columns.world()(solution.lambda), column.turned);
    for (const Scalar& x : solution.x) c.keep(x);
    for (const Scalar& x : rows) c.keep(x);
    Values &a = da[column.output("da")], &lambda = dlambda[column.output("dlambda")];
    a.insert(a.end(), solution.x.begin(), solution.x.end());
    lambda.insert(lambda.end(), rows.begin(), rows.end());
  }
  for (const auto& [output, values] : da) c.output(output, values, matrix);
  for (const auto& [output, values] : dlambda)
    c.output_columns(output, c.full_tree().constraints.num_rows(), values);
}

namespace {

/// Calls of internal functions that solve for consecutive columns of one output side by side.
class ColumnCalls {
 public:
  ColumnCalls(Context& c, const Columns& columns) : c_(c), columns_(columns) {
    ConstrainedSolver solver = columns.solver();
    WorldRows world = columns.world();
    each_number(solver, world, [&](const Scalar& x) {
      if (!x.is_constant()) numbers_.push_back({{static_cast<int>(numbers_.size())}, x});
    });
    c_.local("solver", std::max(1, static_cast<int>(numbers_.size())), numbers_);
  }

  void run() {
    c_.begin_section("columns of the derivatives");
    std::vector<DerivativeColumn> pending;
    for (const DerivativeColumn& column : columns_.all()) {
      const bool follows = !pending.empty() && pending.back().x == column.x &&
                           pending.back().coordinate + 1 == column.coordinate &&
                           pending.back().turned.empty() == column.turned.empty();
      if (!follows || pending.size() == most_lanes) flush(pending);
      if (column.is_zero()) continue;
      pending.push_back(column);
    }
    flush(pending);
    c_.local("columns", std::max(1, size_), right_sides_);
    for (auto& [call, outputs] : calls_) {
      call.arguments = c_.arrays({"solver", "columns", outputs[0], outputs[1]});
      c_.call(std::move(call));
    }
    for (const std::string& output : c_.output_names()) c_.output(output, {}, written_[output]);
  }

 private:
  static constexpr std::size_t most_lanes = 8;
  using Outputs = std::array<std::string, 2>;

  template <class F>
  static void each_number(ConstrainedSolver& solver, WorldRows& world, const F& f) {
    solver.each_number(f);
    world.each_number(f);
  }

  void flush(std::vector<DerivativeColumn>& group) {
    if (group.empty()) return;
    const auto lanes = static_cast<int>(group.size());
    const int n = c_.nv(), m = c_.full_tree().constraints.num_rows(), first = group.front().coordinate;
    const bool turns = !group.front().turned.empty();
    ir::Call call;
    call.body = body(lanes, turns);
    const Outputs outputs{group.front().output("da"), group.front().output("dlambda")};
    call.first = {0, size_, n * first, m * first};
    for (int r = 0; r < n + m + (turns ? m : 0); ++r) {
      for (const DerivativeColumn& column : group) {
        const Scalar& x = r < n       ? column.b[index(r)]
                          : r < n + m ? column.gamma[index(r - n)]
                                      : column.turned[index(r - n - m)];
        right_sides_.push_back({{size_++}, x});
      }
    }
    for (int k = 0; k < lanes; ++k) {
      for (int r = 0; r < n; ++r) written_[outputs[0]].insert(r + n * (first + k));
      for (int r = 0; r < m; ++r) written_[outputs[1]].insert(r + m * (first + k));
    }
    calls_.emplace_back(std::move(call), outputs);
    group.clear();
  }

  std::shared_ptr<const ir::Kernel> body(int lanes, bool turns) {
    auto& known = bodies_[{lanes, turns}];
    if (known != nullptr) return known;
    const int n = c_.nv(), m = c_.full_tree().constraints.num_rows(), rows = n + m + (turns ? m : 0);
    auto kernel = std::make_shared<ir::Kernel>();
    kernel->name = (turns ? "turned_columns_" : "columns_") + std::to_string(lanes);
    kernel->inputs = {{"solver", std::max(1, static_cast<int>(numbers_.size()))}, {"b", lanes * rows}};
    kernel->outputs = {{"x", n * lanes}, {"lambda", m * lanes}};
    ConstrainedSolver solver = columns_.solver();
    WorldRows world = columns_.world();
    int number = 0;
    each_number(solver, world, [&](Scalar& x) {
      if (!x.is_constant()) x = kernel->input(0, number++);
    });
    const auto row = [&](int r) { return kernel->gather(1, spaced_places(lanes * r, lanes)); };
    Values b, gamma, turned;
    for (int r = 0; r < n; ++r) b.push_back(row(r));
    for (int r = n; r < n + m; ++r) gamma.push_back(row(r));
    for (int r = n + m; r < rows; ++r) turned.push_back(row(r));
    const ConstrainedSolution solution = solver.solve(b, gamma);
    const Values lambda = sum(world(solution.lambda), turned);
    for (int r = 0; r < n; ++r) kernel->scatter(0, spaced_places(r, lanes, n), solution.x[index(r)]);
    for (int r = 0; r < m; ++r) kernel->scatter(1, spaced_places(r, lanes, m), lambda[index(r)]);
    return known = kernel;
  }

  Context& c_;
  const Columns& columns_;
  std::vector<StoredEntry> numbers_, right_sides_;
  int size_ = 0;
  std::vector<std::pair<ir::Call, Outputs>> calls_;
  std::map<std::pair<int, bool>, std::shared_ptr<const ir::Kernel>> bodies_;
  std::map<std::string, std::set<int>> written_;
};

}  // namespace

void constrained_derivatives_by_columns(Context& c) {
  const Columns columns(c);
  ColumnCalls(c, columns).run();
}

}  // namespace featherline::algorithms
