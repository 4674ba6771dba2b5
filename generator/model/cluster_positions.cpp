#include "model/clusters.hpp"
#include "support/index.hpp"

#include <algorithm>
#include <cmath>

namespace featherline::model {
namespace {

/// Of the angle between the ways from the two joints that follow to the pin.
template <class Places>
double square_of_sine(const PlanarLoop& loop, const Places& place_of) {
  const auto way = [&](std::size_t k) {
    return loop.start - loop.motion<double>(0, k, place_of) * loop.chain[k].at;
  };
  const PlanarVector<double> a = way(loop.first), b = way(loop.second);
  const double product = cross(a, b);
  return product * product / (dot(a, a) * dot(b, b));
}

}  // namespace

std::optional<Eigen::VectorXd> positions_of_all_joints(const Clusters& clusters, const Eigen::VectorXd& y,
                                                       double margin) {
  Eigen::VectorXd q(clusters.nq);
  for (int k = 0; k < clusters.nq; ++k) {
    if (clusters.positions[index(k)] >= 0) q[k] = y[clusters.positions[index(k)]];
  }
  const auto place_of = [&](CoordinateIndex of) {
    return JointPlace<double>{std::cos(q[of.q]), std::sin(q[of.q]), q[of.q]};
  };
  const auto position = [](const PlanarLoop::Link& link, const JointPlace<double>& place) {
    return link.turns ? std::atan2(place.s, place.c) : place.x;
  };
  for (const ClusterStep& step : clusters.steps) {
    if (const auto* sum = std::get_if<LinearStep>(&step)) {
      q[sum->of.q] = sum->offset;
      for (const LinearStep::Term& term : sum->terms) q[sum->of.q] += term.factor * q[term.of.q];
      continue;
    }
    const PlanarLoop& loop = std::get<PlanarLoop>(step);
    const auto placed = place_joints<double>(
        loop, place_of, [](double x, double) { return std::sqrt(std::max(x, 0.0)); },
        [](double x, double) { return 1.0 / x; });
    if (!(placed.square > margin * placed.limit)) return std::nullopt;
    q[loop.chain[loop.first].of.q] = position(loop.chain[loop.first], placed.first);
    q[loop.chain[loop.second].of.q] = position(loop.chain[loop.second], placed.second);
  }
  for (const ClusterStep& step : clusters.steps) {
    const auto* sum = std::get_if<LinearStep>(&step);
    if (sum != nullptr && sum->bars && square_of_sine(*sum->bars, place_of) < margin) return std::nullopt;
  }
  return q;
}

std::optional<Eigen::VectorXd> random_closed_position(const Tree& tree, const Clusters& clusters,
                                                      std::mt19937& random) {
  constexpr double half_turn = 3.14159265358979;
  for (int tries = 0; tries < 20'000; ++tries) {
    Eigen::VectorXd y(tree.nq);
    for (double& x : y) x = (static_cast<double>(random()) * 0x1p-31 - 1.0) * half_turn;
    for (const Body& body : tree.bodies) {
      if (body.joint.mimics >= 0) continue;
      if (body.joint.row().num_turns() == 0) y[body.joint.idx_q] /= half_turn;
      if (const int first = body.joint.row().quaternion(); first >= 0)
        y.segment<4>(body.joint.idx_q + first).normalize();
    }
    if (positions_of_all_joints(clusters, y, assembly_margin)) return y;
  }
  return std::nullopt;
}

}  // namespace featherline::model
