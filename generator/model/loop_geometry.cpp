#include "model/clusters.hpp"

#include "support/diagnostic.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace featherline::model {
namespace {

constexpr double no_length = 1e-9;  ///< beside the size of a loop; and beside 1, of directions
const char* const stays = "leave eliminate out: the loop then is a constraint of constrained_dynamics";

struct Problem {
  std::string what, remedy;
};

/// A joint on the way from one end of the loop to the other.
struct Member {
  int body;
  int depth;       ///< from the body where both ends meet
  bool is_inward;  ///< the way goes from the joint's child to its parent
};

class Geometry {
 public:
  Geometry(const UserTree& tree, const Constraint& loop, const description::Constraint& read,
           const std::vector<bool>& taken)
      : tree_(tree), loop_(loop), read_(read), taken_(taken) {}

  std::vector<ClusterStep> steps() {
    if (loop_.type == ConstraintType::loop_weld)
      throw Problem{"is a weld, and only loops that close with a pin can be eliminated", stays};
    find_members();
    choose_dependents();
    find_plane();
    PlanarLoop planar = chain();
    if (read_.branch == 0 && is_parallelogram(planar)) return {sum(planar, true), sum(planar, false)};
    if (!planar.chain[planar.first].turns) reverse(planar);
    if (!planar.chain[planar.first].turns)
      throw Problem{"has two slides that would follow from other joints",
                    "choose one of them with independent=\"...\""};
    set_branch(planar);
    return {planar};
  }

 private:
  const Joint& joint(int body) const { return tree_.bodies[index(body)].joint; }
  const Joint& joint(const Member& member) const { return joint(member.body); }

  std::vector<int> path_from_root(int body) const {
    std::vector<int> path;
    for (; body >= 0; body = tree_.bodies[index(body)].parent) path.insert(path.begin(), body);
    return path;
  }

  void find_members() {
    const std::vector<int> to_first = path_from_root(body_of(tree_, loop_.anchors[0])),
                           to_second = path_from_root(body_of(tree_, loop_.anchors[1]));
    const auto shared = std::ranges::mismatch(to_first, to_second).in1 - to_first.begin();
    for (auto k = std::ssize(to_first); k-- > shared;)
      members_.push_back({to_first[static_cast<std::size_t>(k)], static_cast<int>(k - shared), true});
    for (auto k = shared; k < std::ssize(to_second); ++k)
      members_.push_back({to_second[static_cast<std::size_t>(k)], static_cast<int>(k - shared), false});
    for (const Member& member : members_) {
      const JointRow& row = joint(member).row();
      const bool is_plain = row.has_one_axis() && !row.needs_pitch() && joint(member).mimics < 0;
      if (!is_plain)
        throw Problem{fmt::format("has joint {}, and only loops of hinges and slides with coordinates of "
                                  "their own can be eliminated",
                                  in_quotes(joint(member).name)),
                      stays};
    }
  }

  void choose_dependents() {
    std::vector<const Member*> open;
    std::vector<std::string> names;
    for (const Member& member : members_) {
      if (taken_[index(member.body)]) continue;
      open.push_back(&member);
      names.push_back(joint(member).name);
    }
    for (const std::string& name : read_.independent) {
      if (std::ranges::count(names, name) == 0)
        throw Problem{fmt::format("cannot have joint {} independent", in_quotes(name)),
                      names.empty() ? "leave it out" : "choose among " + quoted_list(names)};
    }
    const auto stays_free = [&](const Member* m) {
      return std::ranges::count(read_.independent, joint(*m).name) > 0;
    };
    if (members_.size() < 3)
      throw Problem{"is over-determined: a loop of " + std::to_string(members_.size()) +
                        " joints and a pin cannot move",
                    "remove the loop, and hold these joints with --lock"};
    if (open.size() < 2)
      throw Problem{"ties joints that follow from other loops already: together they are over-determined",
                    "eliminate fewer loops"};
    std::ranges::stable_sort(open, [&](const Member* a, const Member* b) {
      if (stays_free(a) != stays_free(b)) return stays_free(a);
      return a->depth != b->depth ? a->depth < b->depth : a->body < b->body;
    });
    for (const Member* member : {open[open.size() - 2], open.back()}) {
      if (stays_free(member))
        throw Problem{fmt::format("names {} joints independent, and {} of its joints follow from the others",
                                  read_.independent.size(), 2),
                      fmt::format("name {} of {}", open.size() - 2, quoted_list(names))};
      dependent_[dependent_[0] >= 0 ? 1 : 0] = static_cast<int>(member - members_.data());
    }
    std::ranges::sort(dependent_);
  }

