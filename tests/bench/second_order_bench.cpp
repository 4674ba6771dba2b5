// Second-order derivatives of inverse dynamics, all four tensors: emitted code, the generic Algorithm 1 of paper 002,
// and complex step over emitted first-order derivatives. Names: method/robot.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "generic/idsva_second.hpp"
#include "min_reporter.hpp"
#include "model/build_tree.hpp"
#include "reference/derivatives.hpp"
#include "reference/integrate.hpp"
#include "second_order_robot.hpp"
#include "state.hpp"
#include "urdf/reader.hpp"

namespace featherline::bench {

namespace {

using Eigen::VectorXd;
using ComplexVector = reference::VectorX<Complex>;

constexpr int num_states = 16;
constexpr double agreement = 1e-10;

model::Tree read_tree(const SecondOrderRobot& robot) {
  Diagnostics findings;
  const urdf::Description description = urdf::read_file(robot.urdf, findings);
  if (findings.has_errors()) throw std::runtime_error{"cannot read " + robot.urdf};
  model::BuildOptions options;
  options.floating_base = robot.floating_base;
  options.mimic_independent = true;
  return model::build_tree(description, options, findings);
}

struct Point {
  VectorXd q, v, a;
};

std::vector<Point> random_points(const model::Tree& tree) {
  const auto vector = [](const std::vector<double>& x) {
    return VectorXd{Eigen::Map<const VectorXd>{x.data(), static_cast<Eigen::Index>(x.size())}};
  };
  std::vector<Point> points;
  for (const State& state : random_states(tree, num_states))
    points.push_back({vector(state.q), vector(state.v), vector(state.a)});
  return points;
}

/// Derivatives of the emitted first-order functions, one imaginary step a column: 2 nv evaluations for the torques' and
/// nv for the mass matrix's. The steps in q are in the tangent space and made beforehand, outside the measurement.
class ComplexStep {
 public:
  ComplexStep(const SecondOrderRobot& robot, const model::Tree& tree, const std::vector<Point>& points)
      : robot_{robot}, nv_{tree.nv} {
    for (const Point& point : points) {
      steps_.emplace_back();
      for (int k = 0; k < nv_; ++k) {
        ComplexVector step = ComplexVector::Zero(nv_);
        step[k] = Complex{0.0, size};
        steps_.back().push_back(reference::integrate<Complex>(tree, point.q.cast<Complex>(), step));
      }
    }
    matrix_ = other_ = Eigen::MatrixXcd::Zero(nv_, nv_);
  }

  /// `index`: which of the points.
  void operator()(std::size_t index, const Point& point, double* tensors) {
    const ComplexVector q = point.q.cast<Complex>(), a = point.a.cast<Complex>();
    ComplexVector v = point.v.cast<Complex>();
    const std::ptrdiff_t matrix = nv_ * nv_, tensor = matrix * nv_;
    double *dqdq = tensors, *dvdv = dqdq + tensor, *dqdv = dvdv + tensor, *dM = dqdv + tensor;
    for (int k = 0; k < nv_; ++k) {
      const ComplexVector& moved = steps_[index][static_cast<std::size_t>(k)];
      robot_.first_derivatives(moved.data(), v.data(), a.data(), matrix_.data(), other_.data());
      write(matrix_, dqdq + k * matrix);
      for (int j = 0; j < nv_; ++j) {  // d2 tau / (dq_k dv_j)
        Eigen::Map<VectorXd>{dqdv + k * nv_ + j * matrix, nv_} = other_.col(j).imag() / size;
      }
      robot_.mass_matrix(moved.data(), matrix_.data());
      write(matrix_, dM + k * matrix);
      v[k] += Complex{0.0, size};
      robot_.first_derivatives(q.data(), v.data(), a.data(), matrix_.data(), other_.data());
      write(other_, dvdv + k * matrix);
      v[k] = point.v[k];
    }
  }

 private:
  static constexpr double size = 1e-30;

  void write(const Eigen::MatrixXcd& derivative, double* slice) const {
    Eigen::Map<Eigen::MatrixXd>{slice, nv_, nv_} = derivative.imag() / size;
  }

  const SecondOrderRobot& robot_;
  int nv_;
  std::vector<std::vector<ComplexVector>> steps_;
  Eigen::MatrixXcd matrix_, other_;
};

struct Subject {
  explicit Subject(SecondOrderRobot made)
      : robot{std::move(made)},
        tree{read_tree(robot)},
        points{random_points(tree)},
        complex{robot, tree, points} {
    try {
      generic.emplace(generic::make_model(tree));
    } catch (const std::invalid_argument&) {  // joints that Algorithm 1 is not written for here
    }
  }

  std::size_t num_entries() const { return 4 * static_cast<std::size_t>(tree.nv) * tree.nv * tree.nv; }

