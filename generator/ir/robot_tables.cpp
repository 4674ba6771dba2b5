#include "ir/robot_tables.hpp"

#include "support/index.hpp"

#include <featherline/detail/tree_relations.hpp>

#include <algorithm>
#include <numeric>

namespace featherline::ir {

void AxisTable::add(const AxisInfo& axis, double multiplier) {
  axes.push_back(axis);
  multipliers.push_back(multiplier);
  path_lengths.push_back(axis.count + (axis.parent < 0 ? 0 : path_lengths[index(axis.parent)]));
  num_axes = static_cast<int>(axes.size());
  max_path = std::max(max_path, path_lengths.back());
}

double AxisTable::num_pairs() const { return std::accumulate(path_lengths.begin(), path_lengths.end(), 0.0); }

double AxisTable::num_triples() const {
  double triples = 0.0;
  for (const int length : path_lengths) triples += length * (length + 1.0) / 2.0;
  return triples;
}

std::vector<double> AxisTable::num_related() const {
  std::vector<double> related(path_lengths.begin(), path_lengths.end());
  std::vector<double> below(axes.size(), 0.0);  // by first axis of a joint
  for (int k = num_axes; k-- > 0;) {
    const AxisInfo& joint = axes[index(k)];
    related[index(k)] += below[index(joint.first)];
    if (joint.first == k && joint.parent >= 0)
      below[index(axes[index(joint.parent)].first)] += joint.count + below[index(k)];
  }
  return related;
}

std::vector<double> AxisTable::num_connected() const {
  std::vector<int> root;
  std::vector<double> sizes(axes.size(), 0.0), connected;
  for (const AxisInfo& axis : axes) {
    root.push_back(axis.parent < 0 ? axis.first : root[index(axis.parent)]);
    sizes[index(root.back())] += 1.0;
  }
  for (const int k : root) connected.push_back(sizes[index(k)]);
  return connected;
}

double AxisTable::num_related_pairs() const {
  double pairs = 0.0;
  for (int k = 0; k < num_axes; ++k) pairs += 2.0 * path_lengths[index(k)] - axes[index(k)].count;
  return pairs;
}

std::vector<double> AxisTable::num_above() const {
  std::vector<double> above;
  for (int k = 0; k < num_axes; ++k) above.push_back(path_lengths[index(k)] - axes[index(k)].count);
  return above;
}

std::vector<bool> AxisTable::related() const {
  const bool full = coupled && !detail::coordinates_form_tree(axes.data(), num_axes);
  std::vector<bool> related(index(nv * nv), full);
  for (const AxisInfo& axis : axes) {
    const int i = axis.idx_v;
    for (int t = axis.first; t >= 0; t = axes[index(t)].parent) {
      const int first = axes[index(t)].first;
      for (int c = first; c < first + axes[index(t)].count; ++c) {
        const int k = axes[index(c)].idx_v;
        related[index(i * nv + k)] = related[index(k * nv + i)] = true;
      }
    }
  }
  return related;
}

detail::LimbBlocks AxisTable::limb_blocks() const {
  if (nv < detail::block_size || nv > detail::most_block_coordinates) return {};
  const std::vector<bool> pairs = related();
  return detail::limb_blocks_of(nv, [&](int i, int k) { return pairs[index(i * nv + k)]; });
}

void PanelTable::finish() {
  num_slots = static_cast<int>(parents.size());
  num_bodies = static_cast<int>(bodies.size());
  max_places = num_slots + num_roots;
  single_axes = std::ranges::all_of(bodies, [](const PanelBody& body) { return body.first == body.last; });
  turns_only = std::ranges::all_of(turns, [](double turn) { return turn == 1.0; }) &&
               std::ranges::all_of(slides, [](double slide) { return slide == 0.0; });
  placements_vary = std::ranges::any_of(bodies, [](const PanelBody& body) { return body.placement >= 0; });
  const auto columns = index((max_places + 7) / 8 * 8);
  turns.resize(columns);
  slides.resize(columns);
  for (std::vector<double>& row : inertias) row.resize(columns);
}

int PanelTable::size_of_joints() const {
  int num_varying = 0;
  for (const PanelBody& body : bodies) num_varying = std::max(num_varying, body.placement + 1);
  return 2 * num_bodies + 3 * num_roots + 12 * num_varying;
}

int PanelTable::count(int begin, int end) const {
  int slots = 0;
  for (int r = begin; r < end; ++r) slots += ranges[index(r)].count;
  return slots;
}

}  // namespace featherline::ir
