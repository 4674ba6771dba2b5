#include "algorithms/routines/tree_axes.hpp"

#include "model/canonical.hpp"

#include <algorithm>
#include <numeric>

namespace featherline::algorithms {

bool has_no_mimic(const model::Tree& tree) {
  return std::none_of(tree.bodies.begin(), tree.bodies.end(),
                      [](const model::Body& body) { return body.joint.mimics >= 0; });
}

TreeAxes::TreeAxes(const model::Tree& tree) {
  const model::Tree split = model::split_joints(tree);
  std::vector<int> last_joint;  // by body: first axis of the nearest joint that has one, at or above
  for (const model::Body& body : split.bodies) {
    const int first = size(), count = body.joint.nv;
    const int parent = body.parent < 0 ? -1 : last_joint[static_cast<std::size_t>(body.parent)];
    const int above = parent < 0 ? 0 : path_lengths_[static_cast<std::size_t>(parent)];
    for (int k = 0; k < count; ++k) {
      rows_.push_back({body.joint.idx_v + k, parent, first, count, body.joint.multiplier});
      path_lengths_.push_back(above + count);
    }
    last_joint.push_back(count == 0 ? parent : first);
  }
}

int TreeAxes::max_path() const {
  return path_lengths_.empty() ? 0 : *std::max_element(path_lengths_.begin(), path_lengths_.end());
}

double TreeAxes::num_pairs() const {
  return std::accumulate(path_lengths_.begin(), path_lengths_.end(), 0.0);
}

double TreeAxes::num_triples() const {
  double triples = 0.0;
  for (const int length : path_lengths_) triples += length * (length + 1.0) / 2.0;
  return triples;
}

std::vector<double> TreeAxes::num_related() const {
  std::vector<double> related(path_lengths_.begin(), path_lengths_.end());
  std::vector<double> below(rows_.size(), 0.0);  // by first axis of a joint
  for (std::size_t k = rows_.size(); k-- > 0;) {
    const ir::AxisTable::Axis& joint = rows_[k];
    related[k] += below[static_cast<std::size_t>(joint.first)];
    const bool is_first = static_cast<std::size_t>(joint.first) == k;
    if (is_first && joint.parent >= 0)
      below[static_cast<std::size_t>(joint.parent)] += joint.count + below[k];
  }
  return related;
}

std::vector<double> TreeAxes::num_connected() const {
  std::vector<int> root;
  std::vector<double> sizes(rows_.size(), 0.0), connected;
  for (const ir::AxisTable::Axis& axis : rows_) {
    root.push_back(axis.parent < 0 ? axis.first : root[static_cast<std::size_t>(axis.parent)]);
    sizes[static_cast<std::size_t>(root.back())] += 1.0;
  }
  for (const int k : root) connected.push_back(sizes[static_cast<std::size_t>(k)]);
  return connected;
}

double TreeAxes::num_related_pairs() const {
  double pairs = 0.0;
  for (std::size_t k = 0; k < rows_.size(); ++k) pairs += 2.0 * path_lengths_[k] - rows_[k].count;
  return pairs;
}

std::shared_ptr<const ir::AxisTable> axis_table(const model::Tree& tree) {
  const TreeAxes axes(tree);
  return std::make_shared<ir::AxisTable>(
      ir::AxisTable{axes.rows(), tree.nv, axes.max_path(), !has_no_mimic(tree)});
}

int to_flops(double flops) { return static_cast<int>(std::min(flops, 1e9)); }

}  // namespace featherline::algorithms
