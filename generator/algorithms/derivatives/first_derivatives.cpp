#include "algorithms/derivatives/derivatives.hpp"

#include "algorithms/clusters/all_joints.hpp"
#include "algorithms/derivatives/composite_motion.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "support/side_by_side.hpp"

namespace featherline::algorithms {
namespace {

/// The force vectors of a degree of freedom that its ancestors are multiplied with: t1 to t4 of the papers, and
/// t5 = B S + I S-dot for the Coriolis matrix.
struct ColumnForces {
  Force t1, t2, t3;
  Vector3 t4;  ///< angular: the linear half of 2 B^T s is zero
  Force t5;
  Vector3 te;  ///< as t4, of external forces

  template <class Self, class F>
  static void each_part(Self& t, const F& f) {
    f(t.t1, "IS");
    f(t.t2, "F_v");
    f(t.t3, "F_q");
    f(t.t4, "BtS");
    f(t.t5, "F_C");
    f(t.te, "EtS");
  }
};

class Idsva {
 public:
  Idsva(Context& context, const Coordinates& v, const Coordinates& a, const OwnFrames& own_frames)
      : c_(context), motion_(context, v, a, own_frames), out_(context.nv()) {}

  FirstDerivatives run() {
    for (int i = c_.num_bodies(); i-- > 0;) {
      c_.begin_section(i, "composites and their products with axes");
      motion_.label_composite(i);
      const CompositeBody& body = motion_.body(i);
      const auto columns = each(body.axes, [&](const Axis& axis) { return forces(body, axis); });
      for (const Axis& axis : body.axes)
        c_.add(out_.tau[index(axis.idx_v)], axis.multiplier, dot(body.F, axis.S));
      own_block(body, columns);
      for (std::size_t k = 0; k < columns.size(); ++k) ancestors(i, body.axes[k], columns[k]);
      motion_.add_to_parent(i);
    }
    return std::move(out_);
  }

 private:
  ColumnForces forces(const CompositeBody& body, const Axis& s) {
    ColumnForces t;
    t.t1 = body.I * s.S;
    t.t2 = algebra::force_of_speed(body.I, body.B, s.S, s.rate);
    t.t3 = algebra::force_of_step(body.I, body.B, body.F, s.S, s.Pd, s.Pdd);
    t.t4 = body.B.transposed_times(s.S);
    t.t5 = body.B.times(s.S) * Scalar(0.5) + body.I * s.Sd;
    if (c_.has_forces()) {
      t.t3 = t.t3 + body.turning.times(s.S);
      t.te = body.turning.transposed_times(s.S);
    }
    return c_.label(t, s.name);
  }

  /// Among the axes of one joint only the first formula of (30) holds: no f x* S term. The
  /// second one holds for j != i only. For a single axis both hold, since S . (S x* f) = 0, and t3 is there already.
  void own_block(const CompositeBody& body, const std::vector<ColumnForces>& columns) {
    for (std::size_t r = 0; r < columns.size(); ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Axis &row = body.axes[r], &column = body.axes[c];
        const Scalar dq = columns.size() == 1 ? dot(columns[r].t3, row.S) : row_step(columns[r], column);
        add_entry(c_, out_.dtau_dq, row, column, dq);
        add_entry(c_, out_.dtau_dv, row, column, dot(columns[c].t2, row.S));
        add_entry(c_, out_.C, row, column, coriolis_entry(columns[r], column));
        add_entry(c_, out_.M, row, column, dot(columns[std::max(r, c)].t1, body.axes[std::min(r, c)].S));
      }
    }
  }

  /// j is an axis of an ancestor, i of the body: equations (30) and (32), both cases.
  void ancestors(int body, const Axis& i, const ColumnForces& forces) {
    motion_.frames().climb(body, forces, i.name + "m", [&](int ancestor, const ColumnForces& t) {
      for (const Axis& j : motion_.body(ancestor).axes) {
        add_entry(c_, out_.dtau_dq, j, i, dot(t.t3, j.S));
        add_entry(c_, out_.dtau_dv, j, i, dot(t.t2, j.S));
        add_entry(c_, out_.dtau_dq, i, j, row_step(t, j));
        add_entry(c_, out_.dtau_dv, i, j, dot(t.t4, j.S.w) + dot(t.t1, j.rate));
        add_entry(c_, out_.C, i, j, coriolis_entry(t, j));
        add_entry(c_, out_.C, j, i, dot(t.t5, j.S));
        add_entries(c_, out_.M, i, j, dot(t.t1, j.S));
      }
    });
  }

