#include "model/canonical.hpp"

#include "support/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

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
  const double shift = body.parent < 0 ? 0.0 : frames[index(body.parent)].p.norm();
  return std::max(std::min(1.0, size), body.joint.placement.p.norm() + shift + frames[i].p.norm());
}

namespace {

/// Entries of equal limbs, one after the other. An entry counts as zero if it is zero in all limbs.
class SharedEntries {
 public:
  template <class M>
  void add(const M& x) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(x.size()); ++k) {
      const double entry = x.data()[k];
      nonzero_[k] = nonzero_[k] || entry != 0.0;
      differs_[k] = differs_[k] || (count_ > 0 && entry != first_[k]);
      if (count_ == 0) first_[k] = entry;
    }
    ++count_;
  }
  int nonzeros() const { return static_cast<int>(std::ranges::count(nonzero_, true)); }
  bool is_nonzero(std::size_t k) const { return nonzero_[k]; }
  /// Entries that are not the same number in all limbs.
  int differing() const { return static_cast<int>(std::ranges::count(differs_, true)); }

 private:
  std::array<bool, 9> nonzero_{}, differs_{};
  std::array<double, 9> first_{};
  int count_ = 0;
};

/// Chooses frames of bodies that have the same place in equal limbs together: they try the same candidates at once.
class FrameChoice {
 public:
  FrameChoice(const Tree& tree, const Folding& folding, std::vector<Placement> frames)
      : tree_(tree),
        folding_(folding),
        size_(robot_size(tree)),
        frames_(std::move(frames)),
        moved_(tree.bodies.size()),
        children_(children_by_parent(tree)),
        limbs_of_first_(tree.bodies.size(), nullptr) {
    for (const FoldedBody& body : folding.bodies)
      limbs_of_first_[index(body.members.front())] = &body.members;
  }

