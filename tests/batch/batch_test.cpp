#include "batch/compare.hpp"

#include "dog.hpp"
#include "planar.hpp"

#include <featherline/sincos.hpp>

#include <cstdlib>
#include <new>

using namespace batch_test;
using featherline::BatchOptions;
using featherline::InstructionSet;

namespace {

long allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

std::vector<double> random_numbers(std::size_t count, double bound) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-bound, bound);
  std::vector<double> list(count);
  for (double& x : list) x = uniform(random);
  return list;
}

BatchOptions limited(InstructionSet set) {
  BatchOptions options;
  options.limit = set;
  return options;
}

}  // namespace

TEST_CASE("an instruction set that is not there gives way to a narrower one") {
  CHECK(featherline::is_supported(InstructionSet::baseline));
  for (const auto limit : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    const InstructionSet used = featherline::usable_instruction_set(limit);
    CHECK(featherline::is_supported(used));
    CHECK(used <= limit);
    if (featherline::is_supported(limit)) CHECK(used == limit);
  }
  CHECK(featherline::usable_instruction_set() == sets_of_this_machine().back());
}

TEST_CASE("rollouts in lanes are those of one state after the other") {
  constexpr int nq = dog::nq, nv = dog::nv, N = 3, count = 19, stride = 23;
  std::vector<double> q = random_numbers(count * nq, 1.0), dt(count, 1e-3);
  const std::vector<double> v = random_numbers(count * nv, 1.0), tau = random_numbers(count * nv * N, 10.0);
  for (int k = 0; k < count; ++k) {
    const double unit[] = {0.5, -0.5, 0.5, 0.5};
    std::copy_n(unit, 4, &q[static_cast<std::size_t>(k * nq + 3)]);
    dt[static_cast<std::size_t>(k)] += 1e-5 * k;
  }
  const auto soa = [](const std::vector<double>& x, int n) {
    std::vector<double> y(static_cast<std::size_t>(n * stride));
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < n; ++i)
        y[static_cast<std::size_t>(i * stride + k)] = x[static_cast<std::size_t>(k * n + i)];
    return y;
  };
  std::vector<double> q_all(count * nq * N), v_all(count * nv * N);
  for (int k = 0; k < count; ++k)
    dog::rollout(&q[static_cast<std::size_t>(k * nq)], &v[static_cast<std::size_t>(k * nv)],
                 &tau[static_cast<std::size_t>(k * nv * N)], dt[static_cast<std::size_t>(k)], N,
                 &q_all[static_cast<std::size_t>(k * nq * N)], &v_all[static_cast<std::size_t>(k * nv * N)]);
  const std::vector<double> q_soa = soa(q_all, nq * N), v_soa = soa(v_all, nv * N);
  const auto distance = [](const std::vector<double>& x, const std::vector<double>& y) {
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
    return largest;
  };
  for (const InstructionSet set : sets_of_this_machine()) {
    BatchOptions options = limited(set);
    std::vector<double> q_batch(q_all.size()), v_batch(v_all.size());
    dog::batch::rollout(count, q.data(), v.data(), tau.data(), dt.data(), N, q_batch.data(), v_batch.data(),
                        options);
    CHECK(distance(q_batch, q_all) < 1e-12);
    CHECK(distance(v_batch, v_all) < 1e-10);
    std::vector<double> q_rows(q_soa.size()), v_rows(v_soa.size());
    options.stride = stride;
    dog::batch::soa::rollout(count, soa(q, nq).data(), soa(v, nv).data(), soa(tau, nv * N).data(), dt.data(),
                             N, q_rows.data(), v_rows.data(), options);
    CHECK(distance(q_rows, q_soa) < 1e-12);
    CHECK(distance(v_rows, v_soa) < 1e-10);
    std::vector<double> ends(static_cast<std::size_t>(stride * (nq + nv)), -7.0);
    double *const q_end = ends.data(), *const v_end = q_end + stride * nq;
    dog::batch::soa::rollout_end(count, soa(q, nq).data(), soa(v, nv).data(), soa(tau, nv * N).data(),
                                 dt.data(), N, q_end, v_end, options);
    for (int row = 0; row < nq + nv; ++row) {  // behind the states of a row nothing is written
      const double* last = row < nq ? &q_rows[static_cast<std::size_t>(stride * (nq * (N - 1) + row))]
                                    : &v_rows[static_cast<std::size_t>(stride * (nv * (N - 1) + row - nq))];
      CHECK(std::equal(last, last + count, q_end + stride * row));
      CHECK(q_end[stride * row + count] == -7.0);
    }
    options.stride = 0;
    dog::batch::rollout_end(count, q.data(), v.data(), tau.data(), dt.data(), N, q_end, v_end, options);
    for (int k = 0; k < count; ++k) {
      CHECK(std::equal(q_end + nq * k, q_end + nq * (k + 1),
                       &q_batch[static_cast<std::size_t>(nq * (N * k + N - 1))]));
      CHECK(std::equal(v_end + nv * k, v_end + nv * (k + 1),
                       &v_batch[static_cast<std::size_t>(nv * (N * k + N - 1))]));
    }
    dog::batch::rollout_end(count, q.data(), v.data(), tau.data(), dt.data(), 0, q_end, v_end, options);
    CHECK(std::equal(q.begin(), q.end(), q_end));
    CHECK(std::equal(v.begin(), v.end(), v_end));
  }
}

