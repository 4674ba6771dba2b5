#include "algorithms/vector_loops.hpp"

#include "algorithms/forward_parts.hpp"
#include "algorithms/joint_friction.hpp"
#include "algorithms/second_order_operators.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

// The layout featherline/detail/second_order_pairs.hpp reads.
constexpr int motion_rows = 24;
constexpr int operator_entries = 39;
// Rows the loops keep for each axis of a path: motion, u1 to u12, scalar products.
constexpr int panel_columns = motion_rows + 45 + 12;
// Machine code of the loops: g++ 12 -O2, AVX-512.
constexpr int bytes_of_pairs = 9400, bytes_of_products = 2500;
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

int num_axes(const model::Tree& tree) {
  int count = 0;
  for (const model::Body& body : tree.bodies) count += static_cast<int>(joint_axes(body.joint).size());
  return count;
}

/// One frame for every tree that hangs off the world: that of its first link.
FrameRoots root_links(const model::Tree& tree) {
  FrameRoots roots;
  for (const model::Body& body : tree.bodies) roots.push_back(body.parent < 0);
  return roots;
}

/// By body: axes on the path from the root, its own included.
std::vector<int> path_lengths(const model::Tree& tree) {
  std::vector<int> lengths;
  for (const model::Body& body : tree.bodies) {
    const int above = body.parent < 0 ? 0 : lengths[static_cast<std::size_t>(body.parent)];
    lengths.push_back(above + static_cast<int>(joint_axes(body.joint).size()));
  }
  return lengths;
}

/// Triples (p, t, r) of degrees of freedom with t at or above p and r at or above t.
double count_triples(const model::Tree& tree) {
  const std::vector<int> lengths = path_lengths(tree);
  double triples = 0.0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double own = static_cast<double>(joint_axes(tree.bodies[i].joint).size());
    triples += own * lengths[i] * (lengths[i] + 1.0) / 2.0;
  }
  return triples;
}

/// Ordered pairs of degrees of freedom on one path.
double count_related_pairs(const model::Tree& tree) {
  const std::vector<int> lengths = path_lengths(tree);
  double pairs = 0.0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double own = static_cast<double>(joint_axes(tree.bodies[i].joint).size());
    pairs += own * (2.0 * lengths[i] - own);
  }
  return pairs;
}

/// Friction has second derivatives of its own, by coordinate.
bool has_friction(const model::Tree& tree) {
  return std::any_of(tree.bodies.begin(), tree.bodies.end(),
                     [](const model::Body& body) { return body.joint.friction != 0.0; });
}

/// Up to the tensors of inverse dynamics.
expr::Completion completion(const model::Tree& tree) {
  expr::Completion c;
  std::vector<int> first_axis;
  for (const model::Body& body : tree.bodies) {
    const std::vector<JointAxis> own = joint_axes(body.joint);
    const int first = static_cast<int>(c.axes.size());
    const int parent = body.parent < 0 ? -1 : first_axis[static_cast<std::size_t>(body.parent)];
    for (const JointAxis& axis : own) {
      c.axes.push_back({axis.idx_v, parent, first, static_cast<int>(own.size()), axis.multiplier});
    }
    c.coupled = c.coupled || body.joint.mimics >= 0;
    first_axis.push_back(own.empty() ? parent : first);
  }
  c.nv = tree.nv;
  c.calls = {{"rnea_second_derivatives", {"motion", "operators"}}};
  if (has_friction(tree)) c.calls.push_back({"add_friction", {"friction"}});
  const std::vector<int> lengths = path_lengths(tree);
  double pairs = 0.0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    pairs += lengths[i] * static_cast<double>(joint_axes(tree.bodies[i].joint).size());
    c.max_path = std::max(c.max_path, lengths[i]);
  }
  c.stack_entries = panel_columns * c.max_path;
  c.code_bytes = bytes_of_pairs;
  c.flops = static_cast<int>(std::min(flops_of_pair * pairs + flops_of_triple * count_triples(tree), 1e9));
  return c;
}