  /// S_r^T (2 B Psi-dot_j + I Psi-double-dot_j), and the same of external forces, which is S_r^T 2 B S_j.
  Scalar row_step(const ColumnForces& row, const Axis& j) const {
    const Scalar step = dot(row.t4, j.Pd.w) + dot(row.t1, j.Pdd);
    return c_.has_forces() ? step + dot(row.te, j.S.w) : step;
  }
  /// S_r^T (B S_j + I S-dot_j), from the row's t4 and t1.
  static Scalar coriolis_entry(const ColumnForces& row, const Axis& j) {
    return Scalar(0.5) * dot(row.t4, j.S.w) + dot(row.t1, j.Sd);
  }

  Context& c_;
  CompositeMotion motion_;
  FirstDerivatives out_;
};

/// Without negations, which hang on which of a - b and b - a came first; the passes remove nearly all.
int flops(const ir::Kernel& kernel) {
  const std::vector<bool> live = ir::live_nodes(kernel);
  int negations = 0;
  for (ir::NodeId id = 0; id < kernel.graph.size(); ++id)
    negations += live[id] && kernel.graph[id].op == ir::Op::neg ? 1 : 0;
  return ir::count_cost(kernel).flops - negations;
}

class FrameSearch {
 public:
  explicit FrameSearch(const WalkedTree& tree) : tree_(tree) {}

  /// Children of the world always have their own frame. It is never worse than the world frame: nothing else moves in
  /// the world. And the world frame would cost digits where a floating base is far from its origin.
  OwnFrames run(int jobs) const {
    const OwnFrames starts[] = {root_body_frames(tree_.walked), body_frames(tree_.walked)};
    Choice found[2];
    side_by_side(jobs, 2, [&](std::size_t k) { found[k] = descend(starts[k]); });
    return found[0].flops < found[1].flops ? found[0].own_frames : found[1].own_frames;
  }

 private:
  struct Choice {
    OwnFrames own_frames;
    int flops = 0;
  };

  /// Counts the operations of rnea_derivatives in these frames.
  Choice measure(OwnFrames own_frames, std::int64_t& budget) const {
    const int nq = tree_.full.nq, nv = tree_.full.nv;
    const ir::Kernel kernel = trace(
        tree_, {{"q", nq}, {"v", nv}, {"a", nv}}, {{"dtau_dq", nv * nv}, {"dtau_dv", nv * nv}},
        [&](Context& c) { rnea_derivatives(c, own_frames); }, TraceFor::counting);
    budget -= kernel.graph.size();
    return {std::move(own_frames), flops(kernel)};
  }

  Choice descend(const OwnFrames& start) const {
    std::int64_t budget = 3'000'000;  // nodes traced: about half a second on one core
    Choice best = measure(start, budget);
    for (bool improved = true; improved;) {
      improved = false;
      for (std::size_t i = 0; i < best.own_frames.size() && budget > 0; ++i) {
        if (tree_.walked.bodies[i].parent < 0) continue;
        OwnFrames own_frames = best.own_frames;
        own_frames[i] = !own_frames[i];
        Choice choice = measure(std::move(own_frames), budget);
        if (choice.flops >= best.flops) continue;
        best = std::move(choice);
        improved = true;
      }
    }
    return best;
  }

  const WalkedTree& tree_;
};

}  // namespace

FirstDerivatives first_derivatives(Context& context, const Coordinates& v, const Coordinates& a,
                                   const OwnFrames& own_frames) {
  if (context.has_clusters()) return AllJoints(context).first_derivatives(v, a, own_frames);
  FirstDerivatives d = Idsva(context, v, a, own_frames).run();
  add_armature(context, d.M);
  add_joint_dynamics(context, v, a, d.tau);
  add_friction_derivative(context, v, d.dtau_dv);
  add_turning(context, v, d.C);
  add_spring_derivative(context, d.dtau_dq);
  if (!context.has_lifted()) return d;
  Context lifted = context.lifted();
  const Coordinates rest = context.zeros();
  subtract(d.dtau_dq.data(), Idsva(lifted, rest, rest, own_frames).run().dtau_dq.column_major());
  return d;
}

void rnea_derivatives(Context& c, const OwnFrames& own_frames) {
  const FirstDerivatives d = first_derivatives(c, c.input("v"), c.input("a"), own_frames);
  c.output("dtau_dq", d.dtau_dq.column_major(), matrix);
  c.output("dtau_dv", d.dtau_dv.column_major(), matrix);
}

void coriolis_matrix(Context& c, const OwnFrames& own_frames) {
  c.output("C", first_derivatives(c, c.input("v"), c.zeros(), own_frames).C.column_major(), matrix);
}

OwnFrames choose_own_frames(const WalkedTree& tree, int jobs) { return FrameSearch(tree).run(jobs); }

}  // namespace featherline::algorithms