  std::vector<Placement> run() {
    constexpr int sweeps = 3;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (int i = static_cast<int>(tree_.bodies.size()); i-- > 0;) pass_on(i);
      for (const FoldedBody& body : folding_.bodies) improve(body.members);
    }
    return std::move(frames_);
  }

 private:
  using Limbs = std::vector<int>;  // bodies with the same place, one of each limb
  using Candidates = std::vector<std::optional<Placement>>;

  const Joint& joint(int i) const { return tree_.bodies[index(i)].joint; }
  int parent(int i) const { return tree_.bodies[index(i)].parent; }
  const Placement& frame(int i) const { return frames_[index(i)]; }

  /// Constant placement of body i's frame in its parent's, both canonical.
  Placement relative(int i) const {
    const Placement X = joint(i).placement * frame(i);
    return parent(i) < 0 ? X : frame(parent(i)).inverse() * X;
  }

  /// Inertia of body i in its canonical frame with what its children pass on.
  Inertia total_inertia(int i) const {
    Inertia total = tree_.bodies[index(i)].inertia.expressed_in(frame(i).inverse());
    for (const int c : children_[index(i + 1)]) total += moved_[index(c)].expressed_in(relative(c));
    return total;
  }
  void pass_on(int i) { moved_[index(i)] = unidentifiable_part(joint(i).row(), total_inertia(i)); }

  double joint_cost(const Limbs& limbs) const {
    SharedEntries rotation, offset;
    bool turned = false;
    for (const int i : limbs) {
      const JointFrame X = split_offset(joint(i), relative(i));
      rotation.add(X.X.R);
      offset.add(round_residue(X.X.p, offset_scale(tree_, frames_, index(i), size_)));
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
    SharedEntries first_moment, inertia;
    for (const int i : limbs) {
      const Inertia total = total_inertia(i);
      const Inertia part = unidentifiable_part(joint(i).row(), total);
      first_moment.add(round_residue(Vector3(total.h - part.h), 1e-3 + total.h.norm()));
      inertia.add(round_residue(Matrix3(total.J - part.J), 1e-6 + total.J.norm()));
    }
    const int products = inertia.is_nonzero(1) + inertia.is_nonzero(2) + inertia.is_nonzero(5);
    return 9.0 * first_moment.nonzeros() + 6.0 * products;
  }

  double local_cost(const Limbs& limbs) const {
    double cost = joint_cost(limbs) + inertia_cost(limbs);
    for (const int c : children_[index(limbs.front() + 1)]) {
      if (const Limbs* below = limbs_of_first_[index(c)]) cost += joint_cost(*below);
    }
    return cost;
  }

  void improve(const Limbs& limbs) {
    if (!joint(limbs.front()).row().has_one_axis()) return;
    try_all(limbs, [this](int i) { return turns(i); });
    if (limbs.size() > 1) try_half_turns(limbs);
    try_all(limbs, [this](int i) { return shifts(i); });
  }

  /// `changes_of` gives poses of frames in the present one, as many in each limb. A frame that is farther from where
  /// the URDF has it than the robot is large is out. On a nearly parallel axis the point that zeroes an offset is
  /// kilometres away: results would be small differences of large numbers (six digits lost at 3.1416 for a half turn).
  template <class Changes>
  void try_all(const Limbs& limbs, const Changes& changes_of) {
    std::vector<Candidates> candidates;
    for (const int i : limbs) {
      for (std::optional<Placement>& X : candidates.emplace_back(changes_of(i))) {
        if (X) X = frame(i) * *X;
        if (X && X->p.norm() > size_) X.reset();
      }
    }
    double best = local_cost(limbs);
    for (std::size_t k = 0; k < candidates.front().size(); ++k) {
      std::vector<Placement> frames;
      for (const Candidates& list : candidates) {
        if (list[k]) frames.push_back(*list[k]);
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
    std::vector<std::pair<Placement, Inertia>> kept;
    for (std::size_t k = 0; k < limbs.size(); ++k) {
      const std::size_t i = index(limbs[k]);
      kept.emplace_back(frames_[i], moved_[i]);
      frames_[i] = frames[k];
      pass_on(limbs[k]);
    }
    const double cost = local_cost(limbs);
    if (cost < best - 1e-9) {
      best = cost;
      return;
    }
    for (std::size_t k = 0; k < limbs.size(); ++k)
      std::tie(frames_[index(limbs[k])], moved_[index(limbs[k])]) = kept[k];
  }

  /// Turns about z that align x with a child's axis or offset, the first moment, or the parent's axes.
  Candidates turns(int i) const {
    std::vector<Vector3> directions;
    for (const int c : children_[index(i + 1)]) {
      const Placement X = relative(c);
      directions.push_back(X.R.col(2));
      directions.push_back(X.p);
    }
    directions.push_back(total_inertia(i).h);
    const Placement X = relative(i);
    for (int k = 0; k < 3; ++k) directions.push_back(X.R.row(k).transpose());
    Candidates list(directions.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Vector3& d = directions[k];
      if (d.head<2>().norm() >= 1e-9) list[k] = {rotation_z(std::atan2(d.y(), d.x())), Vector3::Zero()};
    }
    return list;
  }

  /// Ways along the axis (anywhere, for a prismatic joint) to where some offset is zero.
  Candidates shifts(int i) const {
    constexpr double least_slope = 0.125;  // an axis within 7 degrees of the plane k = 0 does not get there
    Candidates list;
    const auto add = [&](bool is_possible, const Vector3& shift) {
      list.emplace_back();
      if (is_possible) list.back() = {Matrix3::Identity(), shift};
    };
    const Placement X = relative(i);
    for (int k = 0; k < 3; ++k)
      add(std::abs(X.R(k, 2)) > least_slope, Vector3::UnitZ() * (-X.p[k] / X.R(k, 2)));
    const bool anywhere = joint(i).row().num_turns() == 0;
    add(anywhere, -(X.R.transpose() * X.p));
    for (const int c : children_[index(i + 1)]) {
      const Vector3 p = relative(c).p;
      add(true, anywhere ? p : Vector3(Vector3::UnitZ() * p.z()));
    }
    const Inertia I = total_inertia(i);
    add(anywhere && I.mass > 0.0, I.h / I.mass);
    return list;
  }

  const Tree& tree_;
  const Folding& folding_;
  double size_;
  std::vector<Placement> frames_;
  std::vector<Inertia> moved_;  ///< what regrouping passes from body i to its parent, in i's canonical frame
  std::vector<std::vector<int>> children_;
  std::vector<const Limbs*> limbs_of_first_;  ///< by body; null unless it is the first of its limbs
};

}  // namespace

std::vector<Placement> canonical_frames(const Tree& tree, const Folding& folding,
                                        std::vector<Placement> frames) {
  return FrameChoice(tree, folding, std::move(frames)).run();
}

}  // namespace featherline::model