/// Of solve_second_derivatives, which leaves out what branches make zero: r_k coordinates are on a path with k.
double flops_of_products(const expr::Completion& c) {
  std::vector<double> related(c.axes.size(), 0.0);
  for (std::size_t k = 0; k < c.axes.size(); ++k) {
    for (int t = static_cast<int>(k); t >= 0; t = c.axes[static_cast<std::size_t>(t)].parent) {
      const expr::TreeAxis& joint = c.axes[static_cast<std::size_t>(t)];
      related[k] += joint.count;
      const bool own = joint.first == c.axes[k].first;
      for (int i = 0; i < joint.count && !own; ++i) related[static_cast<std::size_t>(joint.first + i)] += 1.0;
    }
  }
  double sum = 0.0, squares = 0.0;
  for (const double r : related) {
    sum += r;
    squares += r * r;
  }
  return 8.0 * c.nv * squares + 6.0 * c.nv * c.nv * sum;
}

/// Stores `motion` and `operators`, outputs 0 and 1.
class PanelWriter {
 public:
  PanelWriter(Tracer& tracer, const Coordinates& v, const Coordinates& a, const FrameRoots& roots)
      : t_(tracer), motion_(tracer, v, a, roots), axes_(num_axes(tracer.tree())) {}

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

std::vector<expr::Parameter> panels(const model::Tree& tree) {
  std::vector<expr::Parameter> arrays{{"motion", motion_rows * num_axes(tree)},
                                      {"operators", operator_entries * num_axes(tree)}};
  if (has_friction(tree)) arrays.push_back({"friction", tree.nv});
  return arrays;
}

void store_friction(Tracer& t, const Coordinates& v) {
  if (has_friction(t.tree())) t.store_all(2, joint_friction_second_derivative(t, v));
}

}  // namespace

double unrolled_rnea_flops(const model::Tree& tree) { return 50.0 * count_triples(tree); }

double unrolled_aba_flops(const model::Tree& tree) { return 60.0 * tree.nv * count_related_pairs(tree); }

expr::Function trace_rnea_second_derivatives_in_loops(const model::Tree& tree) {
  const model::Tree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  Tracer t(heavy, "rnea_second_derivatives", "", {{"q", tree.nq}, {"v", n}, {"a", n}}, panels(tree));
  const Coordinates v = input_coordinates(t, 1);
  PanelWriter(t, v, input_coordinates(t, 2), root_links(tree)).run();
  store_friction(t, v);
  expr::Function function = t.take();
  function.completion = completion(tree);
  return function;
}

expr::Function trace_aba_second_derivatives_in_loops(const model::Tree& tree) {
  const model::Tree heavy = with_grouped_inertias(tree);
  const int n = tree.nv;
  std::vector<expr::Parameter> outputs = panels(tree);
  const int first = static_cast<int>(outputs.size());
  for (const char* matrix : {"Minv", "dtau_dq", "dtau_dv"}) outputs.push_back({matrix, n * n});
  Tracer t(heavy, "aba_second_derivatives", "", forward_state(tree), outputs);
  const Coordinates v = input_coordinates(t, 1), tau = input_coordinates(t, 2);
  const FrameRoots roots = root_links(tree);
  const auto [factor, a] = forward_dynamics(t, v, tau, roots);
  const FirstDerivatives id = first_derivatives(t, v, a, roots);
  PanelWriter(t, v, a, roots).run();
  store_friction(t, v);
  t.store_all(first, factor.inverse().column_major());
  t.store_all(first + 1, id.dtau_dq.column_major());
  t.store_all(first + 2, id.dtau_dv.column_major());
  expr::Function function = t.take();
  function.completion = completion(tree);
  function.completion->calls.push_back({"solve_second_derivatives", {"Minv", "dtau_dq", "dtau_dv"}});
  function.completion->flops += static_cast<int>(std::min(flops_of_products(*function.completion), 1e9));
  function.completion->stack_entries += 4 * n * n;
  function.completion->code_bytes += bytes_of_products;
  return function;
}

}  // namespace featherline::algorithms
