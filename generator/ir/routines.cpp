#include "ir/routines.hpp"

#include "ir/heap_room.hpp"
#include "ir/kernel.hpp"
#include "support/diagnostic.hpp"

#include <featherline/detail/constrained_loops.hpp>
#include <featherline/detail/held_loops.hpp>
#include <featherline/panels.hpp>
#include <featherline/regressor.hpp>
#include <featherline/step_derivatives.hpp>
#include <featherline/vector_loops.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace featherline::ir {
namespace {

constexpr Shape vector = Shape::vector, matrix = Shape::matrix, tensor = Shape::tensor,
                hessian = Shape::hessian, joints = Shape::joints, parts = Shape::parts, held = Shape::rows,
                row_matrix = Shape::row_matrix;

/// routine(table of the call, x[0], x[1], ...).
template <class Run, int... k>
void with_arguments(const Run& run, double* const* x, std::integer_sequence<int, k...>) {
  run(x[k]...);
}
#define FEATHERLINE_RUN(table, count, header, name) \
#header, #name, [](const Call& call, double* const* x) {                 \
    const auto run = [&](auto... y) { header::name(*call.table, y...); };  \
    with_arguments(run, x, std::make_integer_sequence<int, count>{});      \
  }
#define FEATHERLINE_LOOP_AS(row, name, count) Routine::row, FEATHERLINE_RUN(axes, count, vector_loops, name)
#define FEATHERLINE_LOOP(name, count) FEATHERLINE_LOOP_AS(name, name, count)
#define FEATHERLINE_STEP(name, count) Routine::name, FEATHERLINE_RUN(axes, count, step_derivatives, name)
#define FEATHERLINE_PANEL(name, count) FEATHERLINE_RUN(panels, count, panels, name)

template <bool behind_base>
void run_constrained_columns(const Call& call, double* const* x) {
  double* const* to = x + (behind_base ? 9 : 8);
  vector_loops::inverse(*call.axes, x[0], to[2]);
  detail::ConstrainedLoops<detail::unknown, AxisTable, double>(*call.axes, call.num_points)
      .run({x[1], x[2], x[3], x[4], x[5], x[6], x[7], behind_base ? x[8] : nullptr},
           {to[0], to[1], to[2], to[3], to[4], to[5]}, behind_base);
}

void run_held_columns(const Call& call, double* const* x) {
  const int n = call.axes->nv, f = static_cast<int>(call.coordinates.size());
  std::vector<double> reach(call.coordinates.size() * static_cast<std::size_t>(n));
  detail::held_loops<double>(call.num_points, n, f, call.coordinates.data(),
                             {x[0], x[1], x[2], x[3], {x[4], x[5], x[6]}},
                             {{x[7], x[8], x[9]}, {x[10], x[11], x[12]}}, reach.data());
}

