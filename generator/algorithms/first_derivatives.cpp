#include "algorithms/first_derivatives.hpp"

#include "algorithms/joint_friction.hpp"
#include "model/regroup.hpp"

namespace featherline::algorithms {
namespace {

/// The force vectors of a degree of freedom that its ancestors are multiplied with: t1 to t4 of the papers, and
/// t5 = B S + I S-dot for the Coriolis matrix.
struct Columns {
  Force t1, t2, t3, t5;
  Vector3 t4;  ///< angular: the linear half of 2 B^T s is zero
};

class Idsva {
 public:
  Idsva(Tracer& tracer, const Coordinates& v, const Coordinates& a, FrameRoots roots)
      : t_(tracer), motion_(tracer, v, a, std::move(roots)), out_{n(), n(), n(), n()} {}

  FirstDerivatives run() {
    for (int i = t_.num_bodies(); i-- > 0;) inward(i);
    return std::move(out_);
  }

 private:
  SquareMatrix n() const { return SquareMatrix(t_.tree().nv); }
  void inward(int i) {
    t_.begin_section(i, "derivatives");
    const CompositeBody& body = motion_.body(i);
    t_.label_symmetric(body.I.J, "J", i);
    t_.label_symmetric(body.B.K, "K", i);
    t_.label(body.F.n, "n", i);
    t_.label(body.F.f, "f", i);
    std::vector<Columns> columns;
    for (const Axis& axis : body.axes) columns.push_back(make_columns(body, axis));
    own_block(body, columns);
    climb(i, columns);
    motion_.add_to_parent(i);
  }

  static Columns make_columns(const CompositeBody& body, const Axis& s) {
    const Force t1 = body.I * s.S;
    const Force t2 = body.B.times(s.S) + body.I * (s.Pd + s.Sd);
    const Force t3 = body.B.times(s.Pd) + body.I * s.Pdd + cross_dual(s.S, body.F);
    const Force BS = body.B.times(s.S);
    const Force t5 = Force{BS.n * Scalar(0.5), BS.f * Scalar(0.5)} + body.I * s.Sd;
    return {t1, t2, t3, t5, body.B.transposed_times(s.S)};
  }

  /// Among the axes of one joint only the first formula of (30) holds: no f x* S term. The
  /// second one holds for j != i only. For a single axis both hold, since S . (S x* f) = 0, and t3 is there already.
  void own_block(const CompositeBody& body, const std::vector<Columns>& columns) {
    for (std::size_t r = 0; r < columns.size(); ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Axis &row = body.axes[r], &column = body.axes[c];
        const Scalar dq = columns.size() == 1
                              ? dot(columns[r].t3, row.S)
                              : columns[r].t4.dot(column.Pd.w) + dot(columns[r].t1, column.Pdd);
        add(out_.dtau_dq, row, column, dq);
        add(out_.dtau_dv, row, column, dot(columns[c].t2, row.S));
        add(out_.C, row, column, coriolis_entry(columns[r], column));
        add(out_.M, row, column, dot(columns[std::max(r, c)].t1, body.axes[std::min(r, c)].S));
      }
    }
  }

  void climb(int i, std::vector<Columns>& columns) {
    for (int below = i, j = t_.body(i).parent; j >= 0; below = j, j = t_.body(j).parent) {
      if (motion_.frames().is_root(below)) {
        for (Columns& t : columns) t = cross_over(motion_.frames().crossing(below), t);
      }
      for (std::size_t k = 0; k < columns.size(); ++k) {
        for (const Axis& ancestor : motion_.body(j).axes)
          off_diagonal(ancestor, motion_.body(i).axes[k], columns[k]);
      }
    }
  }

  static Columns cross_over(const HomePose& X, const Columns& t) {
    return {X.force_to_home(t.t1), X.force_to_home(t.t2), X.force_to_home(t.t3), X.force_to_home(t.t5),
            X.to_home(t.t4)};
  }