  SecondOrderRobot robot;
  model::Tree tree;
  std::vector<Point> points;
  ComplexStep complex;
  std::optional<generic::IdsvaSecond> generic;
};

void require_equal(const Subject& subject, const std::string& method, const std::vector<double>& found,
                   const std::vector<double>& expected) {
  double difference = 0.0, largest = 1.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference = std::max(difference, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (difference / largest <= agreement) return;
  throw std::runtime_error{
      fmt::format("{}: {} is wrong by {:.1e}", subject.robot.name, method, difference / largest)};
}

std::vector<double> joined(std::initializer_list<const std::vector<double>*> tensors) {
  std::vector<double> all;
  for (const std::vector<double>* tensor : tensors) all.insert(all.end(), tensor->begin(), tensor->end());
  return all;
}

/// Every method against the reference solver, at the first state. Throws where one disagrees.
void verify(Subject& subject) {
  const Point& x = subject.points.front();
  const auto tensors = reference::rnea_second_derivatives(subject.tree, x.q, x.v, x.a);
  const std::vector<double> expected = joined(
      {&tensors.d2tau_dqdq.data, &tensors.d2tau_dvdv.data, &tensors.d2tau_dqdv.data, &tensors.dM_dq.data});
  std::vector<double> found(subject.num_entries());
  subject.robot.second_derivatives(x.q.data(), x.v.data(), x.a.data(), found.data());
  require_equal(subject, "emitted code", found, expected);
  subject.complex(0, x, found.data());
  require_equal(subject, "complex step", found, expected);
  if (!subject.generic) return;
  generic::IdsvaSecond& g = *subject.generic;
  g.derivatives(x.q, x.v, x.a);
  require_equal(subject, "Algorithm 1",
                joined({&g.d2tau_dqdq().data, &g.d2tau_dvdv().data, &g.d2tau_dqdv().data, &g.dM_dq().data}),
                expected);
}

template <class Call>
void add(const std::string& method, Subject& subject, Call call) {
  benchmark::RegisterBenchmark((method + "/" + subject.robot.name).c_str(),
                               [&subject, call](benchmark::State& state) {
                                 std::vector<double> tensors(subject.num_entries());
                                 benchmark::DoNotOptimize(tensors.data());
                                 std::size_t k = 0;
                                 for (auto _ : state) {
                                   call(subject, k, tensors.data());
                                   benchmark::ClobberMemory();
                                   k = (k + 1) % num_states;
                                 }
                               });
}

void add_all(Subject& subject) {
  add("emitted", subject, [](Subject& s, std::size_t k, double* tensors) {
    const Point& x = s.points[k];
    s.robot.second_derivatives(x.q.data(), x.v.data(), x.a.data(), tensors);
  });
  add("complex", subject,
      [](Subject& s, std::size_t k, double* tensors) { s.complex(k, s.points[k], tensors); });
  if (!subject.generic) return;
  add("generic", subject, [](Subject& s, std::size_t k, double*) {
    const Point& x = s.points[k];
    s.generic->derivatives(x.q, x.v, x.a);
  });
}

int flops(const SecondOrderRobot& robot) {
  std::ifstream file{robot.manifest};
  if (!file) throw std::runtime_error{"there is no manifest " + robot.manifest};
  return nlohmann::json::parse(file).at("functions").at("rnea_second_derivatives").at("flops").get<int>();
}

void print_table(const std::map<std::string, double>& best,
                 const std::vector<std::unique_ptr<Subject>>& subjects) {
  fmt::print(
      "\nMicroseconds per call, all four tensors, dense; best repetition.\n\n"
      "| robot | nv | flops emitted | emitted | Algorithm 1 | complex step | Algorithm 1 / emitted | "
      "complex step / emitted |\n| --- | --: | --: | --: | --: | --: | --: | --: |\n");
  for (const auto& subject : subjects) {
    const auto us = [&](const std::string& method) {
      const auto found = best.find(method + "/" + subject->robot.name);
      return found == best.end() ? std::nan("") : found->second / 1000.0;
    };
    const auto cell = [](double x) { return std::isnan(x) ? std::string{} : fmt::format("{:.3g}", x); };
    const double emitted = us("emitted");
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} |\n", subject->robot.name, subject->tree.nv,
               flops(subject->robot), cell(emitted), cell(us("generic")), cell(us("complex")),
               cell(us("generic") / emitted), cell(us("complex") / emitted));
  }
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::vector<std::unique_ptr<Subject>> subjects;
  for (SecondOrderRobot& robot : second_order_robots()) {
    subjects.push_back(std::make_unique<Subject>(std::move(robot)));
    verify(*subjects.back());
    add_all(*subjects.back());
  }
  MinReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_table(reporter.best(), subjects);
  return 0;
}

}  // namespace

}  // namespace featherline::bench

int main(int argc, char** argv) {
  try {
    return featherline::bench::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
}