  /// At zero, in the frame of the body where both ends meet.
  Placement pose(int body) const {
    if (std::ranges::find(members_, body, &Member::body) == members_.end()) return {};
    const Body& own = tree_.bodies[index(body)];
    return pose(own.parent) * own.joint.placement;
  }
  Vector3 axis(const Member& member) const { return pose(member.body).R * joint(member).axis; }
  Vector3 anchor(int end) const {
    const Anchor& at = loop_.anchors[static_cast<std::size_t>(end)];
    return (pose(body_of(tree_, at)) * frame_in_body(tree_, at)).p;
  }

  /// The axis of the later dependent joint, or of another one that turns.
  void find_plane() {
    std::vector<int> order{dependent_[1], dependent_[0]};
    for (int k = 0; k < static_cast<int>(members_.size()); ++k) order.push_back(k);
    const auto hinge = std::ranges::find_if(order, [&](int k) { return turns(members_[index(k)]); });
    if (hinge == order.end()) throw Problem{"has no hinge", stays};
    normal_ = axis(members_[index(*hinge)]);
    for (const Member& member : members_) {
      const double along = axis(member).dot(normal_), off = axis(member).cross(normal_).norm();
      if (turns(member) ? off > no_length : std::abs(along) > no_length)
        throw Problem{
            fmt::format("does not lie in a plane, for joint {} {}; only planar loops can be eliminated",
                        in_quotes(joint(member).name),
                        turns(member) ? "is not parallel to its other hinges" : "slides across it"),
            stays};
    }
    if (loop_.type == ConstraintType::loop_axis) {
      const Placement end = pose(body_of(tree_, loop_.anchors[0])) * frame_in_body(tree_, loop_.anchors[0]);
      if (Vector3(end.R.col(2)).cross(normal_).norm() > no_length)
        throw Problem{"has an axis that is not parallel to its hinges, so it cannot be assembled",
                      "correct the axis"};
    }
    origin_ = pose(members_[index(*hinge)].body).p;
    ex_ = normal_.unitOrthogonal();
    if (const Vector3 x = Vector3::UnitX() - normal_.x() * normal_; x.norm() > 0.5) ex_ = x.normalized();
    ey_ = normal_.cross(ex_);
  }
  bool turns(const Member& member) const { return joint(member).row().num_turns() > 0; }
  PlanarVector<double> along_plane(const Vector3& z) const { return {ex_.dot(z), ey_.dot(z)}; }
  /// Measured from a hinge of the loop. From far away, lengths of bars would lose digits, and near positions where the
  /// loop is stretched all results a thousand times as many.
  PlanarVector<double> in_plane(const Vector3& p) const { return along_plane(p - origin_); }

  PlanarLoop chain() {
    PlanarLoop planar;
    planar.first = static_cast<std::size_t>(dependent_[0]);
    planar.second = static_cast<std::size_t>(dependent_[1]);
    planar.start = in_plane(anchor(0));
    planar.end = in_plane(anchor(1));
    for (const Member& member : members_) {
      const double passed = member.is_inward ? -1.0 : 1.0;
      const bool is_hinge = turns(member);
      planar.chain.push_back({joint(member).all, is_hinge,
                              is_hinge ? passed * (axis(member).dot(normal_) > 0.0 ? 1.0 : -1.0) : passed,
                              is_hinge ? in_plane(pose(member.body).p) : along_plane(axis(member))});
    }
    double size = 0.0;
    for (const auto& link : planar.chain) {
      const PlanarVector<double> way = link.at - planar.end;
      if (link.turns) size = std::max(size, std::hypot(way.x, way.y));
    }
    planar.size = size > 0.0 ? size : 1.0;
    if (std::abs(normal_.dot(anchor(0) - anchor(1))) > no_length * planar.size)
      throw Problem{"cannot be assembled: its two ends move in different planes",
                    "correct the places of <first> and <second>"};
    return planar;
  }

