#include "algorithms/constrained_dynamics.hpp"

#include "algorithms/constraint_solver.hpp"
#include "algorithms/first_derivatives.hpp"
#include "algorithms/floating_base.hpp"
#include "algorithms/forward_dynamics.hpp"
#include "algorithms/tree_axes.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates<Scalar>;
using Matrix = SquareMatrix<Scalar>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Values negative(Values column) {
  for (Scalar& x : column) x = -x;
  return column;
}
Values column_of(const std::vector<Values>& rows, int k) {
  Values column;
  for (const Values& row : rows) column.push_back(row[index(k)]);
  return column;
}

/// The solver of a state, and the right-hand sides of all columns.
class Columns {
 public:
  /// One column of the derivatives. `x` says with respect to what.
  struct Column {
    char x;  ///< 'q', 'v', 't'
    int coordinate;
    Values b, gamma;  ///< as ConstrainedSolver::solve() takes them
    Values turned;    ///< is added to dlambda in axes of the world; empty: nothing
  };

  explicit Columns(Context<Scalar>& c)
      : c_(c),
        own_frames_(chosen_frames(c.tree())),
        constraints_(constraint_motions(c, {c.input("v"), {}})),
        solver_(c, factor_in_section(c, first_derivatives(c, c.input("v"), c.zeros(), own_frames_).M),
                constraint_jacobian(c, constraints_), active_rows(c)),
        world_(c, constraints_) {
    const Values b = net_torque(c, c.input("v"), c.input("tau"));
    c.begin_section("constraint forces and accelerations");
    const ConstrainedSolution now = solver_.solve(b, constraint_accelerations(constraints_));
    for (const Scalar& x : now.lambda) c.keep(x);
    for (const Scalar& x : now.x) c.keep(x);
    list(now);
  }

  const ConstrainedSolver& solver() const { return solver_; }
  const WorldRows& world() const { return world_; }
  const std::vector<Column>& all() const { return columns_; }
  int num_rows() const { return c_.full_tree().constraints.num_rows(); }

 private:
  void list(const ConstrainedSolution& now) {
    FirstDerivatives<Scalar> id = first_derivatives(c_, c_.input("v"), now.x, own_frames_);
    std::vector<Values> k_q, k_v;
    Matrix force(c_.nv());
    auto first = now.lambda.begin();
    for (const ConstraintMotion& motion : constraint_motions(c_, {c_.input("v"), now.x})) {
      const auto [by_q, by_v] = motion.derivatives();
      k_q.insert(k_q.end(), by_q.begin(), by_q.end());
      k_v.insert(k_v.end(), by_v.begin(), by_v.end());
      motion.add_force_derivative(Values(first, first + motion.num_rows()), force);
      first += motion.num_rows();
    }
    for (int j = 0; j < c_.nv(); ++j) {
      for (int i = 0; i < c_.nv(); ++i) id.dtau_dq(i, j) -= force(i, j);
    }
    for (int k = 0; k < c_.nv(); ++k)
      columns_.push_back({'q', k, negative(id.dtau_dq.column(k)), column_of(k_q, k), turned(k, now.lambda)});
    for (int k = 0; k < c_.nv(); ++k)
      columns_.push_back({'v', k, negative(id.dtau_dv.column(k)), column_of(k_v, k), {}});
    for (int k = 0; k < c_.nv(); ++k) {
      Values unit = c_.zeros();
      unit[index(k)] = 1.0;
      columns_.push_back({'t', k, unit, Values(index(num_rows())), {}});
    }
  }

  Values turned(int k, const Values& lambda) const {
    if (!has_floating_base(c_.full_tree()) || k < 3 || k >= 6) return {};
    const Values rows = world_.by_turn(k - 3, lambda);
    const bool has_some = std::any_of(rows.begin(), rows.end(), [](const Scalar& x) { return !x.is_zero(); });
    return has_some ? rows : Values{};
  }

  Context<Scalar>& c_;
  OwnFrames own_frames_;
  std::vector<ConstraintMotion> constraints_;
  ConstrainedSolver solver_;
  WorldRows world_;
  std::vector<Column> columns_;
};

std::string output_of(const char* quantity, char x) {
  return std::string(quantity) + (x == 'q' ? "_dq" : x == 'v' ? "_dv" : "_dtau");
}

bool is_zero(const Columns::Column& column) {
  const auto zero = [](const Scalar& x) { return x.is_zero(); };
  return std::all_of(column.b.begin(), column.b.end(), zero) &&
         std::all_of(column.gamma.begin(), column.gamma.end(), zero) && column.turned.empty();
}

Values sum(Values a, const Values& b) {
  for (std::size_t r = 0; r < b.size(); ++r) a[r] += b[r];
  return a;
}

}  // namespace

