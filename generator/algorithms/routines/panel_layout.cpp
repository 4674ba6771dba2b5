#include "algorithms/dynamics/dynamics.hpp"
#include "model/canonical.hpp"
#include "support/index.hpp"

#include <algorithm>
#include <array>

namespace featherline::algorithms {
namespace {

using model::Body;

std::array<double, 10> entries_of(const model::Inertia& I) {
  return {I.mass,    I.h.x(),   I.h.y(),   I.h.z(),   I.J(0, 0),
          I.J(0, 1), I.J(0, 2), I.J(1, 1), I.J(1, 2), I.J(2, 2)};
}

std::array<double, 12> entries_of(const model::Placement& X) {
  std::array<double, 12> entries{};
  std::copy_n(X.R.data(), 9, entries.begin());  // both column-major
  std::copy_n(X.p.data(), 3, entries.begin() + 9);
  return entries;
}

class Builder {
 public:
  Builder(const model::CanonicalTree& tree, PanelLayout& layout)
      : tree_(model::regroup_inertias(tree, model::Grouping::J_xx)),
        layout_(layout),
        table_(layout.table),
        children_(children_by_parent(tree)),
        last_slots_(tree.bodies.size(), -1) {}

  void build() {
    table_.nv = tree_.nv;
    table_.floating = has_floating_base(tree_);
    layout_.roots = children_.front();
    table_.num_roots = static_cast<int>(layout_.roots.size());
    add_all_slots();
    place_roots();
    if (table_.floating) add_inertia(entries_of(body(0).inertia));
    add_bodies();
    add_segments();
    table_.finish();
  }

 private:
  int num_bodies() const { return static_cast<int>(tree_.bodies.size()); }
  const Body& body(int i) const { return tree_.bodies[index(i)]; }
  int& last_slot(int i) { return last_slots_[index(i)]; }
  bool is_base(int i) const { return table_.floating && i == 0; }
  int num_slots() const { return static_cast<int>(table_.parents.size()); }
  void add_inertia(const std::array<double, 10>& entries) {
    for (std::size_t k = 0; k < entries.size(); ++k) table_.inertias[k].push_back(entries[k]);
  }

  /// Depth first, with a stack of its own, because trees can be deep.
  void add_all_slots() {
    std::vector<int> open(layout_.roots.rbegin(), layout_.roots.rend());
    while (!open.empty()) {
      const int i = open.back();
      open.pop_back();
      add_slots(i);
      const std::vector<int>& children = children_[index(i + 1)];
      open.insert(open.end(), children.rbegin(), children.rend());
    }
  }

  void add_slots(int i) {
    const model::Joint& joint = body(i).joint;
    const int parent = body(i).parent < 0 ? -1 : last_slot(body(i).parent), first = num_slots();
    int before = parent;
    for (int k = 0; k < joint.nv && !is_base(i); ++k) {
      const model::Motion& motion = joint.row().motions[index(k)];
      int direction = 0;
      joint.direction(motion.along).cwiseAbs().maxCoeff(&direction);
      const bool is_last = k + 1 == joint.nv;
      table_.parents.push_back(before);
      table_.coordinates.push_back(joint.idx_v + k);
      table_.joints.push_back(first);
      table_.directions.push_back(direction);
      table_.turns.push_back(motion.turns() ? joint.multiplier : 0.0);
      table_.slides.push_back(!motion.slides() ? 0.0
                                               : joint.multiplier * (motion.turns() ? joint.pitch : 1.0));
      add_inertia(is_last ? entries_of(body(i).inertia) : std::array<double, 10>{});
      before = num_slots() - 1;
    }
    last_slot(i) = before;
  }

  /// The places of the roots come behind all slots.
  void place_roots() {
    int root = -1;
    for (int& parent : table_.parents) {
      if (parent >= 0) continue;
      root += table_.floating && root == 0 ? 0 : 1;
      parent = num_slots() + root;
    }
    if (table_.floating) last_slot(0) = num_slots();
  }

  /// Level by level: the processor then has several chains to work on at once.
  void add_bodies() {
    std::vector<int> list = table_.floating ? children_[1] : layout_.roots;
    for (std::size_t k = 0; k < list.size(); ++k) {
      add_body(list[k]);
      const std::vector<int>& behind = children_[index(list[k] + 1)];
      list.insert(list.end(), behind.begin(), behind.end());
    }
  }

  void add_body(int i) {
    const model::Joint& joint = body(i).joint;
    const int last = last_slot(i), first = last - joint.nv + 1;
    const bool is_root = body(i).parent < 0;  // its frame is the one that its subtree is expressed in
    const bool varies = !is_root && (joint.nv > 1 || joint.row().num_turns() == 0 || joint.pitch != 0.0);
    table_.bodies.push_back(
        {table_.parents[index(first)], first, last, varies ? static_cast<int>(layout_.varying.size()) : -1});
    table_.placements.push_back(entries_of(is_root ? model::Placement{} : joint.placement));
    layout_.bodies.push_back(i);
    if (varies) layout_.varying.push_back(i);
  }

  bool continues(int slot) const {
    const auto k = index(slot);
    return table_.parents[k] == slot - 1 && table_.coordinates[k] == table_.coordinates[k - 1] + 1 &&
           std::ranges::count(table_.parents, slot - 1) == 1;
  }

  void add_segments() {
    for (int first = 0, end = 0; first < num_slots(); first = end) {
      for (end = first + 1; end < num_slots() && continues(end);) ++end;
      std::vector<int> path;
      for (int k = table_.parents[index(first)]; k < num_slots(); k = table_.parents[index(k)])
        path.insert(path.begin(), k);
      const auto [above, above_end] = add_ranges(path);
      const auto [below, below_end] = add_ranges(spaced_places(first, end_of_subtree(first) - first));
      table_.segments.push_back(
          {first, end - first, table_.coordinates[index(first)], above, above_end, below, below_end});
    }
    std::tie(table_.all_begin, table_.all_end) = add_ranges(spaced_places(0, num_slots()));
  }

  int end_of_subtree(int slot) const {
    int end = slot + 1;
    while (end < num_slots() && table_.parents[index(end)] >= slot && table_.parents[index(end)] < end) ++end;
    return end;
  }

  /// The first range of these slots, and the end.
  std::pair<int, int> add_ranges(const std::vector<int>& slots) {
    std::vector<PanelRange>& ranges = table_.ranges;
    const std::size_t begin = ranges.size();
    for (const int slot : slots) {
      const int row = table_.coordinates[index(slot)];
      const bool follows = ranges.size() > begin && slot == ranges.back().first + ranges.back().count &&
                           row == ranges.back().row + ranges.back().count;
      if (follows)
        ++ranges.back().count;
      else
        ranges.push_back({slot, 1, row});
    }
    return {static_cast<int>(begin), static_cast<int>(ranges.size())};
  }

  model::CanonicalTree tree_;
  PanelLayout& layout_;
  ir::PanelTable& table_;
  std::vector<std::vector<int>> children_;
  std::vector<int> last_slots_;
};

}  // namespace

PanelLayout::PanelLayout(const model::CanonicalTree& tree) { Builder(tree, *this).build(); }

}  // namespace featherline::algorithms
