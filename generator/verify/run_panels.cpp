#include "verify/run_loops.hpp"

#include "ir/panel_table.hpp"
#include "support/diagnostic.hpp"
#include "verify/big_stack.hpp"

#include <featherline/panels.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace featherline::verify {
namespace {

constexpr int small_table = 64, large_table = 5700;  // the largest robots have 2832 coordinates

/// Stands in for the constants that emitted code declares, with room for N places. The table is set before a routine
/// runs. Only one thread at a time may use it.
template <int N, bool Floating, bool SingleAxes, bool TurnsOnly>
struct RoomyTable {
  static constexpr int max_places = N;
  static constexpr bool floating = Floating, single_axes = SingleAxes, turns_only = TurnsOnly,
                        placements_vary = !SingleAxes || !TurnsOnly;
  static inline int nv = 0, num_slots = 0, num_bodies = 0, num_roots = 0, all_begin = 0, all_end = 0;
  static inline std::vector<PanelBody> bodies;
  static inline std::vector<int> parents, coordinates, joints, directions;
  static inline std::vector<PanelSegment> segments;
  static inline std::vector<PanelRange> ranges;
  template <class Real>
  static inline std::vector<std::array<Real, 12>> placements;
  template <class Real>
  static inline std::vector<Real> turns;
  template <class Real>
  static inline std::vector<Real> slides;
  template <class Real>
  static inline Real inertias[10][detail::whole_rows(N)];

  static void set(const ir::PanelTable& table) {
    nv = table.nv;
    num_slots = table.num_slots();
    num_bodies = static_cast<int>(table.bodies.size());
    num_roots = table.num_roots;
    all_begin = table.all_begin;
    all_end = table.all_end;
    bodies = table.bodies;
    parents = table.parents;
    coordinates = table.coordinates;
    joints = table.joints;
    directions = table.directions;
    segments = table.segments;
    ranges = table.ranges;
    placements<double> = table.placements;
    const auto columns = static_cast<std::size_t>(detail::whole_rows(num_slots + num_roots));
    turns<double> = table.turns;
    turns<double>.resize(columns);
    slides<double> = table.slides;
    slides<double>.resize(columns);
    for (std::size_t slot = 0; slot < columns; ++slot) {
      for (std::size_t k = 0; k < 10; ++k)
        inertias<double>[k][slot] = slot < table.inertias.size() ? table.inertias[slot][k] : 0.0;
    }
  }
};

template <class Tree>
bool run_routine(const Tree& tree, const ir::Call& call, const BufferMap& buffers) {
  const auto x = [&](std::size_t k) { return buffers.at(call.arguments.at(k))->data(); };
  if (call.routine == "panels::rnea_derivatives") {
    panels::rnea_derivatives(tree, x(0), x(1), x(2), x(3), x(4));
  } else if (call.routine == "panels::add_to_diagonal") {
    panels::add_to_diagonal(tree, x(0), x(1));
  } else if (call.routine == "panels::rnea_second_derivatives") {
    panels::rnea_second_derivatives(tree, x(0), x(1), x(2), x(3), x(4), x(5), x(6));
  } else if (call.routine == "panels::rnea_vector_hessian") {
    panels::rnea_vector_hessian(tree, x(0), x(1), x(2), x(3), x(4));
  } else if (call.routine == "panels::mass_matrix_vector_derivative") {
    panels::mass_matrix_vector_derivative(tree, x(0), x(1), x(2), x(3), x(4));
  } else if (call.routine == "panels::add_to_hessian") {
    panels::add_to_hessian(tree, x(0), x(1), x(2));
  } else if (call.routine == "panels::add_to_cube_diagonal") {
    panels::add_to_cube_diagonal(tree, x(0), x(1));
  } else {
    return false;
  }
  return true;
}

template <class Tree>
bool run_on(const ir::Call& call, const BufferMap& buffers) {
  constexpr std::size_t stack = (std::size_t{8} << 20) + std::size_t{Tree::max_places} * 4096;
  bool known = false;
  run_with_stack(stack, [&] {
    Tree::set(*call.panels);
    known = run_routine(Tree{}, call, buffers);
  });
  return known;
}

/// Robots of usual size run the code that the compiler makes of their table: constants say which kinds of joints occur.
template <bool floating>
bool run_small(const ir::Call& call, const BufferMap& buffers) {
  constexpr int places = small_table;
  const bool single = call.panels->single_axes(), turns = call.panels->turns_only();
  if (single && turns && call.panels->num_varying() == 0)
    return run_on<RoomyTable<places, floating, true, true>>(call, buffers);
  if (single) return run_on<RoomyTable<places, floating, true, false>>(call, buffers);
  if (turns) return run_on<RoomyTable<places, floating, false, true>>(call, buffers);
  return run_on<RoomyTable<places, floating, false, false>>(call, buffers);
}

/// Larger ones run the code for all joints.
template <bool floating>
bool run_large(const ir::Call& call, const BufferMap& buffers) {
  return run_on<RoomyTable<large_table, floating, false, false>>(call, buffers);
}

}  // namespace

void run_panels(const ir::Call& call, const BufferMap& buffers) {
  const int places = call.panels->num_slots() + call.panels->num_roots;
  if (places > large_table) {
    throw UsageError("verification has no room for the panels of " + std::to_string(places) +
                     " axes; pass --no-verify");
  }
  const bool floating = call.panels->floating;
  const auto run = places <= small_table ? (floating ? run_small<true> : run_small<false>)
                                         : (floating ? run_large<true> : run_large<false>);
  const bool known = run(call, buffers);
  if (!known) throw InternalError("verification cannot run " + call.routine);
}

}  // namespace featherline::verify
