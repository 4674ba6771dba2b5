// Every function of libraries of robots, as Python loads them: nanoseconds a state of a batch beside plain calls over
// the same states, compiled with the same flags. The sides are timed in turn, the best of many short blocks counts.
//
//   bench_batch_functions LIBRARY...     copies: the same file can be slow until it is written anew
#include <featherline/python_table.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace featherline::bench {
namespace {

template <class S>
using Numbers = std::vector<S>;

constexpr std::ptrdiff_t in_cache = 96;      ///< states
constexpr std::ptrdiff_t most_bytes = 64e6;  ///< of results: they come from memory
constexpr int blocks = 40;
constexpr double block_ns = 30e3;

std::ptrdiff_t size_of(const python::Array& array) {
  std::ptrdiff_t size = 1;
  for (int i = 0; i < array.rank; ++i) size *= array.sides[i];
  return size;
}

template <class S>
const python::Calls& calls_of(const python::Function& function) {
  return std::is_same_v<S, double> ? function.float64 : function.float32;
}

template <class S>
void make_unit(const python::Robot& robot, Numbers<S>& q, std::ptrdiff_t nq) {
  for (std::size_t k = 0; k < q.size(); k += static_cast<std::size_t>(nq)) {
    for (const python::Quaternion& quaternion : robot.quaternions) {
      S* x = &q[k + static_cast<std::size_t>(quaternion.index)];
      const S length = std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3]));
      for (int i = 0; i < 4; ++i) x[i] /= length;
    }
  }
}

/// At most 10,000 states, so that results of 6,400 bytes a state do not stay in any cache.
std::ptrdiff_t beyond_cache(const python::Function& function, std::size_t item) {
  std::ptrdiff_t numbers = 1;
  for (const python::Array& array : function.arrays) numbers += array.is_output ? size_of(array) : 0;
  return std::clamp<std::ptrdiff_t>(most_bytes / static_cast<std::ptrdiff_t>(item) / numbers, in_cache,
                                    10000);
}

/// A function, random states and room for their results.
template <class S>
class Case {
 public:
  Case(const python::Robot& robot, const python::Function& function, std::ptrdiff_t count)
      : calls_(calls_of<S>(function)), link_(robot.link_names.size / 2), count_(count) {
    std::mt19937 random{1};
    std::uniform_real_distribution<S> uniform{-1, 1};
    for (const python::Array& array : function.arrays) {
      Numbers<S> numbers(static_cast<std::size_t>(count * size_of(array)));
      if (!array.is_output) {
        const bool switches =
            array.demand == python::Demand::switches || array.demand == python::Demand::weights;
        for (S& x : numbers) x = switches ? S(1) : uniform(random);
        if (array.demand == python::Demand::unit_quaternions) make_unit(robot, numbers, size_of(array));
        inputs_.push_back(std::move(numbers));
      } else {
        outputs_.push_back(std::move(numbers));
      }
    }
  }
  void batch() { calls_.many(count_, pointers(0).data(), results(0).data(), link_, frame); }
  void plain() {
    for (std::ptrdiff_t k = 0; k < count_; ++k)
      calls_.one(1, pointers(k).data(), results(k).data(), link_, frame);
  }

 private:
  static constexpr ReferenceFrame frame = ReferenceFrame::local_world_aligned;
  using Arrays = std::array<const void*, python::max_arrays>;
  std::size_t at(const Numbers<S>& numbers, std::ptrdiff_t k) const {
    return numbers.size() / static_cast<std::size_t>(count_) * static_cast<std::size_t>(k);
  }
  Arrays pointers(std::ptrdiff_t k) const {
    Arrays arrays{};
    for (std::size_t i = 0; i < inputs_.size(); ++i) arrays[i] = inputs_[i].data() + at(inputs_[i], k);
    return arrays;
  }
  std::array<void*, python::max_arrays> results(std::ptrdiff_t k) {
    std::array<void*, python::max_arrays> arrays{};
    for (std::size_t i = 0; i < outputs_.size(); ++i) arrays[i] = outputs_[i].data() + at(outputs_[i], k);
    return arrays;
  }

  python::Calls calls_;
  int link_;
  std::ptrdiff_t count_;
  std::vector<Numbers<S>> inputs_, outputs_;
};

double time(const std::function<void()>& run, int repetitions) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repetitions; ++i) run();
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
  return passed.count() / repetitions;
}

/// Nanoseconds a state: plain calls, batch.
template <class S>
std::pair<double, double> measure(const python::Robot& robot, const python::Function& function,
                                  std::ptrdiff_t count) {
  Case<S> x(robot, function, count);
  const std::function<void()> plain = [&] { x.plain(); }, batch = [&] { x.batch(); };
  time(batch, 1);
  const int repetitions = std::max(1, static_cast<int>(block_ns / time(plain, 1)));
  double best_plain = INFINITY, best_batch = INFINITY;
  for (int i = 0; i < blocks; ++i) {
    best_plain = std::min(best_plain, time(plain, repetitions));
    best_batch = std::min(best_batch, time(batch, repetitions));
  }
  return {best_plain / static_cast<double>(count), best_batch / static_cast<double>(count)};
}

template <class S>
void print_row(const python::Robot& robot, const python::Function& function) {
  if (calls_of<S>(function).many == nullptr) return;
  const auto [plain, batch] = measure<S>(robot, function, in_cache);
  const auto [far_plain, far_batch] = measure<S>(robot, function, beyond_cache(function, sizeof(S)));
  fmt::print("| {} | {} | {} | {:.3g} | {:.3g} | {:.2f} | {:.3g} | {:.3g} | {:.2f} |\n", robot.name,
             function.name, sizeof(S) == 8 ? "double" : "float", plain, batch, batch / plain, far_plain,
             far_batch, far_batch / far_plain);
}

int run(int count, char** files) {
  fmt::print(
      "\n| robot | function | scalar | plain, 96 states | batch | ratio | plain, up to 10,000 states | batch "
      "| ratio "
      "|\n"
      "| --- | --- | --- | --: | --: | --: | --: | --: | --: |\n");
  for (int i = 1; i < count; ++i) {
    void* library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, "featherline_robot");
    if (symbol == nullptr) return fmt::print(stderr, "{}\n", dlerror()), 1;
    const python::Robot& robot = *reinterpret_cast<const python::Robot* (*)()>(symbol)();
    for (const python::Function& function : robot.functions) {
      print_row<double>(robot, function);
      print_row<float>(robot, function);
    }
  }
  return 0;
}

}  // namespace
}  // namespace featherline::bench

int main(int argc, char** argv) { return featherline::bench::run(argc, argv); }