void constrained_derivatives_unrolled(Context<Scalar>& c) {
  const Columns columns(c);
  c.begin_section("columns of the derivatives");
  std::map<char, Values> da, dlambda;
  for (const Columns::Column& column : columns.all()) {
    const ConstrainedSolution solution = columns.solver().solve(column.b, column.gamma);
    const Values rows = sum(columns.world()(solution.lambda), column.turned);
    for (const Scalar& x : solution.x) c.keep(x);
    for (const Scalar& x : rows) c.keep(x);
    da[column.x].insert(da[column.x].end(), solution.x.begin(), solution.x.end());
    dlambda[column.x].insert(dlambda[column.x].end(), rows.begin(), rows.end());
  }
  for (const char x : {'q', 'v', 't'}) c.output(output_of("da", x), da[x], matrix);
  for (const char x : {'q', 'v', 't'})
    c.output_columns(output_of("dlambda", x), columns.num_rows(), dlambda[x]);
}

namespace {

std::vector<int> consecutive(int first, int count) {
  std::vector<int> list;
  for (int k = 0; k < count; ++k) list.push_back(first + k);
  return list;
}
std::vector<int> spread(int first, int count, int stride) {
  std::vector<int> list;
  for (int k = 0; k < count; ++k) list.push_back(first + k * stride);
  return list;
}

/// Calls of internal functions that solve for consecutive columns of one output side by side.
class ColumnCalls {
 public:
  ColumnCalls(Context<Scalar>& c, const Columns& columns) : c_(c), columns_(columns) {
    ConstrainedSolver solver = columns.solver();
    WorldRows world = columns.world();
    each_number(solver, world, [&](const Scalar& x) {
      if (!x.is_constant()) numbers_.push_back({{static_cast<int>(numbers_.size())}, x});
    });
    c_.local("solver", std::max(1, static_cast<int>(numbers_.size())), numbers_);
  }

  void run() {
    c_.begin_section("columns of the derivatives");
    std::vector<Columns::Column> pending;
    for (const Columns::Column& column : columns_.all()) {
      const bool follows = !pending.empty() && pending.back().x == column.x &&
                           pending.back().coordinate + 1 == column.coordinate &&
                           pending.back().turned.empty() == column.turned.empty();
      if (!follows || pending.size() == most_lanes) flush(pending);
      if (is_zero(column)) continue;
      pending.push_back(column);
    }
    flush(pending);
    c_.local("columns", std::max(1, size_), right_sides_);
    for (ir::Call& call : calls_) c_.call(std::move(call));
    for (const std::string& output : c_.output_names()) c_.output(output, {}, written_[output]);
  }

 private:
  static constexpr std::size_t most_lanes = 8;

  template <class F>
  static void each_number(ConstrainedSolver& solver, WorldRows& world, const F& f) {
    solver.each_number(f);
    world.each_number(f);
  }

  void flush(std::vector<Columns::Column>& group) {
    if (group.empty()) return;
    const auto lanes = static_cast<int>(group.size());
    const int n = c_.nv(), m = columns_.num_rows(), first = group.front().coordinate;
    const bool turns = !group.front().turned.empty();
    ir::Call call;
    call.body = body(lanes, turns);
    call.routine = call.body->name;
    call.arguments = {"solver", "columns", output_of("da", group.front().x),
                      output_of("dlambda", group.front().x)};
    call.first = {0, size_, n * first, m * first};
    for (int r = 0; r < n + m + (turns ? m : 0); ++r) {
      for (const Columns::Column& column : group) {
        const Scalar& x = r < n       ? column.b[index(r)]
                          : r < n + m ? column.gamma[index(r - n)]
                                      : column.turned[index(r - n - m)];
        right_sides_.push_back({{size_++}, x});
      }
    }
    for (int k = 0; k < lanes; ++k) {
      for (int r = 0; r < n; ++r) written_[call.arguments[2]].insert(r + n * (first + k));
      for (int r = 0; r < m; ++r) written_[call.arguments[3]].insert(r + m * (first + k));
    }
    calls_.push_back(std::move(call));
    group.clear();
  }

  std::shared_ptr<const ir::Kernel> body(int lanes, bool turns) {
    auto& known = bodies_[{lanes, turns}];
    if (known != nullptr) return known;
    const int n = c_.nv(), m = columns_.num_rows(), rows = n + m + (turns ? m : 0);
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
    const auto row = [&](int r) { return kernel->gather(1, consecutive(lanes * r, lanes)); };
    Values b, gamma, turned;
    for (int r = 0; r < n; ++r) b.push_back(row(r));
    for (int r = n; r < n + m; ++r) gamma.push_back(row(r));
    for (int r = n + m; r < rows; ++r) turned.push_back(row(r));
    const ConstrainedSolution solution = solver.solve(b, gamma);
    const Values lambda = sum(world(solution.lambda), turned);
    for (int r = 0; r < n; ++r) kernel->scatter(0, spread(r, lanes, n), solution.x[index(r)]);
    for (int r = 0; r < m; ++r) kernel->scatter(1, spread(r, lanes, m), lambda[index(r)]);
    return known = kernel;
  }

  Context<Scalar>& c_;
  const Columns& columns_;
  std::vector<StoredEntry> numbers_, right_sides_;
  int size_ = 0;
  std::vector<ir::Call> calls_;
  std::map<std::pair<int, bool>, std::shared_ptr<const ir::Kernel>> bodies_;
  std::map<std::string, std::set<int>> written_;
};

}  // namespace

void constrained_derivatives_by_columns(Context<Scalar>& c) {
  const Columns columns(c);
  ColumnCalls(c, columns).run();
}

}  // namespace featherline::algorithms