const std::vector<RoutineRow>& rows() {
  static const std::vector<Shape> of_step{Shape::moves, matrix, matrix, matrix, hessian, Shape::torques},
      of_positions{Shape::moves, hessian, Shape::torques},
      of_columns{matrix, held,   row_matrix, row_matrix, matrix, held, held, Shape::turned_rows,
                 matrix, matrix, matrix,     held,       held,   held},
      of_columns_behind_base =
          [] {
            std::vector<Shape> shapes = of_columns;
            shapes.insert(shapes.begin() + 8, Shape::base_columns);
            return shapes;
          }(),
      of_stage{Shape::moves, matrix, matrix, matrix, Shape::stage, Shape::stage, hessian, Shape::torques};
  static const std::vector<RoutineRow> table{
      {FEATHERLINE_LOOP(rnea_second_derivatives, 6),
       {Shape::motion, Shape::operators, tensor, tensor, tensor, tensor}},
      {FEATHERLINE_LOOP(add_friction, 5), {vector, tensor, tensor, tensor, tensor}},
      {FEATHERLINE_LOOP(minv, 2), {matrix, matrix}},
      {FEATHERLINE_LOOP(inverse, 2), {matrix, matrix}},
      {FEATHERLINE_LOOP(solve, 3), {matrix, vector, vector}},
      {FEATHERLINE_LOOP(negative_product, 2), {matrix, matrix}},
      {FEATHERLINE_LOOP(aba_derivatives, 3), {matrix, matrix, matrix}},
      {FEATHERLINE_LOOP(aba_derivatives_behind_base, 4), {matrix, Shape::base_columns, matrix, matrix}},
      {FEATHERLINE_LOOP_AS(inverse_and_parts, inverse, 3), {matrix, matrix, parts}},
      {FEATHERLINE_LOOP_AS(negative_product_of_parts, negative_product, 3), {matrix, parts, matrix}},
      {FEATHERLINE_LOOP_AS(aba_derivatives_of_parts, aba_derivatives, 4), {matrix, parts, matrix, matrix}},
      {FEATHERLINE_LOOP_AS(aba_derivatives_of_parts_behind_base, aba_derivatives_behind_base, 5),
       {matrix, parts, Shape::base_columns, matrix, matrix}},
      {FEATHERLINE_LOOP(aba_vector_hessian, 6), {matrix, matrix, matrix, matrix, hessian, hessian}},
      {FEATHERLINE_LOOP(solve_second_derivatives, 7),
       {matrix, matrix, matrix, tensor, tensor, tensor, tensor}},
      {Routine::panel_derivatives,
       FEATHERLINE_PANEL(rnea_derivatives, 5),
       {vector, vector, joints, matrix, matrix}},
      {Routine::panel_second_derivatives,
       FEATHERLINE_PANEL(rnea_second_derivatives, 7),
       {vector, vector, joints, tensor, tensor, tensor, tensor}},
      {Routine::panel_vector_hessian,
       FEATHERLINE_PANEL(rnea_vector_hessian, 5),
       {vector, vector, vector, joints, hessian}},
      {Routine::panel_mass_matrix_vector_derivative,
       FEATHERLINE_PANEL(mass_matrix_vector_derivative, 5),
       {vector, vector, vector, joints, matrix}},
      {Routine::add_to_diagonal, FEATHERLINE_PANEL(add_to_diagonal, 2), {vector, matrix}},
      {Routine::add_to_hessian, FEATHERLINE_PANEL(add_to_hessian, 3), {vector, vector, hessian}},
      {Routine::add_to_cube_diagonal, FEATHERLINE_PANEL(add_to_cube_diagonal, 2), {vector, tensor}},
      {FEATHERLINE_STEP(semi_implicit, 6), of_step},
      {FEATHERLINE_STEP(semi_implicit_behind_base, 6), of_step},
      {FEATHERLINE_STEP(positions, 3), of_positions},
      {FEATHERLINE_STEP(positions_behind_base, 3), of_positions},
      {FEATHERLINE_STEP(first_stage, 8), of_stage},
      {FEATHERLINE_STEP(middle_stage, 8), of_stage},
      {FEATHERLINE_STEP(middle_stage_behind_base, 8), of_stage},
      {FEATHERLINE_STEP(last_stage, 8), of_stage},
      {FEATHERLINE_STEP(last_stage_behind_base, 8), of_stage},
      {Routine::constrained_columns, "constrained_derivatives", "columns", run_constrained_columns<false>,
       of_columns},
      {Routine::constrained_columns_behind_base, "constrained_derivatives", "columns_behind_base",
       run_constrained_columns<true>, of_columns_behind_base},
      {Routine::held_columns,
       "constrained_inverse",
       "columns",
       run_held_columns,
       {Shape::rows, Shape::row_columns, Shape::residuals, Shape::rows, matrix, matrix, matrix, matrix,
        matrix, matrix, Shape::rows, Shape::rows, Shape::rows}},
      {Routine::regressor,
       FEATHERLINE_RUN(axes, 3, regressor, columns),
       {Shape::axis_motions, Shape::body_motions, Shape::regressor},
       true},
      {Routine::contact_impulses,
       "contact_step",
       "impulses",
       run_contacts,
       {Shape::contact_matrix, Shape::contact_speeds, Shape::contact_points, Shape::contact_impulses,
        Shape::contact_status}},
      {Routine::contact_impulses_from,
       "contact_step",
       "impulses_from",
       run_contacts_from,
       {Shape::contact_matrix, Shape::contact_speeds, Shape::contact_points, Shape::contact_impulses,
        Shape::contact_impulses, Shape::contact_status}},
      {Routine::contact_and_joint_impulses,
       "contact_step",
       "impulses_and_joints",
       run_contacts_and_joints,
       {Shape::contact_matrix, Shape::contact_speeds, Shape::contact_points, Shape::contact_joints,
        Shape::contact_impulses, Shape::contact_pushes, Shape::contact_status}},
      {Routine::contact_and_joint_impulses_from,
       "contact_step",
       "impulses_and_joints_from",
       run_contacts_and_joints_from,
       {Shape::contact_matrix, Shape::contact_speeds, Shape::contact_points, Shape::contact_joints,
        Shape::contact_impulses, Shape::contact_impulses, Shape::contact_pushes, Shape::contact_status}},
      {Routine::contact_response,
       "contact_derivatives",
       "response",
       run_contact_response,
       {Shape::contact_matrix, Shape::contact_speeds, Shape::contact_points, Shape::contact_impulses,
        Shape::contact_status, Shape::contact_response}},
      {Routine::forward_kinematics,
       "kinematics",
       "forward_kinematics",
       nullptr,
       {Shape::coordinates, Shape::link, Shape::rotation, Shape::point}},
      {Routine::frame_jacobian,
       "kinematics",
       "frame_jacobian",
       nullptr,
       {Shape::coordinates, Shape::link, Shape::jacobian, Shape::frame}},
  };
  return table;
}

