#pragma once

#include "algorithms/context.hpp"
#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/kinematics/frame_motion.hpp"
#include "algorithms/matrices.hpp"
#include "model/clusters.hpp"

#include <map>
#include <optional>
#include <vector>

/// Robots with eliminated loops (model/clusters.hpp): algorithms run over all joints, at positions, velocities and
/// accelerations that follow from the robot's own coordinates; what they give is projected.
namespace featherline::algorithms {

/// All joints, at the position of a context of a robot with clusters, which lives longer.
class AllJoints {
 public:
  explicit AllJoints(Context& own);
  AllJoints(const AllJoints&) = delete;  // the context refers to this

  using Row = std::map<int, Scalar>;  ///< by own coordinate
  /// Of G, by velocity of all joints.
  const Row& row(int v) const { return G_[index(v)]; }

  Context& own() const { return own_; }
  /// The context in which each joint has its coordinates. Its inputs "v" and "a" are those of all joints, if the own
  /// context has them. Jacobians that it writes have a column for each own coordinate.
  Context& context() { return *context_; }
  Coordinates positions() const;
  /// G v.
  Coordinates velocities(const Coordinates& v) const { return complete(spread(v), {}); }
  /// G a + dG/dt v.
  Coordinates accelerations(const Coordinates& v, const Coordinates& a) const;
  JointRates rates(const JointRates& own) const;
  /// G^T tau.
  Coordinates torques(const Coordinates& tau) const;
  /// A G, for `rows` rows, column-major.
  Coordinates columns(int rows, const Coordinates& A) const;
  /// G^T A x.
  Coordinates torques(const SquareMatrix& A, const Coordinates& x) const;
  /// G^T A G.
  SquareMatrix torques(const SquareMatrix& A) const;
  SquareMatrix inertia(const SquareMatrix& M) const;
  /// G on all sides of d(A)/dq.
  Tensor project(const Tensor& T) const;
  FirstDerivatives first_derivatives(const Coordinates& v, const Coordinates& a, const OwnFrames& own_frames);
  /// Sums by velocity of all joints, by own one.
  template <class X>
  std::map<int, X> project(const std::map<int, X>& sums) const {
    std::map<int, X> own;
    for (const auto& [k, x] : sums) {
      for (const auto& [l, g] : G_[index(k)]) {
        const auto [found, is_new] = own.try_emplace(l, x * g);
        if (!is_new) found->second = found->second + x * g;
      }
    }
    return own;
  }
  /// Rows of a column-major matrix with a row for each velocity of all joints, as rows of own ones.
  std::vector<StoredEntry> rows(const std::vector<StoredEntry>& entries) const;

  /// A joint that follows through a loop of bars. Derivatives stop at its place: by the implicit function theorem G
  /// says how it follows, where roots that have no derivative do not.
  struct Follower {
    int v;                       ///< of all joints
    Coordinates places, slopes;  ///< cosine and sine, or the position; and their derivatives by the position
    const Row& G;
  };
  std::vector<Follower> followers() const;

 private:
  using Vector = model::PlanarVector<Scalar>;
  struct Place : model::JointPlace<Scalar> {
    bool has_turn = false, has_x = false;
  };
  /// Of a loop: how its dependent joints follow from the others in motion.
  struct LoopMotion {
    const model::PlanarLoop* loop;
    std::vector<Vector> centres, columns;  ///< hinges, and how fast the pin moves at unit speed of each joint
    Scalar inverse;                        ///< of the determinant of the dependent columns

    Scalar first(const Vector& speed) const;
    Scalar second(const Vector& speed) const;
  };

  Place& turned(int q);
  void place(const model::LinearStep& step);
  void place(const model::PlanarLoop& loop);
  /// Those of LinearStep and of LoopMotion, given all values but the dependent ones, and what the pin moves besides.
  Coordinates complete(Coordinates x, const std::vector<Vector>& pins) const;
  Coordinates spread(const Coordinates& own) const;

  Context& own_;
  const model::Clusters& clusters_;
  std::shared_ptr<const model::CanonicalTree> tree_;
  std::vector<Place> places_;
  std::vector<Row> G_;
  std::vector<LoopMotion> loops_;
  std::optional<Context> context_;
};

/// Positions and velocities of all joints.
void spanning_position(Context& context);
void spanning_velocity(Context& context);

}  // namespace featherline::algorithms
