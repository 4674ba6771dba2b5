// Emitted dynamics against the reference solver and, where installed, Pinocchio, MuJoCo and orocos KDL, in one run.
// Every result is compared with the reference solver before anything is timed. Ends with a markdown table.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "google_benchmark.hpp"
#include "subject.hpp"
#include "table.hpp"

namespace featherline::bench {

namespace {

template <class S>
void add_emitted(const Subject& subject, const EmittedFunction& function, const char* what, Call<S> call,
                 const InputArrays<S>& inputs) {
  const int size = function.num_outputs;
  benchmark::RegisterBenchmark(benchmark_name(subject, function.name, what).c_str(),
                               [&subject, &inputs, call, size](benchmark::State& state) {
                                 std::vector<S> output(static_cast<std::size_t>(size));
                                 benchmark::DoNotOptimize(output.data());
                                 cycle(state, subject.num_states(),
                                       [&](std::size_t k) { call(inputs[k], output.data()); });
                               });
}

void add_reference(Subject& subject, const std::string& function) {
  benchmark::RegisterBenchmark(
      benchmark_name(subject, function, "reference").c_str(), [&subject, function](benchmark::State& state) {
        cycle(state, subject.num_states(),
              [&](std::size_t k) { benchmark::DoNotOptimize(subject.reference(function, k)); });
      });
}

void add_peer(const Subject& subject, NamedPeer& named) {
  for (const std::string& function : named.functions) {
    benchmark::RegisterBenchmark(
        benchmark_name(subject, function, named.name).c_str(),
        [&subject, compute = named.peer->computation(function)](benchmark::State& state) {
          cycle(state, subject.num_states(), compute);
        });
  }
}

void add_benchmarks(Subject& subject) {
  for (const EmittedFunction& f : subject.robot().functions) {
    add_emitted(subject, f, "double", f.in_double, subject.inputs_double());
    add_emitted(subject, f, "float", f.in_float, subject.inputs_float());
    add_reference(subject, f.name);
  }
  for (NamedPeer& named : subject.peers()) add_peer(subject, named);
}

/// All robots, smallest first. Emitted functions that disagree with the reference solver are named on stderr.
std::vector<VerifiedSubject> load(bool& all_agree) {
  std::vector<VerifiedSubject> subjects;
  all_agree = true;
  for (EmittedRobot& robot : emitted_robots()) {
    auto subject = std::make_unique<Subject>(std::move(robot));
    std::map<std::string, Errors> errors = verify(*subject);
    for (const auto& [function, error] : errors) {
      if (error.in_double <= agreement) continue;
      fmt::print(stderr, "{} {} is wrong by {:.1e}\n", subject->robot().name, function, error.in_double);
      all_agree = false;
    }
    subjects.push_back({std::move(subject), std::move(errors)});
  }
  const auto smaller = [](const auto& a, const auto& b) {
    return a.subject->tree().nv < b.subject->tree().nv;
  };
  std::stable_sort(subjects.begin(), subjects.end(), smaller);
  return subjects;
}

int run() {
  bool all_agree = false;
  const std::vector<VerifiedSubject> subjects = load(all_agree);
  if (!all_agree) {
    fmt::print(stderr, "nothing was timed, because not everything is right\n");
    return 1;
  }
  for (const VerifiedSubject& verified : subjects) add_benchmarks(*verified.subject);
  MinReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_table(subjects, reporter.best());
  return 0;
}

}  // namespace

}  // namespace featherline::bench

int main(int argc, char** argv) {
  return featherline::bench::guarded_main(argc, argv, featherline::bench::run);
}