#undef FEATHERLINE_RUN
#undef FEATHERLINE_LOOP_AS
#undef FEATHERLINE_LOOP
#undef FEATHERLINE_STEP
#undef FEATHERLINE_PANEL

/// How many numbers an argument of a loop or of panels has; `n`: coordinates, or rows of contacts.
int size_of(Shape shape, const Call& call) {
  using Size = int (*)(const Call& call, int n);
  static const std::map<Shape, Size> sizes{
      {Shape::contact_matrix, [](const Call& c, int n) { return (n + c.num_joints) * (n + c.num_joints); }},
      {Shape::contact_joints, [](const Call& c, int) { return 4 * c.num_joints; }},
      {Shape::contact_pushes, [](const Call& c, int) { return c.num_joints; }},
      {Shape::contact_speeds, [](const Call&, int n) { return 2 * n + 1; }},
      {Shape::contact_points, [](const Call&, int n) { return 2 * n; }},
      {Shape::contact_impulses, [](const Call&, int n) { return n; }},
      {Shape::contact_status, [](const Call& c, int) { return 4 + c.num_points; }},
      {Shape::contact_response, [](const Call& c, int n) { return 2 * n * n + 5 * c.num_points; }},
      {Shape::vector, [](const Call&, int n) { return n; }},
      {Shape::matrix, [](const Call&, int n) { return n * n; }},
      {Shape::tensor, [](const Call&, int n) { return n * n * n; }},
      {Shape::hessian, [](const Call&, int n) { return 4 * n * n; }},
      {Shape::motion, [](const Call& c, int) { return detail::num_motion * c.axes->num_axes; }},
      {Shape::operators, [](const Call& c, int) { return detail::num_operators * c.axes->num_axes; }},
      {Shape::base_columns, [](const Call&, int) { return detail::num_base_entries; }},
      {Shape::parts, [](const Call& c, int n) { return detail::size_of_parts(c.axes->limb_blocks(), n); }},
      {Shape::axis_motions, [](const Call&, int n) { return 6 * n; }},
      {Shape::body_motions,
       [](const Call& c, int) { return regressor::numbers_of_body * c.axes->num_bodies; }},
      {Shape::regressor, [](const Call& c, int n) { return 10 * n * c.axes->num_bodies; }},
      {Shape::moves, [](const Call& c, int) { return detail::size_of_moves(*c.axes); }},
      {Shape::stage, [](const Call&, int n) { return 3 * n * n; }},
      {Shape::torques, [](const Call&, int n) { return 2 * n * n; }},
      {Shape::rows, [](const Call& c, int n) { return c.num_points * n; }},
      {Shape::row_matrix, [](const Call& c, int) { return c.num_points * c.num_points; }},
      {Shape::row_columns,
       [](const Call& c, int) { return c.num_points * static_cast<int>(c.coordinates.size()); }},
      {Shape::residuals, [](const Call& c, int n) { return static_cast<int>(c.coordinates.size()) * n; }},
      {Shape::turned_rows, [](const Call& c, int) { return 3 * c.num_points; }},
      {Shape::joints, [](const Call& c, int) { return c.panels->size_of_joints(); }}};
  const auto found = sizes.find(shape);
  if (found == sizes.end()) throw InternalError("only walks have links, frames and poses");
  return found->second(call, call.axes ? call.axes->nv : call.panels ? call.panels->nv : 3 * call.num_points);
}

}  // namespace

const RoutineRow& row(Routine routine) { return *std::ranges::find(rows(), routine, &RoutineRow::routine); }

std::string header_of(const Call& call) {
  return call.unrolled ? "unrolled_inverse" : row(call.routine).header;
}

std::string qualified_name(const Call& call) { return header_of(call) + "::" + row(call.routine).name; }

void run_routine(const Call& call, const std::vector<std::vector<double>*>& arguments) {
  const RoutineRow& routine = row(call.routine);
  bool fits = routine.run != nullptr && arguments.size() == routine.arguments.size();
  std::vector<double*> x;
  for (std::size_t k = 0; fits && k < arguments.size(); ++k) {
    fits = static_cast<int>(arguments[k]->size()) == size_of(routine.arguments[k], call);
    x.push_back(arguments[k]->data());
  }
  if (!fits) throw InternalError("arguments do not fit " + qualified_name(call));
  routine.run(call, x.data());
}

double size_of_product(const AxisTable& axes) { return axes.nv * axes.num_related_pairs(); }

}  // namespace featherline::ir
