// Batches of a user: compared with the scalar functions; with an argument, a mistake that a debug build refuses.
#include <arm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int count = 101, n = arm::nv;

template <class S>
std::vector<S> numbers(int per_state, S scale) {
  std::vector<S> list(static_cast<std::size_t>(count * per_state));
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = scale * static_cast<S>(static_cast<int>(i * 37 % 101) - 50);
  return list;
}

template <class S>
S error(const std::vector<S>& x, const std::vector<S>& y) {
  S error = 0, largest = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, std::abs(x[i] - y[i]));
    largest = std::max(largest, std::abs(y[i]));
  }
  return error / largest;
}

template <class S>
bool agree(const featherline::BatchOptions& options, S tolerance) {
  const std::vector<S> q = numbers<S>(n, S(0.03)), v = numbers<S>(n, S(0.05)), a = numbers<S>(n, S(0.1));
  std::vector<S> tau(q.size()), M(q.size() * n), tau_batch(q.size()), M_batch(q.size() * n);
  for (std::size_t k = 0; k < count; ++k) {
    arm::rnea(&q[k * n], &v[k * n], &a[k * n], &tau[k * n]);
    arm::mass_matrix(&q[k * n], &M[k * n * n]);
  }
  arm::batch::rnea(count, q.data(), v.data(), a.data(), tau_batch.data(), options);
  arm::batch::mass_matrix(count, q.data(), M_batch.data(), options);
  return error(tau_batch, tau) < tolerance && error(M_batch, M) < tolerance;
}

/// Something that a debug build refuses.
void mistake(const char* name) {
  std::vector<double> x = numbers<double>(n, 0.1);
  double* misaligned = reinterpret_cast<double*>(reinterpret_cast<char*>(x.data()) + 1);
  featherline::BatchOptions narrow;
  narrow.stride = count - 1;
  std::vector<double> y(x.size());
  if (std::strcmp(name, "null") == 0) arm::batch::rnea<double>(count, x.data(), nullptr, x.data(), y.data());
  if (std::strcmp(name, "misaligned") == 0)
    arm::batch::rnea(count - 1, misaligned, x.data(), x.data(), y.data());
  if (std::strcmp(name, "overlap") == 0) arm::batch::rnea(count, x.data(), x.data(), x.data(), x.data());
  if (std::strcmp(name, "stride") == 0)
    arm::batch::soa::rnea(count, x.data(), x.data(), x.data(), y.data(), narrow);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return mistake(argv[1]), 0;
  const char* const names[] = {"baseline", "avx2", "avx512"};
  bool all = true;
  for (int set = 0; set < 3; ++set) {
    featherline::BatchOptions options;
    options.limit = static_cast<featherline::InstructionSet>(set);
    options.threads = 2;
    const bool ok = agree<double>(options, 1e-13) && agree<float>(options, 1e-5F);
    const char* used = names[static_cast<int>(featherline::usable_instruction_set(options.limit))];
    std::printf("%s: batches %s\n", used, ok ? "agree" : "DISAGREE");
    all = all && ok;
  }
  return all ? 0 : 1;
}
