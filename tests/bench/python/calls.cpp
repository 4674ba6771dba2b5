// Times of C++ calls, for calls.py, which compiles this beside a robot's emitted code. A line a function: its name,
// ns a call, ns a state of a batch.
#include FEATHERLINE_HEADER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace robot = FEATHERLINE_ROBOT;

namespace {

constexpr int batch_size = 10000;

/// The best of `rounds` runs of `calls` calls [ns a call].
template <class Call>
double best_time(int rounds, int calls, const Call& call) {
  double best = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) call();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / calls);
  }
  return best;
}

std::vector<double> read(const char* path) {
  std::vector<double> numbers(static_cast<std::size_t>(batch_size) * (robot::nq + 2 * robot::nv));
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr || std::fread(numbers.data(), sizeof(double), numbers.size(), file) != numbers.size()) {
    std::fprintf(stderr, "%s: %zu numbers are wanted\n", path, numbers.size());
    std::exit(1);
  }
  std::fclose(file);
  return numbers;
}

template <class Call, class Batch>
void report(const char* name, const Call& call, const Batch& batch) {
  const double scalar = best_time(30, 2000, call), many = best_time(10, 1, batch);
  std::printf("%s %.3f %.3f\n", name, scalar, many / batch_size);
}

}  // namespace

int main(int, char** arguments) {
  const std::vector<double> state = read(arguments[1]);
  const double *q = state.data(), *v = q + batch_size * robot::nq, *a = v + batch_size * robot::nv;
  std::vector<double> out(2 * static_cast<std::size_t>(batch_size) * robot::nv * robot::nv);
  double *first = out.data(), *second = first + out.size() / 2;
  report(
      "rnea", [&] { robot::rnea(q, v, a, first); }, [&] { robot::batch::rnea(batch_size, q, v, a, first); });
  report(
      "mass_matrix", [&] { robot::mass_matrix(q, first); },
      [&] { robot::batch::mass_matrix(batch_size, q, first); });
  report(
      "aba", [&] { robot::aba(q, v, a, first); }, [&] { robot::batch::aba(batch_size, q, v, a, first); });
  report(
      "rnea_derivatives", [&] { robot::rnea_derivatives(q, v, a, first, second); },
      [&] { robot::batch::rnea_derivatives(batch_size, q, v, a, first, second); });
}
