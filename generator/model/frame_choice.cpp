#include "model/frame_choice.hpp"

#include "model/regroup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace featherline::model {

JointFrame split_offset(const Joint& joint, const Placement& X) {
  const auto zeros = [](const Matrix3& R) { return (R.array() == 0.0).count(); };
  JointFrame result{{round_rotation(X.R), X.p}, 0.0};
  if (!joint.row().has_one_axis() || joint.row().num_turns() == 0) return result;
  // z' = E^T z is the parent's z seen from the child: turn it into the y-z plane.
  const double in_plane = std::hypot(X.R(2, 0), X.R(2, 1));
  const double c =
      in_plane > structural_zero ? std::atan2(X.R(2, 0), X.R(2, 1)) : std::atan2(X.R(1, 0), X.R(0, 0));
  const Matrix3 E = round_rotation(X.R * rotation_z(-c));
  if (zeros(E) <= zeros(result.X.R)) return result;
  if (joint.row().needs_pitch()) result.X.p -= E.col(2) * (joint.pitch * c);
  result.X.R = E;
  result.offset = c;
  return result;
}

double offset_scale(const Tree& tree, const std::vector<Placement>& frames, std::size_t i, double size) {
  const Body& body = tree.bodies[i];
  const double shift = body.parent < 0 ? 0.0 : frames[static_cast<std::size_t>(body.parent)].p.norm();
  return std::max(std::min(1.0, size), body.joint.placement.p.norm() + shift + frames[i].p.norm());
}

namespace {

/// Entries of equal limbs, one after the other. An entry counts as zero if it is zero in all limbs.
template <int n>
class SharedEntries {
 public:
  template <class M>
  void add(const M& x) {
    const auto entries = x.reshaped();
    for (int k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      nonzero_[i] = nonzero_[i] || entries(k) != 0.0;
      differs_[i] = differs_[i] || (count_ > 0 && entries(k) != first_[i]);
      if (count_ == 0) first_[i] = entries(k);
    }
    ++count_;
  }
  int nonzeros() const { return static_cast<int>(std::count(nonzero_.begin(), nonzero_.end(), true)); }
  bool is_nonzero(int k) const { return nonzero_[static_cast<std::size_t>(k)]; }
  /// Entries that are not the same number in all limbs.
  int differing() const { return static_cast<int>(std::count(differs_.begin(), differs_.end(), true)); }

 private:
  std::array<bool, n> nonzero_{}, differs_{};
  std::array<double, n> first_{};
  int count_ = 0;
};

/// Chooses frames of bodies that have the same place in equal limbs together: they try the same candidates at once.
class FrameChoice {
 public:
  FrameChoice(const Tree& tree, const std::vector<std::vector<int>>& together)
      : tree_(tree),
        together_(together),
        size_(robot_size(tree)),
        G_(plain_frames(tree)),
        moved_(tree.bodies.size()),
        children_(tree.bodies.size()),
        place_(tree.bodies.size()) {
    for (int i = 0; i < size(); ++i) {
      if (parent(i) >= 0) children_[index(parent(i))].push_back(i);
    }
    for (std::size_t k = 0; k < together_.size(); ++k) {
      for (const int i : together_[k]) place_[index(i)] = k;
    }
  }

  std::vector<Placement> run() {
    constexpr int sweeps = 3;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (int i = size(); i-- > 0;) moved_[index(i)] = unidentifiable_part(joint(i), total_inertia(i));
      for (const Limbs& limbs : together_) improve(limbs);
    }
    return G_;
  }

 private:
  using Limbs = std::vector<int>;  // bodies with the same place, one of each limb
  using Candidates = std::vector<std::optional<Placement>>;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int size() const { return static_cast<int>(tree_.bodies.size()); }
  const Joint& joint(int i) const { return tree_.bodies[index(i)].joint; }
  int parent(int i) const { return tree_.bodies[index(i)].parent; }
  Placement& frame(int i) { return G_[index(i)]; }
  const Placement& frame(int i) const { return G_[index(i)]; }

  /// Constant placement of body i's frame in its parent's, both canonical.
  Placement relative(int i) const {
    const Placement X = joint(i).placement * frame(i);
    return parent(i) < 0 ? X : frame(parent(i)).inverse() * X;
  }

  /// Inertia of body i in its canonical frame with what its children pass on.
  Inertia total_inertia(int i) const {
    Inertia total = tree_.bodies[index(i)].inertia.expressed_in(frame(i).inverse());
    for (const int c : children_[index(i)]) total += moved_[index(c)].expressed_in(relative(c));
    return total;
  }

