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

template <class S>
constexpr const char* scalar_name = sizeof(S) == sizeof(double) ? "double" : "float";

/// Random states of a robot and room for the results of one function.
template <class S>
class States {
 public:
  States(const BatchRobot& robot, int num_outputs, std::ptrdiff_t count) : count_{count} {
    std::mt19937 random{1};
    std::uniform_real_distribution<S> uniform{S(-1.5), S(1.5)};
    for (auto [list, n] : {std::pair{&q_, robot.nq}, {&v_, robot.nv}, {&a_, robot.nv}}) {
      list->resize(static_cast<std::size_t>(count * n));
      for (S& x : *list) x = uniform(random);
    }
    if (robot.nq > robot.nv) {  // the base floats
      for (std::ptrdiff_t k = 0; k < count; ++k) {
        S* x = q_.data() + k * robot.nq + 3;
        const S length = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
        for (int i = 0; i < 4; ++i) x[i] /= length;
      }
    }
    output_.resize(static_cast<std::size_t>(count * num_outputs));
  }
  BatchArrays<S> arrays() { return {q_.data(), v_.data(), a_.data(), output_.data(), count_}; }
  const std::vector<S>& output() const { return output_; }

 private:
  std::ptrdiff_t count_;
  std::vector<S> q_, v_, a_, output_;
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
template <class S>
double difference(const std::vector<S>& x, const std::vector<S>& y) {
  double largest = 1.0, error = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(y[i])));
    error = std::max(error, static_cast<double>(std::abs(x[i] - y[i])));
  }
  return error / largest;
}

/// Float has nine digits less.
template <class S>
constexpr double allowed = sizeof(S) == sizeof(double) ? 1e-10 : 1e-3;

template <class S>
bool agrees(const BatchRobot& robot, const BatchFunction& function) {
  States<S> scalar{robot, function.num_outputs, in_cache};
  function.calls<S>().plain(scalar.arrays());
  bool all = true;
  for (const InstructionSet set : supported_sets()) {
    States<S> batch{robot, function.num_outputs, in_cache};
    function.calls<S>().batch(batch.arrays(), with(set, 1));
    const double error = difference(batch.output(), scalar.output());
    if (error <= allowed<S>) continue;
    fmt::print(stderr, "{} {} {} {} is wrong by {:.1e}\n", robot.name, function.name, scalar_name<S>,
               set_names[static_cast<int>(set)], error);
    all = false;
  }
  return all;
}

template <class S, class Run>
void add(const std::string& name, const BatchRobot& robot, const BatchFunction& function,
         std::ptrdiff_t count, bool wall_time, const Run& run) {
  auto* registered =
      benchmark::RegisterBenchmark(name.c_str(), [&robot, &function, count, run](benchmark::State& s) {
        States<S> states{robot, function.num_outputs, count};
        const BatchArrays<S> x = states.arrays();
        for (auto _ : s) {
          run(x);
          benchmark::ClobberMemory();
        }
      });
  if (wall_time) registered->UseRealTime();
}

template <class S>
std::string key(const BatchRobot& robot, const BatchFunction& function, const std::string& what) {
  return robot.name + "/" + function.name + "/" + scalar_name<S> + "/" + what;
}

template <class S>
void add_function(const BatchRobot& robot, const BatchFunction& function) {
  const BatchCalls<S>& calls = function.calls<S>();
  add<S>(key<S>(robot, function, "plain"), robot, function, in_cache, false, calls.plain);
  add<S>(key<S>(robot, function, "native"), robot, function, in_cache, false, calls.native);
  for (const InstructionSet set : supported_sets()) {
    const std::string name = set_names[static_cast<int>(set)];
    for (const auto& [layout, call] : {std::pair{"", calls.batch}, {" soa", calls.soa}}) {
      add<S>(key<S>(robot, function, name + layout), robot, function, in_cache, false,
             [call = call, set](const BatchArrays<S>& x) { call(x, with(set, 1)); });
    }
  }
  for (const int threads : {1, 2}) {
    add<S>(key<S>(robot, function, fmt::format("{} threads", threads)), robot, function, for_threads, true,
           [&calls, threads](const BatchArrays<S>& x) {
             calls.batch(x, with(InstructionSet::avx512, threads));
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

template <class S>
void print_set_rows(const BatchRobot& robot, const BatchFunction& f, const Results& ns) {
  for (const char* layout : {"", " soa"}) {
    const double plain = ns(key<S>(robot, f, "plain"), in_cache),
                 native = ns(key<S>(robot, f, "native"), in_cache);
    fmt::print("\n| {} | {} | {} | {} | {:.3g} | {:.3g} |", robot.name, f.name, scalar_name<S>,
               *layout == '\0' ? "states" : "elements", plain, native);
    for (const InstructionSet set : supported_sets()) {
      const double batch =
          ns(key<S>(robot, f, std::string{set_names[static_cast<int>(set)]} + layout), in_cache);
      fmt::print(" {:.3g} ({:.1f}, {:.1f}) |", batch, plain / batch, native / batch);
    }
  }
}

void print_sets(const std::vector<BatchRobot>& robots, const Results& ns) {
  fmt::print("\n| robot | function | scalar | layout | scalar call | the same, -march=native |");
  for (const InstructionSet set : supported_sets()) fmt::print(" {} |", set_names[static_cast<int>(set)]);
  fmt::print("\n| --- | --- | --- | --- | --: | --: |");
  for (std::size_t i = 0; i < supported_sets().size(); ++i) fmt::print(" --: |");
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& f : robot.functions) {
      print_set_rows<double>(robot, f, ns);
      print_set_rows<float>(robot, f, ns);
    }
  }
  fmt::print("\n");
}

template <class S>
void print_thread_row(const BatchRobot& robot, const BatchFunction& f, const Results& ns) {
  const double one = ns(key<S>(robot, f, "1 threads"), for_threads),
               two = ns(key<S>(robot, f, "2 threads"), for_threads);
  fmt::print("| {} | {} | {} | {:.3g} | {:.3g} | {:.2f} |\n", robot.name, f.name, scalar_name<S>, one, two,
             one / two);
}

void print_threads(const std::vector<BatchRobot>& robots, const Results& ns) {
  fmt::print(
      "\n| robot | function | scalar | one thread | two threads | ratio |\n| --- | --- | --- | --: | --: | "
      "--: |\n");
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& f : robot.functions) {
      print_thread_row<double>(robot, f, ns);
      print_thread_row<float>(robot, f, ns);
    }
  }
}

int run() {
  const std::vector<BatchRobot> robots = batch_robots();
  bool all_agree = true;
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& function : robot.functions)
      all_agree = agrees<double>(robot, function) && agrees<float>(robot, function) && all_agree;
  }
  if (!all_agree) return 1;
  for (const BatchRobot& robot : robots) {
    for (const BatchFunction& function : robot.functions) {
      add_function<double>(robot, function);
      add_function<float>(robot, function);
    }
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
