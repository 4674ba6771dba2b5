// Batches against calls of the scalar function, state by state: nanoseconds a state for each instruction set this
// machine has, both layouts, one thread and two. Batches are compared with the scalar function before anything is
// timed. Ends with markdown tables.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "batch/batch_robot.hpp"
#include "google_benchmark.hpp"

namespace featherline::bench {

namespace {

constexpr std::ptrdiff_t in_cache = 96;        ///< states: their results fit the second-level cache
constexpr std::ptrdiff_t for_threads = 20000;  ///< states: some milliseconds

constexpr const char* set_names[] = {"baseline", "AVX2", "AVX-512"};

/// Random states of a robot and room for the results of one function.
class States {
 public:
  States(const BatchRobot& robot, int num_outputs, std::ptrdiff_t count) : count_{count} {
    std::mt19937 random{1};
    std::uniform_real_distribution<double> uniform{-1.5, 1.5};
    for (auto [list, n] : {std::pair{&q_, robot.nq}, {&v_, robot.nv}, {&a_, robot.nv}}) {
      list->resize(static_cast<std::size_t>(count * n));
      for (double& x : *list) x = uniform(random);
    }
    output_.resize(static_cast<std::size_t>(count * num_outputs));
  }
  BatchArrays arrays() { return {q_.data(), v_.data(), a_.data(), output_.data(), count_}; }
  const std::vector<double>& output() const { return output_; }

 private:
  std::ptrdiff_t count_;
  std::vector<double> q_, v_, a_, output_;
};

BatchOptions with(InstructionSet set, int threads) {
  BatchOptions options;
  options.limit = set;
  options.threads = threads;
  return options;
}

std::vector<InstructionSet> supported_sets() {
  std::vector<InstructionSet> sets;
  for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (is_supported(set)) sets.push_back(set);
  }
  return sets;
}

/// Largest difference relative to the largest number.
double difference(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 1.0, error = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs(y[i]));
    error = std::max(error, std::abs(x[i] - y[i]));
  }
  return error / largest;
}

bool agrees(const BatchRobot& robot, const BatchFunction& function) {
  States scalar{robot, function.num_outputs, in_cache};
  function.plain(scalar.arrays());
  bool all = true;
  for (const InstructionSet set : supported_sets()) {
    States batch{robot, function.num_outputs, in_cache};
    function.batch(batch.arrays(), with(set, 1));
    const double error = difference(batch.output(), scalar.output());
    if (error <= 1e-10) continue;
    fmt::print(stderr, "{} {} {} is wrong by {:.1e}\n", robot.name, function.name,
               set_names[static_cast<int>(set)], error);
    all = false;
  }
  return all;
}

template <class Run>
void add(const std::string& name, const BatchRobot& robot, const BatchFunction& function,
         std::ptrdiff_t count, bool wall_time, const Run& run) {
  auto* registered =
      benchmark::RegisterBenchmark(name.c_str(), [&robot, &function, count, run](benchmark::State& s) {
        States states{robot, function.num_outputs, count};
        const BatchArrays x = states.arrays();
        for (auto _ : s) {
          run(x);
          benchmark::ClobberMemory();
        }
      });
  if (wall_time) registered->UseRealTime();
}

std::string key(const BatchRobot& robot, const BatchFunction& function, const std::string& what) {
  return robot.name + "/" + function.name + "/" + what;
}

void add_function(const BatchRobot& robot, const BatchFunction& function) {
  add(key(robot, function, "plain"), robot, function, in_cache, false, function.plain);
  add(key(robot, function, "native"), robot, function, in_cache, false, function.native);
  for (const InstructionSet set : supported_sets()) {
    const std::string name = set_names[static_cast<int>(set)];
    for (const auto& [layout, call] : {std::pair{"", function.batch}, {" soa", function.soa}}) {
      add(key(robot, function, name + layout), robot, function, in_cache, false,
          [call = call, set](const BatchArrays& x) { call(x, with(set, 1)); });
    }
  }
  for (const int threads : {1, 2}) {
    add(key(robot, function, fmt::format("{} threads", threads)), robot, function, for_threads, true,
        [&function, threads](const BatchArrays& x) {
          function.batch(x, with(InstructionSet::avx512, threads));
        });
  }
}

/// Nanoseconds a state.
class Results {
 public:
  explicit Results(const std::map<std::string, double>& best) : best_{best} {}
  double operator()(const std::string& name, std::ptrdiff_t count) const {
    const auto found = best_.find(name);
    return found == best_.end() ? NAN : found->second / static_cast<double>(count);
  }

 private:
  const std::map<std::string, double>& best_;
};

void print_sets(const std::vector<BatchRobot>& robots, const Results& ns) {
  fmt::print("\n| robot | function | layout | scalar call | the same, -march=native |");
  for (const InstructionSet set : supported_sets()) fmt::print(" {} |", set_names[static_cast<int>(set)]);
  fmt::print("\n| --- | --- | --- | --: | --: |");
  for (std::size_t i = 0; i < supported_sets().size(); ++i) fmt::print(" --: |");
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& f : robot.functions) {
      for (const char* layout : {"", " soa"}) {
        const double plain = ns(key(robot, f, "plain"), in_cache),
                     native = ns(key(robot, f, "native"), in_cache);
        fmt::print("\n| {} | {} | {} | {:.3g} | {:.3g} |", robot.name, f.name,
                   *layout == '\0' ? "states" : "elements", plain, native);
        for (const InstructionSet set : supported_sets()) {
          const double batch =
              ns(key(robot, f, std::string{set_names[static_cast<int>(set)]} + layout), in_cache);
          fmt::print(" {:.3g} ({:.1f}, {:.1f}) |", batch, plain / batch, native / batch);
        }
      }
    }
  }
  fmt::print("\n");
}

void print_threads(const std::vector<BatchRobot>& robots, const Results& ns) {
  fmt::print("\n| robot | function | one thread | two threads | ratio |\n| --- | --- | --: | --: | --: |\n");
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& f : robot.functions) {
      const double one = ns(key(robot, f, "1 threads"), for_threads),
                   two = ns(key(robot, f, "2 threads"), for_threads);
      fmt::print("| {} | {} | {:.3g} | {:.3g} | {:.2f} |\n", robot.name, f.name, one, two, one / two);
    }
  }
}

int run() {
  const std::vector<BatchRobot> robots = batch_robots();
  bool all_agree = true;
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& function : robot.functions) all_agree = agrees(robot, function) && all_agree;
  }
  if (!all_agree) return 1;
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& function : robot.functions) add_function(robot, function);
  }
  MinReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  const Results ns{reporter.best()};
  print_sets(robots, ns);
  print_threads(robots, ns);
  return 0;
}

}  // namespace

}  // namespace featherline::bench

int main(int argc, char** argv) {
  return featherline::bench::guarded_main(argc, argv, featherline::bench::run);
}
