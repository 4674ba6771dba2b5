#include "fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

namespace featherline::bench {
namespace {

using cost::ColdParameters;
using cost::TimeParameters;

constexpr std::pair<const char*, double TimeParameters::*> members[] = {
    {"call", &TimeParameters::call},
    {"arithmetic", &TimeParameters::arithmetic},
    {"store", &TimeParameters::store},
    {"division", &TimeParameters::division},
    {"sincos", &TimeParameters::sincos},
    {"chain_cycle", &TimeParameters::chain_cycle},
    {"resident_bytes", &TimeParameters::resident_bytes},
    {"fetched_byte", &TimeParameters::fetched_byte},
    {"cleared_byte", &TimeParameters::cleared_byte},
    {"far_cleared_byte", &TimeParameters::far_cleared_byte},
    {"far_line", &TimeParameters::far_line},
    {"walk_flop", &TimeParameters::walk_flop},
};
constexpr std::pair<const char*, double ColdParameters::*> cold_members[] = {
    {"call", &ColdParameters::call},
    {"code_byte", &ColdParameters::code_byte},
    {"table_byte", &ColdParameters::table_byte},
    {"data_byte", &ColdParameters::data_byte},
    {"stack_byte", &ColdParameters::stack_byte},
};

// What differs between the times of warm and of cold calls.
constexpr const auto& members_of(const TimeParameters&) { return members; }
constexpr const auto& members_of(const ColdParameters&) { return cold_members; }

/// Errors of this size begin to count linearly.
constexpr double outlier = 0.1;
/// How strongly parameters are held at their start, against errors of the rows.
constexpr double hold = 0.02;

/// Code that is estimated so wrong, in logarithms, is not fitted: g++ inlined what was taken to be called, or the
/// reverse.
constexpr double misjudged = 0.3;

/// Unknowns are logarithms: of the parameters, then of the factors of all machines but the first.
template <class Parameters>
class Problem {
 public:
  Problem(const std::vector<Measurement>& rows, const Parameters& start) : rows_(rows) {
    for (const Measurement& row : rows) ++counts_[row.machine];
    first_ = rows.front().machine;
    for (const auto& [machine, count] : counts_) {
      if (machine != first_) factors_[machine] = num_members + static_cast<Eigen::Index>(factors_.size());
    }
    start_ = Eigen::VectorXd::Zero(num_members + static_cast<Eigen::Index>(factors_.size()));
    for (Eigen::Index k = 0; k < num_members; ++k) start_[k] = std::log(start.*members_of(start)[k].second);
  }

  const Eigen::VectorXd& start() const { return start_; }

  Parameters parameters(const Eigen::VectorXd& x) const {
    Parameters p{};
    for (Eigen::Index k = 0; k < num_members; ++k) p.*members_of(p)[k].second = std::exp(x[k]);
    return p;
  }
  double factor(const Eigen::VectorXd& x, const std::string& machine) const {
    return machine == first_ ? 1.0 : std::exp(x[factors_.at(machine)]);
  }
  const std::map<std::string, double>& counts() const { return counts_; }

  /// Of the rows, then of the start.
  Eigen::VectorXd errors(const Eigen::VectorXd& x) const {
    const Parameters p = parameters(x);
    Eigen::VectorXd e(static_cast<Eigen::Index>(rows_.size()) + x.size());
    Eigen::Index k = 0;
    for (const Measurement& row : rows_) {
      const double error = std::log(factor(x, row.machine) * predicted(row, p) / measured(row, p));
      const double z = error * error / (outlier * outlier);
      const double soft = outlier * std::sqrt(2.0 * (std::sqrt(1.0 + z) - 1.0));
      e[k++] = std::sqrt(counts_.at(first_) / counts_.at(row.machine)) * std::copysign(soft, error);
    }
    e.tail(x.size()) = hold * (x - start_);
    return e;
  }