  double joint_cost(const Limbs& limbs) const {
    SharedEntries<9> rotation;
    SharedEntries<3> offset;
    bool turned = false;
    for (const int i : limbs) {
      const JointFrame X = split_offset(joint(i), relative(i));
      rotation.add(X.X.R);
      offset.add(round_residue(X.X.p, offset_scale(tree_, G_, index(i), size_)));
      turned = turned || X.offset != 0.0;
    }
    const int entries = rotation.nonzeros();
    // Five vectors cross a joint (w, wd, a, f, n): 6 flops each for a planar rotation, more for a dense one. A sign
    // that differs between limbs is a product for each of them.
    double cost = entries <= 3   ? 5.0 * rotation.differing()
                  : entries <= 5 ? 30.0
                                 : 40.0 + 3.0 * (entries - 5);
    const bool at_world = parent(limbs.front()) < 0;
    if (at_world && !tree_.floating_base) cost *= 0.1;  // constant gravity only
    const double lever = at_world ? 0.1 : 10.0;         // U p and p x f
    return cost + lever * offset.nonzeros() + (turned ? 1.0 : 0.0) + 0.1 * rotation.differing();
  }

  double inertia_cost(const Limbs& limbs) const {
    SharedEntries<3> first_moment;
    SharedEntries<9> inertia;
    for (const int i : limbs) {
      const Inertia total = total_inertia(i);
      const Inertia part = unidentifiable_part(joint(i), total);
      first_moment.add(round_residue(Vector3(total.h - part.h), 1e-3 + total.h.norm()));
      inertia.add(round_residue(Matrix3(total.J - part.J), 1e-6 + total.J.norm()));
    }
    const int products = inertia.is_nonzero(1) + inertia.is_nonzero(2) + inertia.is_nonzero(5);
    return 9.0 * first_moment.nonzeros() + 6.0 * products;
  }

  double local_cost(const Limbs& limbs) const {
    double cost = joint_cost(limbs) + inertia_cost(limbs);
    std::vector<std::size_t> counted;
    for (const int c : children_[index(limbs.front())]) {
      const std::size_t place = place_[index(c)];
      if (std::find(counted.begin(), counted.end(), place) != counted.end()) continue;
      counted.push_back(place);
      cost += joint_cost(together_[place]);
    }
    return cost;
  }

  void improve(const Limbs& limbs) {
    if (!joint(limbs.front()).row().has_one_axis()) return;
    try_all(limbs, [this](int i) { return turned_frames(i); });
    if (limbs.size() > 1) try_half_turns(limbs);
    try_all(limbs, [this](int i) { return shifted_frames(i); });
  }

  template <class Frames>
  void try_all(const Limbs& limbs, const Frames& frames_of) {
    std::vector<Candidates> candidates;
    for (const int i : limbs) candidates.push_back(frames_of(i));
    double best = local_cost(limbs);
    for (std::size_t k = 0; k < candidates.front().size(); ++k) {
      std::vector<Placement> frames;
      for (const Candidates& list : candidates) {
        if (k < list.size() && list[k]) frames.push_back(*list[k]);
      }
      if (frames.size() == limbs.size()) try_frames(limbs, frames, best);
    }
  }

  /// In mirrored limbs, x may have to point the other way.
  void try_half_turns(const Limbs& limbs) {
    double best = local_cost(limbs);
    for (const int turned : limbs) {
      std::vector<Placement> frames;
      for (const int i : limbs) {
        frames.push_back(frame(i));
        if (i == turned) frames.back().R *= Vector3(-1.0, -1.0, 1.0).asDiagonal();
      }
      try_frames(limbs, frames, best);
    }
  }

  void try_frames(const Limbs& limbs, const std::vector<Placement>& frames, double& best) {
    std::vector<Placement> kept;
    std::vector<Inertia> kept_parts;
    for (std::size_t k = 0; k < limbs.size(); ++k) {
      const int i = limbs[k];
      kept.push_back(frame(i));
      kept_parts.push_back(moved_[index(i)]);
      frame(i) = frames[k];
      moved_[index(i)] = unidentifiable_part(joint(i), total_inertia(i));
    }
    const double cost = local_cost(limbs);
    if (cost < best - 1e-9) {
      best = cost;
      return;
    }
    for (std::size_t k = 0; k < limbs.size(); ++k) {
      frame(limbs[k]) = kept[k];
      moved_[index(limbs[k])] = kept_parts[k];
    }
  }

