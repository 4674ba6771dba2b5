// The functions of one robot, ROBOT, which is compiled with --cuda --batch. FUNCTIONS says which ones it has, a bit
// each: rnea, aba, rnea_derivatives, aba_derivatives, rollout, step, constrained_dynamics. SCALARS: 1 float, 2 double,
// 3 both.
#ifndef FUNCTIONS
#define FUNCTIONS 127
#endif
#ifndef SCALARS
#define SCALARS 3
#endif
#include "device_robot.hpp"

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define JOINED_OF(a, b) a##b
#define JOINED(a, b) JOINED_OF(a, b)
#include STRING(ROBOT.hpp)
#include STRING(JOINED(ROBOT, _cuda.hpp))

#include <utility>

namespace {

using namespace featherline::bench;

template <class S, class Call, std::size_t... i, std::size_t... o, class... More>
auto called(const Call& call, std::ptrdiff_t count, S* const* in, S* const* out, std::index_sequence<i...>,
            std::index_sequence<o...>, More... more) {
  return call(count, in[i]..., out[o]..., more...);
}

template <class S, std::size_t num_in, std::size_t num_out, class Rows, class Columns, class Batch>
void add(const char* name, std::vector<int> inputs, std::vector<int> outputs, Rows rows, Columns columns,
         Batch batch) {
  const std::make_index_sequence<num_in> i;
  const std::make_index_sequence<num_out> o;
  using Arrays = S* const*;
  device_functions<S>().push_back({STRING(ROBOT), name, std::move(inputs), std::move(outputs), ROBOT::nq,
                                   ROBOT::nv,
                                   [=](std::ptrdiff_t n, Arrays in, Arrays out, cudaStream_t s) {
                                     return called<S>(rows, n, in, out, i, o, s);
                                   },
                                   [=](std::ptrdiff_t n, Arrays in, Arrays out, cudaStream_t s) {
                                     return called<S>(columns, n, in, out, i, o, s);
                                   },
                                   &ROBOT::cuda::to_elements<S>, &ROBOT::cuda::to_rows<S>,
                                   [=](std::ptrdiff_t n, Arrays in, Arrays out, int threads) {
                                     featherline::BatchOptions options;
                                     options.threads = threads;
                                     called<S>(batch, n, in, out, i, o, options);
                                   }});
}

#define ADD(function, num_in, num_out, inputs, outputs)                                     \
  add<S, num_in, num_out>(                                                                  \
      #function, inputs, outputs, [](auto... a) { return ROBOT::cuda::function<S>(a...); }, \
      [](auto... a) { return ROBOT::cuda::soa::function<S>(a..., std::ptrdiff_t{0}); },     \
      [](auto... a) { ROBOT::batch::function<S>(a...); })
#define LIST(...) std::vector<int>({__VA_ARGS__})

template <class S>
void add_all() {
  constexpr int nq = ROBOT::nq, nv = ROBOT::nv;
#if FUNCTIONS & 1
  ADD(rnea, 3, 1, LIST(nq, nv, nv), LIST(nv));
#endif
#if FUNCTIONS & 2
  ADD(aba, 3, 1, LIST(nq, nv, nv), LIST(nv));
#endif
#if FUNCTIONS & 4
  ADD(rnea_derivatives, 3, 2, LIST(nq, nv, nv), LIST(nv * nv, nv * nv));
#endif
#if FUNCTIONS & 8
  ADD(aba_derivatives, 3, 3, LIST(nq, nv, nv), LIST(nv * nv, nv * nv, nv * nv));
#endif
#if FUNCTIONS & 16
  add<S, 4, 2>(
      "rollout", LIST(nq, nv, nv * num_steps, 1), LIST(nq * num_steps, nv * num_steps),
      [](std::ptrdiff_t n, S* q, S* v, S* tau, S* dt, S* q_all, S* v_all, cudaStream_t s) {
        return ROBOT::cuda::rollout<S>(n, q, v, tau, dt, num_steps, q_all, v_all, s);
      },
      [](std::ptrdiff_t n, S* q, S* v, S* tau, S* dt, S* q_all, S* v_all, cudaStream_t s) {
        return ROBOT::cuda::soa::rollout<S>(n, q, v, tau, dt, num_steps, q_all, v_all, s, 0);
      },
      [](std::ptrdiff_t n, S* q, S* v, S* tau, S* dt, S* q_all, S* v_all,
         const featherline::BatchOptions& o) {
        ROBOT::batch::rollout<S>(n, q, v, tau, dt, num_steps, q_all, v_all, o);
      });
#endif
#if FUNCTIONS & 32
  ADD(step, 4, 2, LIST(nq, nv, nv, 1), LIST(nq, nv));
#endif
#if FUNCTIONS & 64
  ADD(constrained_dynamics, 4, 2, LIST(nq, nv, nv, ROBOT::num_constraints),
      LIST(nv, ROBOT::num_constraint_rows));
#endif
}

#if SCALARS & 1
const bool has_float = (add_all<float>(), true);
#endif
#if SCALARS & 2
const bool has_double = (add_all<double>(), true);
#endif

}  // namespace