 private:
  static constexpr Eigen::Index num_members = std::size(members_of(Parameters{}));
  const std::vector<Measurement>& rows_;
  std::map<std::string, double> counts_;
  std::map<std::string, Eigen::Index> factors_;
  std::string first_;
  Eigen::VectorXd start_;
};

using Errors = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

Eigen::MatrixXd jacobian(const Errors& errors, const Eigen::VectorXd& x) {
  constexpr double step = 1e-5;
  Eigen::MatrixXd J(errors(x).size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const Eigen::VectorXd dx = step * Eigen::VectorXd::Unit(x.size(), k);
    J.col(k) = (errors(x + dx) - errors(x - dx)) / (2.0 * step);
  }
  return J;
}

/// Levenberg and Marquardt's method.
Eigen::VectorXd least_squares(const Errors& errors, Eigen::VectorXd x) {
  double damping = 1e-2, cost = errors(x).squaredNorm();
  for (int iteration = 0; iteration < 300; ++iteration) {
    const Eigen::MatrixXd J = jacobian(errors, x);
    Eigen::MatrixXd A = J.transpose() * J;
    A.diagonal() *= 1.0 + damping;
    const Eigen::VectorXd next = x - A.ldlt().solve(J.transpose() * errors(x));
    const double next_cost = errors(next).squaredNorm();
    if (!(next_cost < cost)) {
      damping *= 4.0;
      if (damping > 1e8) break;
      continue;
    }
    damping = std::max(1e-9, damping / 3.0);
    const bool done = cost - next_cost < 1e-12 * cost;
    x = next;
    cost = next_cost;
    if (done) break;
  }
  return x;
}

template <class Parameters>
Fit<Parameters> fitted(const std::vector<Measurement>& rows, const Parameters& start) {
  const Problem problem(rows, start);
  const Eigen::VectorXd x =
      least_squares([&](const auto& at) { return problem.errors(at); }, problem.start());
  Fit<Parameters> fit{problem.parameters(x), {}};
  for (const auto& [machine, count] : problem.counts())
    fit.machine_factors[machine] = problem.factor(x, machine);
  return fit;
}
}  // namespace

template <class Parameters>
Fit<Parameters> fit_times(const std::vector<Measurement>& rows, const Parameters& start) {
  return fitted(rows, start);
}
template Fit<TimeParameters> fit_times(const std::vector<Measurement>&, const TimeParameters&);
template Fit<ColdParameters> fit_times(const std::vector<Measurement>&, const ColdParameters&);

namespace {

/// `error(k, terms)`: of a row, in units that count the same. What rows do not tell keeps its value.
std::vector<cost::Term> fit_terms(
    std::vector<cost::Term> terms, std::size_t rows,
    const std::function<double(std::size_t, const std::vector<cost::Term>&)>& error) {
  const auto size = static_cast<Eigen::Index>(terms.size());
  Eigen::VectorXd start(size);
  for (Eigen::Index k = 0; k < size; ++k) start[k] = std::log(terms[static_cast<std::size_t>(k)].each);
  const auto set_terms = [&](const Eigen::VectorXd& x) {
    for (Eigen::Index k = 0; k < size; ++k) terms[static_cast<std::size_t>(k)].each = std::exp(x[k]);
  };
  const auto errors = [&](const Eigen::VectorXd& x) {
    set_terms(x);
    Eigen::VectorXd e(static_cast<Eigen::Index>(rows) + size);
    for (std::size_t k = 0; k < rows; ++k) e[static_cast<Eigen::Index>(k)] = error(k, terms);
    e.tail(size) = hold * (x - start);
    return e;
  };
  set_terms(least_squares(errors, start));
  return terms;
}

}  // namespace

std::vector<cost::Term> fit_code(const std::vector<SizeRow>& rows, cost::Target target) {
  const std::vector<cost::Term>& start = cost::code_terms(target);
  const auto error = [&](const SizeRow& row, const std::vector<cost::Term>& terms) {
    return std::log(cost::code_bytes(row.counts, target, terms) / (code_aim * row.code));
  };
  std::vector<SizeRow> used;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(used),
               [&](const SizeRow& row) { return std::abs(error(row, start)) < misjudged; });
  return fit_terms(start, used.size(), [&](std::size_t k, const std::vector<cost::Term>& terms) {
    const double z = error(used[k], terms) / outlier;
    return z * z * z;
  });
}

std::vector<cost::Term> fit_cycles(const std::vector<CycleRow>& rows, cost::Target target) {
  return fit_terms(cost::cycle_terms(target), rows.size(),
                   [&](std::size_t k, const std::vector<cost::Term>& terms) {
                     return std::log(cost::weighted_sum(terms, rows[k].counts) / rows[k].cycles) / outlier;
                   });
}

std::vector<cost::Term> fit_device_code(const std::vector<DeviceRow>& rows, int scalar_bytes) {
  std::vector<DeviceRow> used;
  std::ranges::copy_if(rows, std::back_inserter(used),
                       [&](const DeviceRow& row) { return row.bytes() == scalar_bytes; });
  return fit_terms(cost::device_code_terms(scalar_bytes), used.size(),
                   [&](std::size_t k, const std::vector<cost::Term>& terms) {
                     const double sum =
                         cost::weighted_sum(terms, cost::device_code_counts(used[k].counts, scalar_bytes));
                     return std::log(sum / used[k].instructions) / outlier;
                   });
}

std::vector<cost::Term> fit_device_time(const std::vector<DeviceRow>& rows) {
  std::vector<DeviceRow> used;
  std::ranges::copy_if(rows, std::back_inserter(used), [](const DeviceRow& row) { return row.ns > 0; });
  return fit_terms(
      cost::device_time_terms(), used.size(), [&](std::size_t k, const std::vector<cost::Term>& terms) {
        const DeviceRow& row = used[k];
        const double error = std::log(
            cost::estimate(row.counts, row.bytes(), cost::device_code_terms(row.bytes()), terms).ns / row.ns);
        const double z = error * error / (outlier * outlier);
        return std::copysign(std::sqrt(2.0 * (std::sqrt(1.0 + z) - 1.0)), error);
      });
}

std::string print_terms(const std::vector<cost::Term>& terms) {
  std::string text;
  for (const cost::Term& term : terms) text += fmt::format("    {{\"{}\", {:.3g}}},\n", term.name, term.each);
  return text;
}

template <class Parameters>
std::string print_parameters(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, member] : members_of(parameters))
    text += fmt::format("    .{} = {:.3g},\n", name, parameters.*member);
  return text;
}
template std::string print_parameters(const TimeParameters&);
template std::string print_parameters(const ColdParameters&);

}  // namespace featherline::bench
