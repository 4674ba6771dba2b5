// What a thread of a device computes, compiled for the processor, against the functions of the processor.
#include <featherline/cuda/device.hpp>

#include <doctest/doctest.h>

#include "arm7_aba.ipp"
#include "arm7_aba_derivatives.ipp"
#include "arm7_cuda_aba.ipp"
#include "arm7_cuda_aba_derivatives.ipp"
#include "arm7_cuda_minv.ipp"
#include "arm7_cuda_rnea.ipp"
#include "arm7_cuda_rnea_derivatives.ipp"
#include "arm7_cuda_rollout.ipp"
#include "arm7_cuda_rollout_end.ipp"
#include "arm7_minv.ipp"
#include "arm7_rnea.ipp"
#include "arm7_rnea_derivatives.ipp"
#include "arm7_rollout.ipp"
#include "arm7_rollout_end.ipp"
#include "quadruped_aba.ipp"
#include "quadruped_aba_derivatives.ipp"
#include "quadruped_cuda_aba.ipp"
#include "quadruped_cuda_aba_derivatives.ipp"
#include "quadruped_cuda_minv.ipp"
#include "quadruped_cuda_rnea.ipp"
#include "quadruped_cuda_rnea_derivatives.ipp"
#include "quadruped_cuda_rollout.ipp"
#include "quadruped_cuda_rollout_end.ipp"
#include "quadruped_minv.ipp"
#include "quadruped_rnea.ipp"
#include "quadruped_rnea_derivatives.ipp"
#include "quadruped_rollout.ipp"
#include "quadruped_rollout_end.ipp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using Vector = std::vector<double>;
using featherline::cuda::Column;

std::vector<Vector> random_inputs(std::size_t nq, std::size_t nv) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<Vector> inputs{Vector(nq), Vector(nv), Vector(nv)};
  for (Vector& x : inputs) {
    for (double& number : x) number = uniform(random);
  }
  Vector& q = inputs[0];
  if (nq == nv) return inputs;
  const double length = std::sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
  for (std::size_t k = 3; k < 7; ++k) q[k] /= length;
  return inputs;
}

double difference(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  double worst = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    double largest = 1.0;
    for (const double x : b[k]) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      const double error = std::abs(a[k][i] - b[k][i]) / largest;
      worst = error <= worst ? worst : error;
    }
  }
  return worst;
}

/// Calls the struct on pointers, and on columns of three states whose middle one it is.
template <class Function, class Expected>
void compare(const std::vector<Vector>& inputs, const Expected& expected) {
  constexpr int num_outputs = Function::num_outputs;
  std::vector<Vector> right, rows, columns, in_columns;
  for (const int size : Function::outputs) {
    for (auto* list : {&right, &rows}) list->push_back(Vector(static_cast<std::size_t>(size), -7.0));
    columns.push_back(Vector(static_cast<std::size_t>(3 * size), -7.0));
  }
  for (const Vector& x : inputs) {
    Vector& y = in_columns.emplace_back(3 * x.size());
    for (std::size_t k = 0; k < x.size(); ++k) y[3 * k + 1] = x[k];
  }
  expected(inputs, right);
  const auto on_columns = [&](std::size_t k) { return Column<const double>{in_columns[k].data() + 1, 3}; };
  const auto to_columns = [&](std::size_t k) { return Column<double>{columns[k].data() + 1, 3}; };
  const auto run = [&](const auto& in, const auto& out) {
    if constexpr (Function::num_inputs == 1)
      Function::template compute<double>(in(0), out(0));
    else if constexpr (num_outputs == 1)
      Function::template compute<double>(in(0), in(1), in(2), out(0));
    else if constexpr (num_outputs == 2)
      Function::template compute<double>(in(0), in(1), in(2), out(0), out(1));
    else
      Function::template compute<double>(in(0), in(1), in(2), out(0), out(1), out(2));
  };
  run([&](std::size_t k) { return inputs[k].data(); }, [&](std::size_t k) { return rows[k].data(); });
  run(on_columns, to_columns);
  CHECK(difference(rows, right) < 1e-10);
  std::vector<Vector> middle;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    Vector& y = middle.emplace_back();
    for (std::size_t i = 0; i < columns[k].size(); ++i) {
      if (i % 3 == 1)
        y.push_back(columns[k][i]);
      else
        CHECK(columns[k][i] == -7.0);
    }
  }
  CHECK(difference(middle, right) < 1e-10);
}

