#include "ir/kernel.hpp"

#include <featherline/contact_derivatives.hpp>

#include <utility>

/// The solver of contacts and its derivatives, compiled for each number of points.
namespace featherline::ir {
namespace {

using Numbers = double* const*;

template <int N>
struct Impulses {
  static void run(Numbers x) { contact_step::impulses<N, void>(x[0], x[1], x[2], x[3], x[4]); }
};
template <int N>
struct ImpulsesFrom {
  static void run(Numbers x) { contact_step::impulses_from<N, void>(x[0], x[1], x[2], x[3], x[4], x[5]); }
};
template <int N>
struct Response {
  static void run(Numbers x) { contact_derivatives::response<N, void>(x[0], x[1], x[2], x[3], x[4], x[5]); }
};

template <template <int> class Of, int... n>
void run_any(int count, Numbers x, std::integer_sequence<int, n...>) {
  ((count == n + 1 ? Of<n + 1>::run(x) : void()), ...);
}

constexpr std::make_integer_sequence<int, most_contact_points> counts;

}  // namespace

void run_contacts(const Call& call, Numbers x) { run_any<Impulses>(call.num_points, x, counts); }
void run_contacts_from(const Call& call, Numbers x) { run_any<ImpulsesFrom>(call.num_points, x, counts); }
void run_contact_response(const Call& call, Numbers x) { run_any<Response>(call.num_points, x, counts); }

}  // namespace featherline::ir
