#include "algorithms/composite_motion.hpp"

namespace featherline::algorithms {

CompositeMotion::CompositeMotion(Tracer& tracer, const Coordinates& v, const Coordinates& a, FrameRoots roots)
    : t_(tracer), frames_(tracer, std::move(roots)) {
  for (int i = 0; i < t_.num_bodies(); ++i) outward(i, v, a);
}

CompositeMotion::ParentMotion CompositeMotion::parent_motion(int i) {
  const int parent = t_.body(i).parent;
  Motion v, a;
  if (parent < 0) {
    a.u = to_scalar(-t_.tree().gravity);
  } else {
    v = body(parent).v;
    a = body(parent).a;
  }
  if (!frames_.is_root(i)) return {v, a};
  return {frames_.crossing(i).motion_from_home(v), frames_.crossing(i).motion_from_home(a)};
}

void CompositeMotion::outward(int i, const Coordinates& v, const Coordinates& a) {
  t_.begin_section(i, "motion");
  const auto [v_parent, a_parent] = parent_motion(i);
  CompositeBody body;
  Motion vJ, aJ, cJ;
  for (const JointAxis& joint_axis : joint_axes(t_.body(i).joint)) {
    Axis axis{joint_axis.idx_v, joint_axis.multiplier, {}, {}, {}, {}};
    axis.S = frames_.pose(i).motion_to_home({to_scalar(joint_axis.angular), to_scalar(joint_axis.linear)});
    axis.Pd = cross(v_parent, axis.S);
    axis.Pdd = cross(a_parent, axis.S) + cross(v_parent, axis.Pd);
    const auto k = static_cast<std::size_t>(axis.idx_v);
    vJ = vJ + axis.S * (Scalar(axis.multiplier) * v[k]);
    aJ = aJ + axis.S * (Scalar(axis.multiplier) * a[k]);
    cJ = cJ + axis.Pd * (Scalar(axis.multiplier) * v[k]);  // v x vJ = v_parent x vJ
    body.axes.push_back(axis);
  }
  body.v = v_parent + vJ;
  body.a = a_parent + aJ + cJ;
  const bool one_axis = body.axes.size() == 1;
  for (Axis& axis : body.axes) axis.Sd = one_axis ? axis.Pd : cross(body.v, axis.S);
  label_motion(body, i);
  add_inertia(body, i);
  bodies_.push_back(std::move(body));
}

void CompositeMotion::label_motion(const CompositeBody& body, int i) {
  t_.label(body.v.w, "w", i);
  t_.label(body.v.u, "u", i);
  t_.label(body.a.w, "aw", i);
  t_.label(body.a.u, "au", i);
}

void CompositeMotion::add_inertia(CompositeBody& body, int i) {
  const model::Inertia& own = t_.body(i).inertia;
  body.I = frames_.pose(i).inertia_to_home({own.mass, to_scalar(own.h), to_scalar(own.J)});
  const Force momentum = body.I * body.v;
  body.B = coriolis(body.I, body.v, momentum);
  body.F = body.I * body.a + cross_dual(body.v, momentum);
}

void CompositeMotion::add_to_parent(int i) {
  const int parent = t_.body(i).parent;
  if (parent < 0) return;
  const CompositeBody& own = body(i);
  CompositeBody& above = body(parent);
  const bool crosses = frames_.is_root(i);
  const HomePose& X = frames_.crossing(i);
  above.I = above.I + (crosses ? X.inertia_to_home(own.I) : own.I);
  above.B = above.B + (crosses ? X.coriolis_to_home(own.B) : own.B);
  above.F = above.F + (crosses ? X.force_to_home(own.F) : own.F);
}

}  // namespace featherline::algorithms