/// `steps` of a rollout, by element in an array of one state, and of what keeps its end alone.
template <class Function, class End, class Rollout, class ToEnd>
void compare_rollout(const std::vector<Vector>& inputs, const Rollout& rollout, const ToEnd& to_end) {
  constexpr int most = 5;
  const std::size_t nq = inputs[0].size(), nv = inputs[1].size();
  Vector tau;
  for (int k = 0; k < most; ++k) tau.insert(tau.end(), inputs[2].begin(), inputs[2].end());
  const double dt = 1e-3, *in[] = {inputs[0].data(), inputs[1].data(), tau.data()};
  const auto compare = [&](auto function, const auto& call, int N, std::size_t columns) {
    std::vector<Vector> right{Vector(nq * columns), Vector(nv * columns)}, found = right;
    call(in[0], in[1], in[2], dt, N, right[0].data(), right[1].data());
    const featherline::cuda::Job<double, 4, 2> job{
        1, 1, N, {in[0], in[1], in[2], &dt}, {found[0].data(), found[1].data()}};
    decltype(function)::template steps<double>(job, [](std::int64_t, std::int64_t k) { return k; });
    CHECK(difference(found, right) < 1e-10);
  };
  compare(Function(), rollout, most, most);
  for (int N = 0; N <= most; ++N) compare(End(), to_end, N, 1);
}

}  // namespace

#define COMPARE(robot, function, ...)     \
  compare<robot::cuda::detail::function>( \
      inputs, [](const auto& in, auto& out) { robot::function<double>(__VA_ARGS__); })
#define OF_STATE in[0].data(), in[1].data(), in[2].data()
#define COMPARE_ALL(robot)                                                                               \
  const std::vector<Vector> inputs =                                                                     \
      random_inputs(robot::cuda::detail::rnea::inputs[0], robot::cuda::detail::rnea::inputs[1]);         \
  COMPARE(robot, rnea, OF_STATE, out[0].data());                                                         \
  COMPARE(robot, aba, OF_STATE, out[0].data());                                                          \
  COMPARE(robot, rnea_derivatives, OF_STATE, out[0].data(), out[1].data());                              \
  COMPARE(robot, aba_derivatives, OF_STATE, out[0].data(), out[1].data(), out[2].data());                \
  compare<robot::cuda::detail::minv>(                                                                    \
      {inputs[0]}, [](const auto& in, auto& out) { robot::minv<double>(in[0].data(), out[0].data()); }); \
  compare_rollout<robot::cuda::detail::rollout, robot::cuda::detail::rollout_end>(                       \
      inputs, [](auto... a) { robot::rollout<double>(a...); },                                           \
      [](auto... a) { robot::rollout_end<double>(a...); })

TEST_CASE("a thread computes what the processor computes: an arm") { COMPARE_ALL(arm7); }
TEST_CASE("a thread computes what the processor computes: a quadruped") { COMPARE_ALL(quadruped); }

TEST_CASE("the last kernel in turn makes -M^-1 D of D, columns beyond the matrix left out") {
  constexpr int nv = 7, columns = 3;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector Minv(nv * nv), D(nv * nv);
  for (std::size_t i = 0; i < nv; ++i) {
    for (std::size_t j = 0; j <= i; ++j) Minv[i * nv + j] = Minv[j * nv + i] = uniform(random);
  }
  for (double& x : D) x = uniform(random);
  Vector right(nv * nv), found = D;
  for (std::size_t i = 0; i < nv; ++i) {
    for (std::size_t j = 0; j < nv; ++j) {
      for (std::size_t k = 0; k < nv; ++k) right[j * nv + i] -= Minv[i * nv + k] * D[j * nv + k];
    }
  }
  for (int first = 0; first < nv; first += columns) {
    const Column<double> all{found.data(), 1};
    double kept[columns][nv];
    featherline::cuda::take_columns<nv, columns>(all, first, kept);
    for (int i = 0; i < nv; ++i)
      featherline::cuda::put_row<nv, columns>(&Minv[static_cast<std::size_t>(i * nv)], 1, kept, i, first,
                                              all);
  }
  CHECK(difference({found}, {right}) < 1e-14);
}

/// ptxas needs some 10 registers more, and may take all up to the next of 64, 72, 80, 96, 128, 168, 255.
TEST_CASE("few values are alive at a time") {
  using namespace arm7::cuda::detail;
  CHECK(rnea::alive <= 41);
  CHECK(aba::alive <= 48);
  CHECK(minv::alive <= 32);
  CHECK(rnea_derivatives::alive <= 125);
  CHECK(aba_derivatives::alive <= 230);
  CHECK(quadruped::cuda::detail::rnea::alive <= 34);
  CHECK(quadruped::cuda::detail::aba::alive <= 55);
  CHECK(quadruped::cuda::detail::minv::alive <= 59);
  CHECK(quadruped::cuda::detail::rnea_derivatives::alive <= 92);
  CHECK(quadruped::cuda::detail::aba_derivatives::alive <= 210);
}
