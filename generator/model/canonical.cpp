#include "model/canonical.hpp"

#include "model/build_tree.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace featherline::model {
namespace {

/// One body for each motion; the last one carries the inertia.
void append_split(std::vector<Body>& bodies, const Body& body) {
  const JointRow& row = body.joint.row();
  for (int k = 0; k < row.nv(); ++k) {
    const Motion& motion = row.motions[index(k)];
    Body part = body;
    part.joint.type = type_with_one_axis(motion.kind);
    part.joint.axis = body.joint.direction(motion.along);
    part.joint.idx_q += k;
    part.joint.idx_v += k;
    part.joint.all.q += k;
    part.joint.all.v += k;
    part.joint.nq = part.joint.nv = 1;
    if (k + 1 < row.nv()) {
      part.inertia = part.lifted = Inertia{};
      part.user_frame.reset();
    }
    if (k > 0) {
      part.joint.placement = Placement{};
      part.parent = static_cast<int>(bodies.size()) - 1;
    }
    bodies.push_back(std::move(part));
  }
}

/// Moves the unidentifiable part of each body's inertia to the parent. `axes` has a frame of each body whose z is its
/// joint's axis. In the frames of the robot's file, masses move before frames are chosen. Otherwise a frame that moves
/// along its axis by s would add m s^2 to the inertia of a body, and regrouping would subtract it again. This costs
/// digits if s is a hundred times the size of the body.
void regroup(Tree& tree, const std::vector<Placement>& axes, Grouping grouping) {
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    Body& body = tree.bodies[i];
    if (tree.chosen.placement_of(tree, i) >= 0) continue;  // where the parent would see it is not known
    const Inertia seen = body.inertia.expressed_in(axes[i].inverse());
    const Inertia part = unidentifiable_part(body.joint.row(), seen, grouping);
    body.inertia = rounded_difference(seen, part).expressed_in(axes[i]);
    const Inertia moved = part.expressed_in(body.joint.placement * axes[i]);
    if (body.parent >= 0) {
      tree.bodies[index(body.parent)].inertia += moved;
    } else {  // moments of inertia that move into the ground vanish
      tree.grounded.mass += moved.mass;
      tree.grounded.h += moved.h;
    }
  }
}

/// Takes out the links whose inertia is an input, which is then added to what is left.
void remove_replaced(Tree& tree) {
  for (const auto& [link, replaces] : tree.chosen.payloads) {
    const Link& carrier = tree.links[index(link)];
    Inertia& inertia = tree.bodies[index(carrier.body)].inertia;
    if (replaces) inertia = rounded_difference(inertia, carrier.inertia.expressed_in(carrier.placement));
  }
}

/// The tree with every body frame replaced by frames[i].
CanonicalTree express_in_frames(const Tree& tree, const std::vector<Placement>& frames) {
  CanonicalTree result{tree, {}};
  const double size = robot_size(tree);
  for (std::size_t i = 0; i < result.bodies.size(); ++i) {
    Body& body = result.bodies[i];
    const Placement& G = frames[i];
    Placement X = body.joint.placement * G;
    if (body.parent >= 0) X = frames[index(body.parent)].inverse() * X;
    const JointFrame canonical = split_offset(body.joint, X);
    const double scale = offset_scale(tree, frames, i, size);
    const Placement back{rotation_z(-canonical.offset), Vector3(0, 0, -canonical.offset * body.joint.pitch)};
    body.joint.in_user = round_placement(G * back, scale);
    body.joint.placement = round_placement(canonical.X, scale);
    body.joint.offset = round_number(body.joint.offset + canonical.offset, 4.0);
    if (body.joint.row().has_one_axis()) body.joint.axis = Vector3::UnitZ();
    body.inertia = round_inertia(body.inertia.expressed_in(G.inverse()));
    body.lifted = round_inertia(body.lifted.expressed_in(G.inverse()));
    if (body.user_frame) body.user_frame = round_placement(G.inverse() * *body.user_frame, size);
  }
  for (Link& link : result.links) {
    if (link.body < 0) continue;
    link.placement = frames[index(link.body)].inverse() * link.placement;
    link.placement = round_placement(link.placement, std::max(size, link.placement.p.norm()));
  }
  return result;
}

using Eigen::Index, Eigen::MatrixXd;

/// The matrix of a linear map of inertias.
template <class Map>
MatrixXd matrix_of(const Map& map) {
  MatrixXd M(parameters_per_body, parameters_per_body);
  for (int k = 0; k < parameters_per_body; ++k)
    M.col(k) = parameters_of(map(inertia_of(Parameters::Unit(k))));
  return M;
}

/// Takes out of a body's parameters what its joint does not feel.
struct Removal {
  std::vector<int> dropped;  ///< columns that become zero
  MatrixXd part;             ///< 10 x 10: the unfelt combination of a body's parameters that makes them zero
};

