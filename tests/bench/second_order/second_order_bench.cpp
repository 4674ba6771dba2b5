// Second-order derivatives. First all four tensors of inverse dynamics by emitted code, by the generic Algorithm 1 of
// paper 002, by complex step over the emitted first-order derivatives and by Pinocchio where it is installed; then the
// emitted second-order functions beside the first-order ones. Names: method/robot.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "google_benchmark.hpp"
#include "second_order/subject.hpp"

namespace featherline::bench::second_order {

namespace {

using Subjects = std::vector<std::unique_ptr<Subject>>;

const std::string tensors = "rnea_second_derivatives";
const std::vector<std::string> family{"rnea_derivatives", "rnea_vector_hessian", tensors,
                                      "aba_derivatives",  "aba_vector_hessian",  "aba_second_derivatives"};

template <class Call>
void add(const std::string& method, Subject& subject, int num_outputs, Call call) {
  benchmark::RegisterBenchmark(
      (method + "/" + subject.robot().name).c_str(), [&subject, num_outputs, call](benchmark::State& state) {
        std::vector<double> outputs(static_cast<std::size_t>(num_outputs));
        benchmark::DoNotOptimize(outputs.data());
        cycle(state, subject.num_states(), [&](std::size_t k) { call(subject, k, outputs.data()); });
      });
}

void add_all(Subject& subject) {
  for (const Function& f : subject.robot().functions) {
    add(f.name, subject, f.num_outputs,
        [call = f.call](Subject& s, std::size_t k, double* y) { call(s.inputs(k), y); });
  }
  const int num_tensor_entries = 4 * subject.nv() * subject.nv() * subject.nv();
  add("complex", subject, num_tensor_entries,
      [](Subject& s, std::size_t k, double* y) { s.complex_step(k, y); });
  if (subject.pinocchio()) {
    add("pinocchio", subject, 0, [](Subject& s, std::size_t k, double*) { s.pinocchio()(k); });
  }
  if (subject.has_generic()) {
    add("generic", subject, 0, [](Subject& s, std::size_t k, double*) { s.generic(k); });
  }
}

/// Best times in microseconds, as cells of a table; empty where there is none.
class Times {
 public:
  explicit Times(const std::map<std::string, double>& ns) : ns_{ns} {}

  double operator()(const std::string& method, const Subject& subject) const {
    const auto found = ns_.find(method + "/" + subject.robot().name);
    return found == ns_.end() ? std::nan("") : found->second / 1000.0;
  }

 private:
  const std::map<std::string, double>& ns_;
};

std::string cell(double x) { return std::isnan(x) ? std::string{} : fmt::format("{:.3g}", x); }

/// Flops, and "loops" where the function is not unrolled.
std::string size(const Subject& subject, const std::string& function) {
  return fmt::format("{}{}", subject.flops(function), subject.in_loops(function) ? " in loops" : "");
}

void print_methods(const Times& us, const Subjects& subjects) {
  fmt::print(
      "\nMicroseconds per call, all four tensors; best repetition. Non-zeros and Pinocchio write into "
      "tensors that "
      "were cleared once.\n\n"
      "| robot | nv | flops emitted | emitted | non-zeros | Algorithm 1 | complex step | Pinocchio | "
      "Algorithm 1 / "
      "emitted | complex step / emitted | Pinocchio / non-zeros |\n"
      "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n");
  for (const auto& subject : subjects) {
    const double emitted = us(tensors, *subject), generic = us("generic", *subject),
                 complex = us("complex", *subject), nonzeros = us(tensors + "_nonzeros", *subject),
                 pinocchio = us("pinocchio", *subject);
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", subject->robot().name,
               subject->nv(), size(*subject, tensors), cell(emitted), cell(nonzeros), cell(generic),
               cell(complex), cell(pinocchio), cell(generic / emitted), cell(complex / emitted),
               cell(pinocchio / nonzeros));
  }
}

/// All functions of the table, and the form without structural zeros.
bool has_family(const Subject& subject) { return subject.robot().functions.size() == family.size() + 1; }

void print_family(const Times& us, const Subjects& subjects) {
  const auto has = [](const auto& subject) { return has_family(*subject); };
  if (std::none_of(subjects.begin(), subjects.end(), has)) return;
  fmt::print("\nMicroseconds per call, in brackets flops; best repetition.\n\n| robot | nv |");
  for (const std::string& function : family) fmt::print(" {} |", function);
  fmt::print("\n| --- | --: |");
  for (std::size_t i = 0; i < family.size(); ++i) fmt::print(" --: |");
  fmt::print("\n");
  for (const auto& subject : subjects) {
    if (!has_family(*subject)) continue;
    fmt::print("| {} | {} |", subject->robot().name, subject->nv());
    for (const std::string& function : family)
      fmt::print(" {} ({}) |", cell(us(function, *subject)), size(*subject, function));
    fmt::print("\n");
  }
}

int run() {
  Subjects subjects;
  for (Robot& robot : second_order_robots()) {
    subjects.push_back(std::make_unique<Subject>(std::move(robot)));
    add_all(*subjects.back());
  }
  MinReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  const Times us{reporter.best()};
  print_methods(us, subjects);
  print_family(us, subjects);
  return 0;
}

}  // namespace

}  // namespace featherline::bench::second_order

int main(int argc, char** argv) {
  return featherline::bench::guarded_main(argc, argv, featherline::bench::second_order::run);
}