TEST_CASE("a state's result does not depend on its neighbours or its place") {
  constexpr int n = dog::nv, count = 37;
  const std::vector<double> q = random_numbers(count * dog::nq, 1.0), v = random_numbers(count * n, 1.0);
  for (const InstructionSet set : sets_of_this_machine()) {
    std::vector<double> all(count * n), one(n);
    dog::batch::rnea(count, q.data(), v.data(), v.data() + 0, all.data(), limited(set));
    for (int k = 0; k < count; ++k) {
      dog::batch::rnea(1, q.data() + k * dog::nq, v.data() + k * n, v.data() + k * n, one.data(),
                       limited(set));
      CHECK(std::equal(one.begin(), one.end(), all.begin() + k * n));
    }
  }
}

TEST_CASE("angles beyond the reduction, infinite ones and NaN stay in their lane") {
  constexpr int count = 19;
  std::vector<double> q = random_numbers(count * planar::nq, 2.0);
  q[3] = 3e7;
  q[3 * planar::nq] = -1e15;
  q[5 * planar::nq + 1] = INFINITY;
  q[7 * planar::nq + 2] = NAN;
  for (const InstructionSet set : sets_of_this_machine()) {
    std::vector<double> tau(count * planar::nv), expected(planar::nv);
    planar::batch::gravity(count, q.data(), tau.data(), limited(set));
    for (int k = 0; k < count; ++k) {
      planar::gravity(q.data() + k * planar::nq, expected.data());
      for (int i = 0; i < planar::nv; ++i) {
        const double x = tau[static_cast<std::size_t>(k * planar::nv + i)],
                     y = expected[static_cast<std::size_t>(i)];
        CAPTURE(k);
        if (std::isnan(y)) {
          CHECK(std::isnan(x));
        } else {
          CHECK(std::abs(x - y) <= 1e-12);
        }
      }
    }
  }
}

TEST_CASE("packed batches spread to the dense ones") {
  constexpr int count = 21, n = planar::nv;
  int packed_size = 0;
  for (const featherline::PackedEntry& entry : planar::mass_matrix_packed_M)
    packed_size = std::max(packed_size, entry.source + 1);
  const std::vector<double> q = random_numbers(count * planar::nq, 2.0);
  std::vector<double> dense(count * n * n), packed(static_cast<std::size_t>(count * packed_size)), M(n * n);
  planar::batch::mass_matrix(count, q.data(), dense.data());
  planar::batch::mass_matrix_packed(count, q.data(), packed.data());
  for (int k = 0; k < count; ++k) {
    featherline::unpack(planar::mass_matrix_packed_M, planar::mass_matrix_packed_M_entries,
                        packed.data() + k * packed_size, M.data());
    CHECK(std::equal(M.begin(), M.end(), dense.begin() + k * n * n));
  }
}

TEST_CASE("more threads than states, or none, make no difference") {
  constexpr int n = planar::nv;
  for (const int count : {1, 63, 64, 65, 1000}) {
    const std::vector<double> x = random_numbers(static_cast<std::size_t>(count * n), 1.0);
    std::vector<double> one(x.size()), many(x.size());
    planar::batch::rnea(count, x.data(), x.data(), x.data(), one.data());
    for (const int threads : {-1, 0, 2, 3, 100}) {
      BatchOptions options;
      options.threads = threads;
      std::fill(many.begin(), many.end(), 0.0);
      planar::batch::rnea(count, x.data(), x.data(), x.data(), many.data(), options);
      CHECK(many == one);
      std::fill(many.begin(), many.end(), 0.0);
      planar::batch::soa::rnea(count, x.data(), x.data(), x.data(), many.data(), options);
      std::vector<double> soa(x.size());
      planar::batch::soa::rnea(count, x.data(), x.data(), x.data(), soa.data());
      CHECK(many == soa);
    }
  }
}

TEST_CASE("a million states take no memory but the caller's") {
  constexpr std::size_t count = 1000000, n = planar::nv;
  const std::vector<double> x = random_numbers(count * n, 3.0);
  std::vector<double> tau(count * n);
  const long before = allocations;
  planar::batch::rnea(count, x.data(), x.data(), x.data(), tau.data());
  CHECK(allocations == before);
  for (std::size_t k = 0; k < count; k += 9973) {
    double expected[n];
    planar::rnea(&x[k * n], &x[k * n], &x[k * n], expected);
    for (std::size_t i = 0; i < n; ++i) CHECK(tau[k * n + i] == doctest::Approx(expected[i]).epsilon(1e-12));
  }
}

TEST_CASE("a count of zero or less touches nothing") {
  double x = 3.0;
  planar::batch::rnea<double>(0, nullptr, nullptr, nullptr, nullptr);
  planar::batch::soa::rnea<double>(0, nullptr, nullptr, nullptr, nullptr);
  planar::batch::rnea<double>(-5, &x, &x, &x, &x);
  CHECK(x == 3.0);
}
