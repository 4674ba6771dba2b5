#include "algorithms/vector_loops.hpp"

#include "algorithms/forward_parts.hpp"
#include "algorithms/inertia_loops.hpp"
#include "algorithms/joint_friction.hpp"
#include "algorithms/second_order_operators.hpp"
#include "algorithms/tree_axes.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

// Rows the loops keep for each axis of a path: motion, u1 to u12, scalar products.
constexpr int panel_columns = motion_rows + 45 + 12;
// Machine code of the loops: g++ 12 -O2, AVX-512.
constexpr int bytes_of_pairs = 9400, bytes_of_products = 4000;
// Operations: the vectors u1 to u12 of a pair, the scalar products of a triple.
constexpr int flops_of_pair = 528, flops_of_triple = 144;

void append(std::vector<Scalar>& entries, const Vector3& x) {
  for (int k = 0; k < 3; ++k) entries.push_back(x[k]);
}
void append(std::vector<Scalar>& entries, const Motion& x) {
  append(entries, x.w);
  append(entries, x.u);
}
void append(std::vector<Scalar>& entries, const Force& x) {
  append(entries, x.n);
  append(entries, x.f);
}
void append(std::vector<Scalar>& entries, const Coriolis& x) {
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) entries.push_back(x.K(r, c));
  }
  append(entries, x.n);
  append(entries, x.f);
}

/// One frame for every tree that hangs off the world: that of its first link.
FrameRoots root_links(const model::CanonicalTree& tree) {
  FrameRoots roots;
  for (const model::Body& body : tree.bodies) roots.push_back(body.parent < 0);
  return roots;
}

/// Friction has second derivatives of its own, by coordinate.
bool has_friction(const model::CanonicalTree& tree) {
  return std::any_of(tree.bodies.begin(), tree.bodies.end(),
                     [](const model::Body& body) { return body.joint.friction != 0.0; });
}

/// Up to the tensors of inverse dynamics.
ir::Completion completion(const model::CanonicalTree& tree) {
  const TreeAxes axes(tree);
  ir::Completion c = loops_over(tree);
  c.calls = {{"rnea_second_derivatives", {"motion", "operators"}}};
  if (has_friction(tree)) c.calls.push_back({"add_friction", {"friction"}});
  c.stack_entries = panel_columns * c.max_path;
  c.code_bytes = bytes_of_pairs;
  c.flops = to_flops(flops_of_pair * axes.num_pairs() + flops_of_triple * axes.num_triples());
  return c;
}

/// Of the products for one of n coordinates, of which r are on a path with it.
double flops_of_products(double n, double r) { return 8.0 * n * r * r + 6.0 * n * n * r; }

/// Of solve_second_derivatives, which leaves out what branches make zero.
double flops_of_solution(const model::Tree& tree) {
  double flops = flops_of_inverse(tree);
  for (const double r : TreeAxes(tree).num_related()) flops += flops_of_products(tree.nv, r);
  return flops;
}

/// Stores `motion` and `operators`, outputs 0 and 1.
class PanelWriter {
 public:
  PanelWriter(Tracer& tracer, const Coordinates& v, const Coordinates& a, const FrameRoots& roots)
      : t_(tracer), motion_(tracer, v, a, roots), axes_(TreeAxes(tracer.tree()).size()) {}

  void run() {
    store_motion();
    int axis = axes_;
    for (int i = t_.num_bodies(); i-- > 0;) {
      t_.begin_section(i, "second derivatives");
      const CompositeBody& body = motion_.body(i);
      axis -= static_cast<int>(body.axes.size());
      for (std::size_t k = 0; k < body.axes.size(); ++k) {
        store_operators(axis + static_cast<int>(k), second_order_operators(body, body.axes[k]));
      }
      motion_.add_to_parent(i);
    }
  }

