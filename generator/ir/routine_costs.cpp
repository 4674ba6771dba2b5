#include "ir/kernel.hpp"

#include <featherline/unrolled_inverse.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace featherline::ir {
namespace {

/// Flops as an int, for the report.
int to_flops(double flops) { return static_cast<int>(std::min(flops, 1e9)); }

// Loops.

// Machine code of the loops: g++ 12 -O2, AVX-512.
constexpr int bytes_of_pairs = 9400, bytes_of_inverse = 3500, bytes_of_product = 400,
              bytes_of_solution = 4000;
// Rows that the pairs keep for each axis of a path: motion, u1 to u11, scalar products.
constexpr int rows_of_pairs = detail::num_motion + 45 + algebra::num_products;
// Operations: the vectors u1 to u11 of a pair, the scalar products of a triple.
constexpr int flops_of_pair = 528, flops_of_triple = 144;
// Matrices the inverse keeps: L of M, M^-1, and with many coordinates the tables of indices.
constexpr int matrices_of_inverse = 3;

// Times on a Zen 4 with AVX-512, fitted to 13 robots with 3 to 38 degrees of freedom. Rows of one to five vectors take
// equally long, so the inverse and the products follow the number of related pairs. Most errors are below 30 %. Tensors
// above 1 MB are predicted up to 1.85 times too long, because their clearing is (cost/time.cpp).
constexpr double ns_of_pair = 25, ns_of_pair_flop = 0.055;
constexpr double ns_of_inverse_pair = 4.1, ns_of_product_pair = 1.8, ns_of_hessian_entry = 0.8;
constexpr double ns_of_solution_flop = 0.05, ns_of_solution_row = 25;
// The same of unrolled code, fitted to nine robots with 6 to 50 degrees of freedom: of a row, and of a related pair in
// each vector of eight. Errors are below 20 %.
constexpr double ns_of_unrolled_inverse_row = 11, ns_of_unrolled_inverse_vector = 0.18;
constexpr double ns_of_unrolled_product_row = 3.2, ns_of_unrolled_product_vector = 0.19;
constexpr double ns_of_unrolled_hessian_entry = 0.39;
constexpr double ns_of_unrolled_solution_flop = 0.0165, ns_of_unrolled_solution_column = 25;
constexpr double bytes_of_unrolled_product = 900.0, bytes_of_unrolled_solution = 11'500.0;
constexpr double ns_of_solve_entry = 0.04;
// The same by blocks, fitted to three robots with 18 to 38 degrees of freedom: of vectors of eight that are multiplied
// and added, and of a pivot of the trunk. Errors are below 10 %. Machine code is that of g++ 12 -O2 with AVX-512: M^-1
// within 20 %, products within 30 %.
constexpr double ns_of_block_factor_vector = 0.31, ns_of_block_row_vector = 0.22, ns_of_trunk_pivot = 6;
constexpr double ns_of_block_product_vector = 0.21;
constexpr double bytes_of_block_factor = 10.0, bytes_of_block_rows = 1.7, bytes_of_block_product = 1.9;

/// Rows of matrices fill vectors of 4.
int entries_of_matrix(int n) { return n * (n + 4); }

/// Related pairs of coordinates, each as often as its row has vectors of eight.
double num_vectors(const AxisTable& axes) { return axes.num_related_pairs() * std::ceil(axes.nv / 8.0); }

/// By axis: how many are on one path with it as the factor sees it. Shared coordinates may fill the factor.
std::vector<double> related_in_factor(const AxisTable& axes) {
  if (!axes.coupled || detail::coordinates_form_tree(axes.axes.data(), axes.num_axes))
    return axes.num_related();
  return std::vector<double>(static_cast<std::size_t>(axes.nv), axes.nv);
}

/// Whether unrolled code does what is asked of it. It leaves large robots to the loops.
bool runs_unrolled(const Call& call) {
  const int n = call.axes->nv;
  if (!call.unrolled || n < 2 || n > unrolled_inverse::most_coordinates) return false;
  const std::vector<double> related = related_in_factor(*call.axes);
  return std::accumulate(related.begin(), related.end(), 0.0) <= unrolled_inverse::most_related_pairs;
}

RoutineCost cost(double flops, double code_bytes, double stack_entries, double ns) {
  return {to_flops(flops), static_cast<int>(code_bytes), static_cast<int>(stack_entries), ns, 0};
}

RoutineCost second_derivatives_in_loops(const AxisTable& axes) {
  const int flops = to_flops(flops_of_pair * axes.num_pairs() + flops_of_triple * axes.num_triples());
  return cost(flops, bytes_of_pairs, rows_of_pairs * axes.max_path,
              ns_of_pair * axes.num_pairs() + ns_of_pair_flop * flops);
}

RoutineCost inverse_in_loops(const AxisTable& axes) {
  const double n = axes.nv, related = axes.num_related_pairs(), pairs = axes.coupled ? n * n : related;
  return cost(4.0 / 3.0 * n * pairs,  // rows of M^-1, and a third of that for the factor
              bytes_of_inverse + bytes_of_pattern(axes.nv), matrices_of_inverse * entries_of_matrix(axes.nv),
              ns_of_inverse_pair * related);
}

/// M^-1 unrolled. Machine code is that of g++ 12 -O2 with vectors of 4, within 15 %.
RoutineCost inverse_unrolled(const AxisTable& axes, int max_unrolled) {
  const double n = axes.nv, vectors = std::ceil(n / 4.0);
  double flops = 0.0, code_bytes = 400.0 + 150.0 * vectors, stack_entries = 3.0 * entries_of_matrix(axes.nv);
  double pairs = 0.0;
  for (const double r : related_in_factor(axes)) {
    pairs += (r - 1.0) / 2.0;
    flops += (r - 1.0) * (n + r) + 2.0 * (n + r);
    code_bytes += 60.0 + 80.0 * std::min(vectors, std::ceil(r / 4.0) + 1.0);
  }
  if (pairs * vectors <= max_unrolled) {
    code_bytes = 1000.0 + 32.0 * pairs * vectors;
    stack_entries = 4.0 * entries_of_matrix(axes.nv) + 100.0;
  }
  return cost(flops, code_bytes, stack_entries,
              ns_of_unrolled_inverse_row * n + ns_of_unrolled_inverse_vector * num_vectors(axes));
}

/// Multiplications of vectors by blocks.
struct BlockVectors {
  double factor = 0, rows = 0, product = 0, W = 0;
};
BlockVectors block_vectors(const detail::LimbBlocks& blocks, int n) {
  const double trunk = blocks.trunk_count, in_row = std::ceil(n / 8.0), in_trunk = std::ceil(trunk / 8.0);
  constexpr double in_limb = 2.0;
  BlockVectors vectors{.factor = trunk * trunk * in_trunk, .rows = trunk * trunk * in_row};
  for (int l = 0; l < blocks.limb_count; ++l) {
    const double count = blocks.limbs[l].count, above = blocks.limbs[l].above,
                 of_above = std::ceil(above / 8.0);
    vectors.factor += count * (count + above * (1.0 + of_above));
    vectors.rows += count * above * in_row;
    vectors.W += count * count * of_above;
    // Its own columns, and those of the trunk above it.
    vectors.product += count * (count + above) * (of_above + in_limb) + count * above * in_row;
  }
  vectors.product += trunk * trunk * in_row;
  return vectors;
}

/// M^-1 by blocks, and a product with it.
bool runs_by_blocks(const Call& call) { return call.unrolled && call.axes->limb_blocks().exist; }
RoutineCost inverse_by_blocks(const AxisTable& axes, bool keeps_parts) {
  const detail::LimbBlocks blocks = axes.limb_blocks();
  const BlockVectors vectors = block_vectors(blocks, axes.nv);
  const double W = keeps_parts ? vectors.W : 0.0, all = vectors.factor + vectors.rows + W;
  return cost(16.0 * all,
              bytes_of_block_factor * vectors.factor + bytes_of_block_rows * (vectors.rows + W) + 1500.0,
              (keeps_parts ? 0.5 : 1.0) * detail::size_of_parts(blocks, axes.nv),
              ns_of_block_factor_vector * vectors.factor + ns_of_trunk_pivot * blocks.trunk_count +
                  ns_of_block_row_vector * (vectors.rows + W));
}
/// They share their code.
RoutineCost products_by_blocks(const AxisTable& axes, int products) {
  const double vectors = block_vectors(axes.limb_blocks(), axes.nv).product;
  return cost(16.0 * vectors * products, 1000.0 + bytes_of_block_product * vectors, 0.0,
              ns_of_block_product_vector * vectors * products);
}

RoutineCost inversion(const Call& call, int max_unrolled) {
  if (runs_by_blocks(call)) return inverse_by_blocks(*call.axes, call.routine == Routine::inverse_and_parts);
  return runs_unrolled(call) ? inverse_unrolled(*call.axes, max_unrolled) : inverse_in_loops(*call.axes);
}

/// `products` products of M^-1 and a matrix. The Hessian keeps Q, too.
RoutineCost multiplication(const Call& call, int products, bool is_hessian = false) {
  const AxisTable& axes = *call.axes;
  const bool unrolled = runs_unrolled(call);
  const int matrices = is_hessian ? 2 : 1;
  const double product =
      unrolled ? ns_of_unrolled_product_row * axes.nv + ns_of_unrolled_product_vector * num_vectors(axes)
               : ns_of_product_pair * axes.num_related_pairs();
  const double entry = unrolled ? ns_of_unrolled_hessian_entry : ns_of_hessian_entry;
  return cost(2.0 * products * size_of_product(axes),
              unrolled ? bytes_of_unrolled_product  // they share it
                       : bytes_of_product * products + bytes_of_pattern(axes.nv),
              matrices * entries_of_matrix(axes.nv),
              product * products + (is_hessian ? entry * 4.0 * axes.nv * axes.nv : 0.0));
}

/// Every coordinate is related to those of the base, whose columns are known.
RoutineCost behind_base(const Call& call, RoutineCost all) {
  constexpr double known_columns = detail::known_columns_dq + detail::known_columns_dv;
  const double saved = known_columns * call.axes->nv / (2.0 * call.axes->num_related_pairs());
  all.flops = to_flops((1.0 - saved) * all.flops);
  all.ns *= 1.0 - saved;
  return all;
}

RoutineCost solution_of_vector(const AxisTable& axes) {
  const double entries = axes.nv * axes.nv;
  return cost(2.0 * entries, 200.0, 0.0, ns_of_solve_entry * entries);
}

RoutineCost solution_unrolled(const AxisTable& axes) {
  const double n = axes.nv;
  const std::vector<double> related = axes.num_related(), above = axes.num_above();
  double flops = 4.0 * size_of_product(axes);
  for (std::size_t k = 0; k < related.size(); ++k) {
    const double r = related[k], a = above[k];
    const double inertia = a * (2.0 * r - a);  // entries of dM/dq_k
    flops += n * r * r;                        // d2a_dvdv
    flops += a > 0.0 ? 6.0 * n * (inertia + n * r) : 4.0 * size_of_product(axes);
  }
  const int whole = to_flops(flops);
  return cost(flops, bytes_of_unrolled_product + bytes_of_unrolled_solution,
              6.0 * entries_of_matrix(axes.nv),  // with first derivatives
              ns_of_unrolled_solution_flop * whole + ns_of_unrolled_solution_column * n * n);
}

RoutineCost solution_in_loops(const AxisTable& axes) {
  const double n = axes.nv;
  double flops = 0.0;
  for (const double r : axes.num_related()) flops += flops_of_products(n, r);
  const int whole = to_flops(flops);
  return cost(flops, bytes_of_solution + bytes_of_pattern(axes.nv), 5.0 * n * n,
              ns_of_solution_flop * whole + ns_of_solution_row * n * n);
}

// Panels.

// Machine code of the routines: g++ 12 -O2, AVX2.
constexpr int bytes_of_first_order = 16900, bytes_of_second_order = 33800, bytes_of_hessian = 23400,
              bytes_of_mass_matrix_derivative = 17000;
/// Measured on a Zen 4 with AVX-512, nine robots with 6 to 50 degrees of freedom: 0.031 to 0.039, 0.031 to 0.049, 0.041
/// to 0.051, 0.034 to 0.043. First derivatives of nine robots take 20 to 100 ns more. Where joints share coordinates,
/// they are added to what is there: panda takes 92 ns longer than without, baxter 150. Second derivatives
/// take 0.033 (arm7), 0.034 (panda) and 0.030 (baxter) without a floating base, 0.046 (quadruped) with one.
constexpr double ns_of_first_order_call = 40, ns_of_first_order_flop = 0.034, ns_of_added_pair = 2.5,
                 ns_of_second_order_flop = 0.034, ns_of_second_order_flop_floating = 0.041,
                 ns_of_hessian_flop = 0.045, ns_of_mass_matrix_flop = 0.036;
/// Tables of constants and of integers, for each axis.
constexpr int bytes_of_tables = 220;
/// Rows of the tables that motion and composites, first derivatives, and second derivatives take.
constexpr int rows_of_motion = 76, rows_of_forces = 21, rows_of_operators = 39, rows_of_rates = 58;
/// Columns of these tables that are not slots.
constexpr int further_columns = 16;
// Operations. Of an axis: poses, motion, inertias and composites; t1 to t4; the operators; rows and columns of a
// floating base.
constexpr int flops_of_motion = 640, flops_of_forces = 260, flops_of_operators = 560, flops_of_rates = 600,
              flops_of_base = 55;
// Of the base's own entries, and of a pair of axes: both entries of both matrices.
constexpr int flops_of_own_base = 900, flops_of_panel_pair = 80, flops_of_hessian_pair = 140,
              flops_of_mass_matrix_pair = 22;
// Of a row of all tensors, for one axis: its three vectors, the columns of a base, one pair of columns.
constexpr int flops_of_row = 90, flops_of_row_and_base = 50, flops_of_panel_triple = 80;

/// Of slots on one path, each slot with itself included.
double num_pairs(const PanelTable& table) {
  double pairs = 0.0;
  for (const PanelSegment& segment : table.segments)
    pairs +=
        segment.count * (table.count(segment.above_begin, segment.above_end) + (segment.count + 1.0) / 2.0);
  return pairs;
}

double tensor_flops(const PanelTable& table) {
  double flops = (flops_of_motion + flops_of_operators) * table.num_slots;
  for (const PanelSegment& segment : table.segments) {
    const int above = table.count(segment.above_begin, segment.above_end);
    const int rows = above + table.count(segment.below_begin, segment.below_end) + (table.floating ? 6 : 0);
    const double columns = above + (segment.count + 1.0) / 2.0;
    flops += segment.count * rows *
             (flops_of_row + (table.floating ? flops_of_row_and_base : 0) + flops_of_panel_triple * columns);
  }
  return flops;
}

/// Of routines that write matrices.
double panel_flops(const PanelTable& table, int of_slot, int of_pair) {
  return (flops_of_motion + of_slot) * table.num_slots + of_pair * num_pairs(table) +
         (table.floating ? flops_of_base * table.num_slots + flops_of_own_base : 0);
}

RoutineCost panel_cost(const PanelTable& table, double flops, double ns_of_flop, int code_bytes, int rows) {
  const int whole = to_flops(flops);
  const int table_bytes = bytes_of_tables * table.num_slots;
  RoutineCost all = cost(whole, code_bytes + table_bytes,
                         (rows_of_motion + rows) * (table.num_slots + further_columns), ns_of_flop * whole);
  all.table_bytes = table_bytes;
  return all;
}

RoutineCost first_order_cost(const PanelTable& table) {
  RoutineCost all = panel_cost(table, panel_flops(table, flops_of_forces, flops_of_panel_pair),
                               ns_of_first_order_flop, bytes_of_first_order, rows_of_forces);
  const bool shares_coordinates = table.num_slots + (table.floating ? 6 : 0) > table.nv;
  all.ns += ns_of_first_order_call + (shares_coordinates ? ns_of_added_pair * num_pairs(table) : 0.0);
  return all;
}

}  // namespace