  // ---- parallelograms ----

  /// Of the joints between the dependent ones, which have to turn: the chain's sum of angles.
  static LinearStep sum(const PlanarLoop& planar, bool of_first) {
    const PlanarLoop::Link& of = planar.chain[of_first ? planar.first : planar.second];
    LinearStep step{of.of, {}, 0.0};
    for (std::size_t k = planar.first + 1; k < planar.second; ++k)
      step.terms.push_back({planar.chain[k].of, -of.sign * planar.chain[k].sign});
    if (of_first) step.bars = std::make_shared<PlanarLoop>(planar);
    return step;
  }

  /// Whether the chain closes wherever both dependent joints undo what the joints between them turn by.
  static bool is_parallelogram(const PlanarLoop& planar) {
    for (std::size_t k = planar.first; k <= planar.second; ++k) {
      if (!planar.chain[k].turns) return false;
    }
    if (planar.second == planar.first + 1) return false;
    for (int sample = 0; sample < 4; ++sample) {
      std::vector<double> angles;
      double between = 0.0;
      for (std::size_t k = 0; k < planar.chain.size(); ++k) {
        angles.push_back(0.3 + 0.7 * static_cast<double>((k + 1) * static_cast<std::size_t>(sample)));
        if (k > planar.first && k < planar.second) between += planar.chain[k].sign * angles[k];
      }
      PlanarMotion<double> X;
      for (std::size_t k = 0; k < planar.chain.size(); ++k) {
        const PlanarLoop::Link& link = planar.chain[k];
        const bool follows = k == planar.first || k == planar.second;
        const double x = follows ? -link.sign * between : angles[k];
        X = X * PlanarLoop::motion_of<double>(link, {std::cos(x), std::sin(x), x});
      }
      const PlanarVector<double> open = X * planar.end - planar.start;
      if (std::hypot(open.x, open.y) > 1e-12 * planar.size) return false;
    }
    return true;
  }

  /// The same chain from its other end.
  static void reverse(PlanarLoop& planar) {
    std::ranges::reverse(planar.chain);
    for (PlanarLoop::Link& link : planar.chain) link.sign = -link.sign;
    std::swap(planar.start, planar.end);
    const std::size_t first = planar.first;
    planar.first = planar.chain.size() - 1 - planar.second;
    planar.second = planar.chain.size() - 1 - first;
  }

  /// The sign of n . ((b - a) x (pin - b)) where a and b are the dependent hinges and n the axis of b, or of (pin - a)
  /// along a dependent slide.
  void set_branch(PlanarLoop& planar) const {
    const PlanarLoop::Link& second = planar.chain[planar.second];
    if (read_.branch != 0) {
      planar.branch = read_.branch * (second.turns ? 1.0 : second.sign);
      return;
    }
    const PlanarVector<double> open = planar.end - planar.start, a = planar.chain[planar.first].at;
    if (std::hypot(open.x, open.y) > 1e-6 * planar.size)
      throw Problem{"is open where all joints stand at zero, so nothing says which way it is assembled",
                    "add branch=\"1\" or branch=\"-1\""};
    const double side = second.turns ? cross(second.at - a, planar.end - second.at) / planar.size
                                     : dot(planar.end - a, second.at * second.sign);
    if (std::abs(side) < 1e-6 * planar.size)
      throw Problem{"is stretched where all joints stand at zero, so nothing says which way it is assembled",
                    "add branch=\"1\" or branch=\"-1\""};
    planar.branch = side > 0.0 ? 1.0 : -1.0;
  }

  const UserTree& tree_;
  const Constraint& loop_;
  const description::Constraint& read_;
  const std::vector<bool>& taken_;
  std::vector<Member> members_;
  std::array<int, 2> dependent_{-1, -1};  ///< in members_, in the order of the way
  Vector3 normal_, ex_, ey_, origin_;
};

}  // namespace

LoopGeometry loop_geometry(const UserTree& tree, const Constraint& loop, const description::Constraint& read,
                           const std::vector<bool>& taken) {
  try {
    return {Geometry(tree, loop, read, taken).steps(), {}, {}};
  } catch (const Problem& problem) { return {{}, problem.what, problem.remedy}; }
}

}  // namespace featherline::model