 private:
  void store_motion() {
    int axis = 0;
    for (int i = 0; i < t_.num_bodies(); ++i) {
      for (const Axis& s : motion_.body(i).axes) {
        std::vector<Scalar> rows;
        for (const Motion& m : {s.S, s.Pd, s.Pdd, s.Pd + s.Sd}) append(rows, m);
        for (int row = 0; row < motion_rows; ++row) {
          t_.store(0, row * axes_ + axis, rows[static_cast<std::size_t>(row)]);
        }
        ++axis;
      }
    }
  }

  void store_operators(int axis, const Operators& A) {
    std::vector<Scalar> entries;
    append(entries, A.Bs);
    append(entries, A.A3);
    append(entries, A.t2);
    append(entries, A.t3);
    append(entries, A.t4);
    for (int e = 0; e < operator_entries; ++e) {
      t_.store(1, operator_entries * axis + e, entries[static_cast<std::size_t>(e)]);
    }
  }

  Tracer& t_;
  CompositeMotion motion_;
  int axes_;
};

std::vector<ir::Parameter> panels(const model::CanonicalTree& tree) {
  const int num_axes = TreeAxes(tree).size();
  std::vector<ir::Parameter> arrays{{"motion", motion_rows * num_axes},
                                    {"operators", operator_entries * num_axes}};
  if (has_friction(tree)) arrays.push_back({"friction", tree.nv});
  return arrays;
}

void store_friction(Tracer& t, const Coordinates& v) {
  if (has_friction(t.tree())) t.store_all(2, joint_friction_second_derivative(t, v));
}

}  // namespace

double unrolled_rnea_second_derivatives_flops(const model::Tree& tree) {
  return 50.0 * TreeAxes(tree).num_triples();
}

/// The products of solve_second_derivatives, but for the rows of a floating base, which are known.
double unrolled_aba_second_derivatives_flops(const model::Tree& tree) {
  const TreeAxes axes(tree);
  const std::vector<double> related = axes.num_related(), connected = axes.num_connected();
  double products = 0.0;
  for (std::size_t k = tree.floating_base ? 6 : 0; k < related.size(); ++k) {
    products += flops_of_products(connected[k], related[k]);
  }
  return unrolled_rnea_second_derivatives_flops(tree) + 0.6 * products;
}

ir::Function trace_rnea_second_derivatives_in_loops(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  Tracer t(heavy, "rnea_second_derivatives", "", {{"q", tree.nq}, {"v", n}, {"a", n}}, panels(tree));
  const Coordinates v = input_coordinates(t, 1);
  PanelWriter(t, v, input_coordinates(t, 2), root_links(tree)).run();
  store_friction(t, v);
  ir::Function function = t.take();
  function.completion = completion(tree);
  return function;
}

ir::Function trace_aba_second_derivatives_in_loops(const model::CanonicalTree& tree) {
  const model::CanonicalTree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  std::vector<ir::Parameter> outputs = panels(tree);
  const int first = static_cast<int>(outputs.size());
  for (const char* matrix : {"M", "dtau_dq", "dtau_dv"}) outputs.push_back({matrix, n * n});
  Tracer t(heavy, "aba_second_derivatives", "", forward_state(tree), outputs);
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2);
  const FrameRoots roots = root_links(tree);
  const Coordinates a = linear_solver(t)(net_torque(t, v, tau));
  const FirstDerivatives id = first_derivatives(t, v, a, roots);
  PanelWriter(t, v, a, roots).run();
  store_friction(t, v);
  store_all(t, first, id);
  ir::Function function = t.take();
  function.completion = completion(tree);
  function.completion->calls.push_back({"solve_second_derivatives", {"M", "dtau_dq", "dtau_dv"}});
  function.completion->flops += to_flops(flops_of_solution(tree));
  function.completion->stack_entries += 5 * n * n;
  function.completion->code_bytes += bytes_of_products + bytes_of_pattern(tree);
  return function;
}

}  // namespace featherline::algorithms