/// Three sweeps, Newton's method once, and the check of the rank. A rough count, not a fit: 1.25 us for a
/// step of hyq, which takes 2.2 cold and 1.5 warm on a loaded Zen 3, 1.7 times as slow as what prices are fitted to.
static RoutineCost solution_of_contacts(double points, double joints = 0.0) {
  const double rows = 3.0 * points + joints;
  return cost(12.0 * rows * rows + rows * rows * rows, 14'000.0, 5.0 * rows * rows,
              150.0 * rows / 3.0 + 20.0 * (rows / 3.0) * (rows / 3.0));
}

/// The equations of the modes twice, for as many right sides as they have rows at most. A rough count, too.
static RoutineCost response_of_contacts(double points) {
  const double rows = 3.0 * points;
  return cost(4.0 * rows * rows * rows, 12'000.0, 7.0 * rows * rows, 100.0 * points + 60.0 * points * points);
}

/// A and B of a step from derivatives of the acceleration: the columns are multiplied and stored.
static RoutineCost step_of_derivatives(double n) {
  return cost(12.0 * n * n, 2500.0, 0.0, 3.0 * n * (2.0 + 0.12 * n));
}
/// The same where the rows of v' stand there.
static RoutineCost positions(double n) { return cost(9.0 * n * n, 1500.0, 0.0, 3.0 * n * (1.0 + 0.08 * n)); }
/// The same of a stage, with two products of n x n and n x 3 n, but for the first one.
static RoutineCost stage_of_derivatives(double n, bool multiplies) {
  const double flops = multiplies ? 12.0 * n * n * n : 0.0;
  return cost(flops + 24.0 * n * n, multiplies ? 7000.0 : 2500.0, 6.0 * n,
              0.02 * flops + 6.0 * n * (2.0 + 0.12 * n));
}

/// Multiplications of vectors in featherline/detail/constrained_blocks.hpp.
static double constrained_vectors(const Call& call, const detail::LimbBlocks& blocks) {
  const double n = call.axes->nv, m = call.num_points, trunk = blocks.trunk_count,
               in_row = std::ceil(n / 8.0), in_both = in_row + std::ceil(m / 8.0);
  const BlockVectors vectors = block_vectors(blocks, call.axes->nv);
  double sum = vectors.factor + vectors.W + trunk * (trunk + m) * in_row + m * (m + trunk) * in_both +
               2.0 * trunk * (trunk + m) * in_both;
  for (int l = 0; l < blocks.limb_count; ++l) {
    const auto [begin, count, above] = blocks.limbs[l];
    const auto is_own = [begin = begin, end = begin + count](int k) { return begin <= k && k < end; };
    const auto rows = static_cast<double>(std::ranges::count_if(call.coordinates, is_own));
    const double in_limb = std::ceil(above / 8.0) + 1.0 + std::ceil(rows / 8.0);
    sum += count * (3.0 * (above + rows) * in_both + 2.0 * (count + above) * in_limb);
  }
  return sum;
}

/// The inverse under m rows of constraints, and two products with it. Rough counts, not fits. Columns one by one: they
/// said 12.0 us of talos_reduced, where 11.8 were measured. By blocks this part took 0.78 of the time, before a limb's
/// column was reduced in one pass.
static RoutineCost constrained_columns(const Call& call) {
  const AxisTable& axes = *call.axes;
  const detail::LimbBlocks blocks = axes.limb_blocks();
  const double n = axes.nv, m = call.num_points, size = n + m, pairs = axes.num_related_pairs();
  if (blocks.exist && !axes.coupled) {
    const double vectors = constrained_vectors(call, blocks);
    return cost(16.0 * vectors, 20000.0, (n + 30.0 + m) * size, 0.45 * vectors);
  }
  const double flops = 2.0 * (n * n * m + m * m * size + n * m * size + 2.0 * pairs * size + n * m * size);
  const bool unrolled = unrolled_inverse::most_coordinates >= n;
  const RoutineCost inverse =
      unrolled ? inverse_unrolled(axes, unrolled_inverse::max_unrolled_in_parts) : inverse_in_loops(axes);
  return cost(inverse.flops + flops, inverse.code_bytes + 6000.0,
              inverse.stack_entries + 2.0 * n * n + 3.0 * n * m,
              inverse.ns + (unrolled ? 0.021 : 0.1) * flops);
}

/// Three products with the columns without motors. A rough count, too.
static RoutineCost held_columns(const Call& call) {
  const double n = call.axes->nv, m = call.num_points, f = static_cast<double>(call.coordinates.size());
  const double flops = 2.0 * (n * m * f + 3.0 * n * f * (n + m) + n * n * m / 2.0);
  const bool unrolled = unrolled_inverse::most_coordinates >= n;
  return cost(flops, 4000.0, 2.0 * n * f, (unrolled ? 0.04 : 0.2) * flops);
}

/// Ten wrenches of each body, and ten entries of each row: 1.3 us of 146 rows and 30 bodies on a Zen 3. Straight lines
/// are predicted to take 1.26 times what they take there, and have to compare.
static RoutineCost columns_of_bodies(const AxisTable& axes) {
  double rows = 0.0;
  for (const RowRun& run : axes.runs) rows += run.count;
  return cost(78.0 * rows + 150.0 * axes.num_bodies, 2600.0, 56.0, 8.0 * rows + 10.0 * axes.num_bodies);
}

RoutineCost cost_of(const Call& call) {
  const AxisTable* axes = call.axes.get();
  const PanelTable* panels = call.panels.get();
  switch (call.routine) {
    case Routine::rnea_second_derivatives:
      return second_derivatives_in_loops(*axes);
    case Routine::minv:
      return inversion(call, unrolled_inverse::max_unrolled_alone);
    case Routine::inverse:
    case Routine::inverse_and_parts:
      return inversion(call, unrolled_inverse::max_unrolled_in_parts);
    case Routine::solve:
      return solution_of_vector(*axes);
    case Routine::negative_product:
      return multiplication(call, 1);
    case Routine::aba_derivatives:
      return multiplication(call, 2);
    case Routine::aba_derivatives_behind_base:
      return behind_base(call, multiplication(call, 2));
    case Routine::negative_product_of_parts:
      return products_by_blocks(*call.axes, 1);
    case Routine::aba_derivatives_of_parts:
      return products_by_blocks(*call.axes, 2);
    case Routine::aba_derivatives_of_parts_behind_base:
      return behind_base(call, products_by_blocks(*call.axes, 2));
    case Routine::aba_vector_hessian:
      return multiplication(call, 3, true);
    case Routine::solve_second_derivatives:
      return runs_unrolled(call) ? solution_unrolled(*axes) : solution_in_loops(*axes);
    case Routine::panel_derivatives:
      return first_order_cost(*panels);
    case Routine::panel_second_derivatives:
      return panel_cost(*panels, tensor_flops(*panels),
                        panels->floating ? ns_of_second_order_flop_floating : ns_of_second_order_flop,
                        bytes_of_second_order, rows_of_operators);
    case Routine::panel_vector_hessian:
      return panel_cost(*panels, panel_flops(*panels, flops_of_rates, flops_of_hessian_pair),
                        ns_of_hessian_flop, bytes_of_hessian, rows_of_rates);
    case Routine::panel_mass_matrix_vector_derivative:
      return panel_cost(*panels, panel_flops(*panels, flops_of_rates, flops_of_mass_matrix_pair),
                        ns_of_mass_matrix_flop, bytes_of_mass_matrix_derivative, rows_of_rates);
    case Routine::semi_implicit:
    case Routine::semi_implicit_behind_base:
      return step_of_derivatives(axes->nv);
    case Routine::positions:
    case Routine::positions_behind_base:
      return positions(axes->nv);
    case Routine::first_stage:
      return stage_of_derivatives(axes->nv, false);
    case Routine::middle_stage:
    case Routine::middle_stage_behind_base:
    case Routine::last_stage:
    case Routine::last_stage_behind_base:
      return stage_of_derivatives(axes->nv, true);
    case Routine::constrained_columns:
    case Routine::constrained_columns_behind_base:
      return constrained_columns(call);
    case Routine::held_columns:
      return held_columns(call);
    case Routine::regressor:
      return columns_of_bodies(*axes);
    case Routine::contact_impulses:
    case Routine::contact_impulses_from:
      return solution_of_contacts(call.num_points);
    case Routine::contact_and_joint_impulses:
    case Routine::contact_and_joint_impulses_from:
      return solution_of_contacts(call.num_points, call.num_joints);
    case Routine::contact_response:
      return response_of_contacts(call.num_points);
    default:
      return {};  // little, or that of a walk
  }
}

int bytes_of_pattern(int nv) {
  // n lists of indices, each a byte, and how many each has.
  return nv <= detail::max_constant_pattern ? nv * nv + nv : 0;
}

}  // namespace featherline::ir
