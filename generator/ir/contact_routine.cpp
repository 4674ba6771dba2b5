#include "ir/kernel.hpp"

#include <featherline/contact_step.hpp>

#include <utility>

/// The solver of contacts, compiled for each number of points.
namespace featherline::ir {
namespace {

template <int N>
void run(double* const* x) {
  contact_step::impulses<N, void>(x[0], x[1], x[2], x[3], x[4]);
}

template <int... n>
void run_any(int count, double* const* x, std::integer_sequence<int, n...>) {
  ((count == n + 1 ? run<n + 1>(x) : void()), ...);
}

}  // namespace

void run_contacts(const Call& call, double* const* x) {
  run_any(call.num_points, x, std::make_integer_sequence<int, most_contact_points>{});
}

}  // namespace featherline::ir