  /// j is an axis of an ancestor, i of the body: equations (30) and (32), both cases.
  void off_diagonal(const Axis& j, const Axis& i, const Columns& t) {
    add(out_.dtau_dq, j, i, dot(t.t3, j.S));
    add(out_.dtau_dv, j, i, dot(t.t2, j.S));
    add(out_.dtau_dq, i, j, t.t4.dot(j.Pd.w) + dot(t.t1, j.Pdd));
    add(out_.dtau_dv, i, j, t.t4.dot(j.S.w) + dot(t.t1, j.Pd + j.Sd));
    add(out_.C, i, j, coriolis_entry(t, j));
    add(out_.C, j, i, dot(t.t5, j.S));
    const Scalar M = dot(t.t1, j.S);
    add(out_.M, i, j, M);
    add(out_.M, j, i, M);
  }

  /// S_r^T (B S_j + I S-dot_j), from the row's t4 and t1.
  static Scalar coriolis_entry(const Columns& row, const Axis& j) {
    return Scalar(0.5) * row.t4.dot(j.S.w) + dot(row.t1, j.Sd);
  }

  /// Coupled joints share rows and columns.
  static void add(SquareMatrix& A, const Axis& row, const Axis& column, const Scalar& x) {
    A(row.idx_v, column.idx_v) += Scalar(row.multiplier * column.multiplier) * x;
  }

  Tracer& t_;
  CompositeMotion motion_;
  FirstDerivatives out_;
};

}  // namespace

FirstDerivatives first_derivatives(Tracer& tracer, const Coordinates& v, const Coordinates& a,
                                   FrameRoots roots) {
  FirstDerivatives d = Idsva(tracer, v, a, std::move(roots)).run();
  add_armature(tracer, d.M);
  add_joint_friction_derivative(tracer, v, d.dtau_dv);
  return d;
}

FrameRoots ground_frame(const model::CanonicalTree& tree) {
  FrameRoots roots(tree.bodies.size(), false);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    roots[i] = tree.bodies[i].parent < 0 && tree.bodies[i].joint.row().num_slides() > 0;
  }
  return roots;
}

FrameRoots body_frames(const model::CanonicalTree& tree) { return FrameRoots(tree.bodies.size(), true); }

FrameRoots chosen_frames(const model::CanonicalTree& tree) {
  return tree.frame_roots.empty() ? body_frames(tree) : tree.frame_roots;
}

ir::Function trace_rnea_derivatives(const model::CanonicalTree& tree, FrameChoice frames) {
  return trace_rnea_derivatives_in(tree, frames(tree));
}

ir::Function trace_rnea_derivatives_in(const model::CanonicalTree& tree, const FrameRoots& roots) {
  const model::CanonicalTree grouped = regroup_inertias(tree, model::Grouping::J_xx);
  const int n = tree.nv;
  Tracer t(grouped, "rnea_derivatives", "", {{"q", tree.nq}, {"v", n}, {"a", n}},
           {{"dtau_dq", n * n}, {"dtau_dv", n * n}});
  const Coordinates v = input_coordinates(t, 1), a = input_coordinates(t, 2);
  const FirstDerivatives d = first_derivatives(t, v, a, roots);
  t.store_all(0, d.dtau_dq.column_major());
  t.store_all(1, d.dtau_dv.column_major());
  return t.take();
}

ir::Function trace_coriolis_matrix(const model::CanonicalTree& tree, FrameChoice frames) {
  const model::CanonicalTree grouped = regroup_inertias(tree, model::Grouping::J_xx);
  Tracer t(grouped, "coriolis_matrix", "", {{"q", tree.nq}, {"v", tree.nv}}, {{"C", tree.nv * tree.nv}});
  const Coordinates v = input_coordinates(t, 1), a = zero_coordinates(t);
  t.store_all(0, first_derivatives(t, v, a, frames(tree)).C.column_major());
  return t.take();
}

}  // namespace featherline::algorithms