  /// Turns about z that align x with a child's axis or offset, the first moment, or the parent's axes.
  Candidates turned_frames(int i) const {
    std::vector<Vector3> directions;
    for (const int c : children_[index(i)]) {
      const Placement X = relative(c);
      directions.push_back(X.R.col(2));
      directions.push_back(X.p);
    }
    directions.push_back(total_inertia(i).h);
    const Placement X = relative(i);
    for (int k = 0; k < 3; ++k) directions.push_back(X.R.row(k).transpose());
    Candidates frames;
    for (const Vector3& d : directions) {
      frames.emplace_back();
      if (d.head<2>().norm() < 1e-9) continue;
      frames.back() = frame(i) * Placement{rotation_z(std::atan2(d.y(), d.x())), Vector3::Zero()};
    }
    return frames;
  }

  /// Origins along the axis (anywhere, for a prismatic joint) that zero some offset, no farther from where the URDF has
  /// them than the robot is large. On a nearly parallel axis the point that zeroes an offset is kilometres away:
  /// results would be small differences of large numbers (six digits lost at 3.1416 for a half turn).
  Candidates shifted_frames(int i) const {
    constexpr double least_slope = 0.125;  // an axis within 7 degrees of the plane k = 0 does not get there
    std::vector<std::optional<Vector3>> shifts;
    const Placement X = relative(i);
    for (int k = 0; k < 3; ++k) {
      shifts.emplace_back();
      if (std::abs(X.R(k, 2)) > least_slope) shifts.back() = Vector3::UnitZ() * (-X.p[k] / X.R(k, 2));
    }
    const bool anywhere = joint(i).row().num_turns() == 0;
    if (anywhere) shifts.push_back(-(X.R.transpose() * X.p));
    for (const int c : children_[index(i)]) {
      const Vector3 p = relative(c).p;
      shifts.push_back(anywhere ? p : Vector3(Vector3::UnitZ() * p.z()));
    }
    const Inertia I = total_inertia(i);
    if (anywhere && I.mass > 0.0) shifts.push_back(I.h / I.mass);
    Candidates frames;
    for (const std::optional<Vector3>& shift : shifts) {
      frames.emplace_back();
      if (!shift) continue;
      const Placement shifted = frame(i) * Placement{Matrix3::Identity(), *shift};
      if (shifted.p.norm() <= size_) frames.back() = shifted;
    }
    return frames;
  }

  const Tree& tree_;
  const std::vector<std::vector<int>>& together_;
  double size_;
  std::vector<Placement> G_;
  std::vector<Inertia> moved_;  ///< what regrouping passes from body i to its parent, in i's canonical frame
  std::vector<std::vector<int>> children_;
  std::vector<std::size_t> place_;  ///< by body: index in together_
};

}  // namespace

double robot_size(const Tree& tree) {
  double size = 0.0;
  std::vector<double> reach(tree.bodies.size(), 0.0);  // from a body's origin outwards, along the tree
  for (const Link& link : tree.links) {
    if (link.body < 0 || link.mass <= 0.0) continue;
    double& farthest = reach[static_cast<std::size_t>(link.body)];
    farthest = std::max(farthest, (link.placement.R * link.com + link.placement.p).norm());
  }
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    size = std::max(size, reach[i]);
    if (tree.bodies[i].parent < 0) continue;
    double& farthest = reach[static_cast<std::size_t>(tree.bodies[i].parent)];
    const double through_i = tree.bodies[i].joint.placement.p.norm() + reach[i];
    size = std::max(size, farthest + through_i);
    farthest = std::max(farthest, through_i);
  }
  return size;
}

std::vector<Placement> choose_frames(const Tree& tree) { return choose_frames(tree, unfolded(tree)); }

std::vector<Placement> choose_frames(const Tree& tree, const Folding& folding) {
  std::vector<std::vector<int>> together;
  for (const FoldedBody& body : folding.bodies) together.push_back(body.members);
  return FrameChoice(tree, together).run();
}

std::vector<Placement> plain_frames(const Tree& tree) {
  std::vector<Placement> frames(tree.bodies.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Joint& joint = tree.bodies[i].joint;
    if (joint.row().has_one_axis()) frames[i].R = align_z(joint.axis);
  }
  return frames;
}

}  // namespace featherline::model