/// `unfelt` spans the parameters that the joint does not feel. Columns are dropped where they are largest.
Removal removal(MatrixXd unfelt) {
  // Gauss-Jordan elimination with full pivoting: the rows of the pivots are columns of the regressor that the others
  // can stand for. A decomposition of Eigen's would double the time that this file takes to compile.
  constexpr int n = parameters_per_body;
  const double rounding = 1e-15 * n * unfelt.cwiseAbs().maxCoeff();
  Eigen::Matrix<int, n, 1> rows;
  std::iota(rows.begin(), rows.end(), 0);
  Eigen::Matrix<int, n, 1> columns = rows;
  Removal result{{}, MatrixXd::Zero(n, n)};
  for (int k = 0; k < n; ++k) {
    int i = 0, j = 0;
    const double pivot = unfelt(rows, columns).bottomRightCorner(n - k, n - k).cwiseAbs().maxCoeff(&i, &j);
    if (pivot <= rounding) break;
    std::swap(rows[k], rows[k + i]);
    std::swap(columns[k], columns[k + j]);
    unfelt.col(columns[k]) /= unfelt(rows[k], columns[k]);
    for (int c = 0; c < n; ++c) {
      if (c != columns[k]) unfelt.col(c) -= unfelt(rows[k], c) * unfelt.col(columns[k]);
    }
    result.dropped.push_back(rows[k]);
  }
  for (int k = 0; k < static_cast<int>(result.dropped.size()); ++k)
    result.part.col(rows[k]) = unfelt.col(columns[k]);
  return result;
}

}  // namespace

Tree split_joints(const Tree& tree) {
  Tree result = tree;
  result.bodies.clear();
  std::vector<int> new_index;
  for (const Body& original : tree.bodies) {
    Body body = original;
    if (body.parent >= 0) body.parent = new_index[index(body.parent)];
    if (body.joint.row().is_split()) {
      append_split(result.bodies, body);
    } else {
      result.bodies.push_back(std::move(body));
    }
    new_index.push_back(static_cast<int>(result.bodies.size()) - 1);
  }
  for (Body& body : result.bodies) {  // a driver may come later
    int& driver = body.joint.mimics;
    if (driver >= 0) driver = new_index[index(driver)];
  }
  for (Link& link : result.links) {
    if (link.body >= 0) link.body = new_index[index(link.body)];
  }
  return result;
}

std::vector<Placement> plain_frames(const Tree& tree) {
  std::vector<Placement> frames(tree.bodies.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Joint& joint = tree.bodies[i].joint;
    if (joint.row().has_one_axis()) frames[i].R = align_z(joint.axis);
  }
  return frames;
}

CanonicalTree regroup_inertias(CanonicalTree tree, Grouping grouping) {
  regroup(tree, std::vector<Placement>(tree.bodies.size()), grouping);
  return tree;
}

CanonicalTree canonicalise(const UserTree& tree, Frames which) {
  Tree split = split_joints(without_rotors(tree));
  remove_replaced(split);
  std::vector<Placement> frames = plain_frames(split);
  regroup(split, frames, Grouping::second_moment_zz);
  if (which != Frames::plain) {
    const Folding folding = which == Frames::of_limbs ? fold_bodies(split) : unfolded(split);
    frames = canonical_frames(split, folding, std::move(frames));
  }
  return express_in_frames(split, frames);
}

BaseParameters group_parameters(const Tree& tree) {
  constexpr Index n = parameters_per_body;
  const std::vector<Placement> axes = plain_frames(tree);
  const auto count = static_cast<Index>(tree.bodies.size());
  // Rows: the parameters of each body, grouped. Columns: the robot's parameters.
  MatrixXd grouped = MatrixXd::Identity(n * count, n * count);
  std::vector<bool> kept(static_cast<std::size_t>(n * count), true);
  for (Index i = count; i-- > 0;) {
    const Body& body = tree.bodies[static_cast<std::size_t>(i)];
    const Placement& axis = axes[static_cast<std::size_t>(i)];
    const auto unfelt = [&](const Inertia& inertia) {
      const Inertia seen = inertia.expressed_in(axis.inverse());
      return unidentifiable_part(body.joint.row(), seen, Grouping::J_xx).expressed_in(axis);
    };
    const auto at_parent = [&](const Inertia& inertia) { return inertia.expressed_in(body.joint.placement); };
    const Removal removed = removal(matrix_of(unfelt));
    const MatrixXd part = removed.part.lazyProduct(grouped.middleRows(n * i, n));
    grouped.middleRows(n * i, n) -= part;
    for (const int k : removed.dropped) kept[static_cast<std::size_t>(n * i + k)] = false;
    if (body.parent < 0) continue;  // what moves into the ground vanishes
    grouped.middleRows(n * body.parent, n) += matrix_of(at_parent).lazyProduct(part);
  }
  BaseParameters result;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k]) result.columns.push_back(static_cast<int>(k));
  }
  result.map = round_entries(MatrixXd(grouped(result.columns, Eigen::all)), 1.0);
  return result;
}

}  // namespace featherline::model
