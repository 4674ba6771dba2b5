#include "ir/kernel.hpp"
#include "support/index.hpp"

#include <featherline/contact_derivatives.hpp>

#include <algorithm>
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

/// A problem with joints, in a room for most points and joints: those that the robot has not are alone and at rest.
class Room {
 public:
  Room(const Call& call, const double* D, const double* speeds, const double* contact, const double* joints)
      : points_(call.num_points), joints_(call.num_joints), joint_(4 * most_joints, 0.0) {
    const int n = 3 * points_, used = n + joints_;
    const auto place = [&](int r) { return r < n ? r : r - n + of_points; };
    for (int r = 0; r < rows; ++r) D_[index(r * (rows + 1))] = 1.0;
    for (int r = 0; r < used; ++r) {
      for (int c = 0; c < used; ++c) D_[index(rows * place(c) + place(r))] = D[used * c + r];
    }
    for (int i = 0; i < most_points; ++i) contact_[index(6 * i + 3)] = 1.0;  // normals
    std::copy_n(contact, 6 * points_, contact_.begin());
    std::copy_n(joints, 4 * joints_, joint_.begin());
    std::copy_n(speeds, n, speeds_.begin());
    std::copy_n(speeds + n, n, speeds_.begin() + of_points);
    speeds_.back() = speeds[2 * n];
  }
  /// `start` may be null.
  void solve(const double* start, double* impulse, double* pushes, double* status) const {
    std::vector<double> first(of_points, 0.0), impulses(of_points), pushed(most_joints),
        said(4 + most_points);
    if (start != nullptr) std::copy_n(start, 3 * points_, first.begin());
    contact_step::impulses_and_joints_from<most_points, most_joints, void>(
        D_.data(), speeds_.data(), contact_.data(), joint_.data(), start != nullptr ? first.data() : nullptr,
        impulses.data(), pushed.data(), said.data());
    std::copy_n(impulses.begin(), 3 * points_, impulse);
    std::copy_n(pushed.begin(), joints_, pushes);
    std::copy_n(said.begin(), 4 + points_, status);
  }

 private:
  static constexpr int most_points = most_contact_points, most_joints = most_contact_joints,
                       of_points = 3 * most_points, rows = of_points + most_joints;
  int points_, joints_;
  std::vector<double> D_ = std::vector<double>(rows * rows, 0.0),
                      speeds_ = std::vector<double>(2 * of_points + 1, 0.0),
                      contact_ = std::vector<double>(6 * most_points, 0.0), joint_;
};

}  // namespace

void run_contacts(const Call& call, Numbers x) { run_any<Impulses>(call.num_points, x, counts); }
void run_contacts_from(const Call& call, Numbers x) { run_any<ImpulsesFrom>(call.num_points, x, counts); }
void run_contacts_and_joints(const Call& call, Numbers x) {
  Room(call, x[0], x[1], x[2], x[3]).solve(nullptr, x[4], x[5], x[6]);
}
void run_contacts_and_joints_from(const Call& call, Numbers x) {
  Room(call, x[0], x[1], x[2], x[3]).solve(x[4], x[5], x[6], x[7]);
}
void run_contact_response(const Call& call, Numbers x) { run_any<Response>(call.num_points, x, counts); }

}  // namespace featherline::ir
