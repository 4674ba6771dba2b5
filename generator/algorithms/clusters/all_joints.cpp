#include "algorithms/clusters/all_joints.hpp"

#include "algorithms/derivatives/rates.hpp"

#include <utility>

namespace featherline::algorithms {

using model::CoordinateIndex;
using model::LinearStep;
using model::PlanarLoop;

namespace {

Scalar safe_root(const Scalar& x, const Scalar& size) { return sqrt(x * (x * pivot_inverse(x, size))); }

/// 90 degrees on.
template <class Vector>
Vector turned_left(const Vector& z) {
  return {-z.y, z.x};
}

}  // namespace

AllJoints::AllJoints(Context& own)
    : own_(own),
      clusters_(*own.full_tree().clusters),
      tree_(std::make_shared<model::CanonicalTree>(model::with_all_joints(own.full_tree()))),
      places_(index(clusters_.nq)),
      G_(index(clusters_.nv)) {
  const Coordinates& q = own.input("q");
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (clusters_.positions[k] < 0) continue;
    places_[k].x = q[index(clusters_.positions[k])];
    places_[k].has_x = true;
  }
  for (std::size_t k = 0; k < G_.size(); ++k) {
    if (clusters_.velocities[k] >= 0) G_[k][clusters_.velocities[k]] = Scalar(1.0);
  }
  own.begin_section("joints that follow from others");
  for (const model::ClusterStep& step : clusters_.steps)
    std::visit([&](const auto& each) { place(each); }, step);
  std::map<int, std::pair<Scalar, Scalar>> turns;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    if (places_[k].has_turn) turns[static_cast<int>(k)] = {places_[k].c, places_[k].s};
  }
  context_.emplace(own.of_all_joints(tree_, positions(), std::move(turns), this));
  if (!own.has_input("v")) return;
  const auto [v, a] = rates({own.input("v"), own.has_input("a") ? own.input("a") : own.zeros()});
  context_->set_input("v", *v);
  context_->set_input("a", *a);
}

AllJoints::Place& AllJoints::turned(int q) {
  Place& place = places_[index(q)];
  if (!place.has_turn) {
    place.c = cos(place.x);
    place.s = sin(place.x);
    place.has_turn = true;
  }
  return place;
}

void AllJoints::place(const LinearStep& step) {
  Place& own = places_[index(step.of.q)];
  own.x = Scalar(step.offset);
  own.has_x = true;
  for (const LinearStep::Term& term : step.terms) {
    own.x += Scalar(term.factor) * places_[index(term.of.q)].x;
    for (const auto& [l, g] : row(term.of.v)) G_[index(step.of.v)][l] += Scalar(term.factor) * g;
  }
}

void AllJoints::place(const PlanarLoop& loop) {
  for (std::size_t k = 0; k < loop.chain.size(); ++k) {
    if (k != loop.first && k != loop.second && loop.chain[k].turns) turned(loop.chain[k].of.q);
  }
  const auto place_of = [&](CoordinateIndex of) -> model::JointPlace<Scalar> { return places_[index(of.q)]; };
  const auto placed =
      model::place_joints<Scalar>(loop, place_of, safe_root, [](const Scalar& x, const Scalar& size) {
        return x.is_constant() ? Scalar(1.0) / x : pivot_inverse(x, size);
      });
  const auto set = [&](const PlanarLoop::Link& link, const model::JointPlace<Scalar>& place) {
    Place& own = places_[index(link.of.q)];
    static_cast<model::JointPlace<Scalar>&>(own) = place;
    own.has_turn = link.turns;
    own.has_x = !link.turns;
    for (const Scalar* x : {&own.c, &own.s, &own.x}) own_.keep(*x);
    // The angle within half a turn; what is added keeps it finite at half a turn.
    if (link.turns) own.x = Scalar(2.0) * atan(own.s / (Scalar(1.0 + 1e-30) + own.c));
  };
  set(loop.chain[loop.first], placed.first);
  set(loop.chain[loop.second], placed.second);

  LoopMotion motion{&loop, {}, {}, {}};
  model::PlanarMotion<Scalar> X;
  const Vector pin{Scalar(loop.start.x), Scalar(loop.start.y)};
  for (const PlanarLoop::Link& link : loop.chain) {
    const Vector at{Scalar(link.at.x), Scalar(link.at.y)};
    const Scalar sign(link.sign);
    motion.centres.push_back(X * at);
    motion.columns.push_back(link.turns ? turned_left(pin - motion.centres.back()) * sign
                                        : model::turned(X.c, X.s, at) * sign);
    X = X * PlanarLoop::motion_of<Scalar>(link, place_of(link.of));
  }
  const Vector &a = motion.columns[loop.first], &b = motion.columns[loop.second];
  const Scalar determinant = cross(a, b), size(loop.size * loop.size);
  motion.inverse = determinant * pivot_inverse(determinant * determinant, size * size);
  own_.keep(motion.inverse);
  for (std::size_t k = 0; k < loop.chain.size(); ++k) {
    if (k == loop.first || k == loop.second) continue;
    const Scalar first = motion.first(motion.columns[k]), second = motion.second(motion.columns[k]);
    own_.keep(first);
    own_.keep(second);
    for (const auto& [l, g] : row(loop.chain[k].of.v)) {
      G_[index(loop.chain[loop.first].of.v)][l] += first * g;
      G_[index(loop.chain[loop.second].of.v)][l] += second * g;
    }
  }
  loops_.push_back(std::move(motion));
}

Scalar AllJoints::LoopMotion::first(const Vector& speed) const {
  return cross(columns[loop->second], speed) * inverse;
}
Scalar AllJoints::LoopMotion::second(const Vector& speed) const {
  return cross(speed, columns[loop->first]) * inverse;
}

Coordinates AllJoints::positions() const { return each(places_, &Place::x); }

Coordinates AllJoints::spread(const Coordinates& own) const {
  Coordinates all(G_.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (clusters_.velocities[k] >= 0) all[k] = own[index(clusters_.velocities[k])];
  }
  return all;
}

Coordinates AllJoints::complete(Coordinates x, const std::vector<Vector>& pins) const {
  std::size_t next = 0;
  for (const model::ClusterStep& step : clusters_.steps) {
    if (const auto* sum = std::get_if<LinearStep>(&step)) {
      for (const LinearStep::Term& term : sum->terms)
        x[index(sum->of.v)] += Scalar(term.factor) * x[index(term.of.v)];
      continue;
    }
    const LoopMotion& motion = loops_[next];
    const PlanarLoop& loop = *motion.loop;
    Vector speed = pins.empty() ? Vector{} : pins[next];
    ++next;
    for (std::size_t k = 0; k < loop.chain.size(); ++k) {
      if (k != loop.first && k != loop.second)
        speed = speed + motion.columns[k] * x[index(loop.chain[k].of.v)];
    }
    x[index(loop.chain[loop.first].of.v)] = motion.first(speed);
    x[index(loop.chain[loop.second].of.v)] = motion.second(speed);
  }
  return own_.keep(std::move(x));
}

/// The pin's acceleration is the sum over the joints of d/dt (column) times the joint's speed. The column of a hinge
/// turns with the pin, which stands still, less the hinge.
Coordinates AllJoints::accelerations(const Coordinates& v, const Coordinates& a) const {
  const Coordinates speeds = loops_.empty() ? Coordinates{} : velocities(v);
  std::vector<Vector> pins;
  for (const LoopMotion& motion : loops_) {
    Scalar turning;
    Vector origin, pin;  // velocity of the point of the body that is at the origin, and the sum
    for (std::size_t k = 0; k < motion.columns.size(); ++k) {
      const PlanarLoop::Link& link = motion.loop->chain[k];
      const Scalar& speed = speeds[index(link.of.v)];
      if (!link.turns) {
        pin = pin + turned_left(motion.columns[k]) * (turning * speed);
        origin = origin + motion.columns[k] * speed;
        continue;
      }
      const Scalar rate = Scalar(link.sign) * speed;
      const Vector velocity = origin + turned_left(motion.centres[k]) * turning;
      pin = pin - turned_left(velocity) * rate;
      origin = origin - turned_left(motion.centres[k]) * rate;
      turning += rate;
    }
    pins.push_back(pin);
  }
  return complete(spread(a), pins);
}

JointRates AllJoints::rates(const JointRates& own) const {
  if (!own.v) return {};
  return {velocities(*own.v), accelerations(*own.v, own.a.value_or(own_.zeros()))};
}

Coordinates AllJoints::torques(const Coordinates& tau) const {
  Coordinates own = own_.zeros();
  for (std::size_t k = 0; k < G_.size(); ++k) {
    for (const auto& [l, g] : G_[k]) own[index(l)] += g * tau[k];
  }
  return own_.keep(std::move(own));
}

Coordinates AllJoints::columns(int rows, const Coordinates& A) const {
  Coordinates own(index(rows * own_.nv()), Scalar(0.0));
  for (std::size_t k = 0; k < G_.size(); ++k) {
    for (const auto& [l, g] : G_[k]) {
      for (int r = 0; r < rows; ++r) own[index(r + rows * l)] += A[index(r) + index(rows) * k] * g;
    }
  }
  return own_.keep(std::move(own));
}

Coordinates AllJoints::torques(const SquareMatrix& A, const Coordinates& x) const {
  return torques(own_.keep(A * x));
}

SquareMatrix AllJoints::torques(const SquareMatrix& A) const {
  SquareMatrix own(own_.nv());
  for (int l = 0; l < own.size(); ++l) {
    Coordinates column(G_.size(), Scalar(0.0));
    for (std::size_t k = 0; k < G_.size(); ++k) {
      if (const auto g = G_[k].find(l); g != G_[k].end()) column[k] = g->second;
    }
    own.set_column(l, torques(A, column));
  }
  return own;
}

SquareMatrix AllJoints::inertia(const SquareMatrix& M) const {
  SquareMatrix own = torques(M);
  for (int r = 0; r < own.size(); ++r) {
    for (int c = 0; c < r; ++c) own(c, r) = own(r, c);
  }
  return own;
}

Tensor AllJoints::project(const Tensor& T) const {
  Tensor own(own_.nv());
  for (int k = 0; k < static_cast<int>(G_.size()); ++k) {
    const Coordinates A = torques(T.matrix(k)).column_major();
    for (const auto& [l, g] : G_[index(k)])
      own.set_matrix(l, own_.keep(plus(own.matrix(l).column_major(), g, A)));
  }
  return own;
}

std::vector<AllJoints::Follower> AllJoints::followers() const {
  std::vector<Follower> list;
  for (const LoopMotion& motion : loops_) {
    for (const std::size_t k : {motion.loop->first, motion.loop->second}) {
      const PlanarLoop::Link& link = motion.loop->chain[k];
      const Place& at = places_[index(link.of.q)];
      if (link.turns)
        list.push_back({link.of.v, {at.c, at.s}, {-at.s, at.c}, row(link.of.v)});
      else
        list.push_back({link.of.v, {at.x}, {Scalar(1.0)}, row(link.of.v)});
    }
  }
  return list;
}

FirstDerivatives AllJoints::first_derivatives(const Coordinates& v, const Coordinates& a,
                                              const OwnFrames& own_frames) {
  const Coordinates v_all = velocities(v), a_all = accelerations(v, a);
  const FirstDerivatives of_all = algorithms::first_derivatives(*context_, v_all, a_all, own_frames);
  FirstDerivatives own(own_.nv());
  own.tau = torques(of_all.tau);
  own.M = inertia(of_all.M);
  own.dtau_dq = torques(of_all.dtau_dq);
  own.dtau_dv = torques(of_all.dtau_dv);
  own.C = torques(of_all.C);
  if (loops_.empty()) return own;
  own_.begin_section("derivatives of joints that follow from others");
  Coordinates held = v;  // forward dynamics has computed a from q
  held.insert(held.end(), a.begin(), a.end());
  for (int l = 0; l < own_.nv(); ++l) {
    const Coordinates dv = rates_by_step(own_, v_all, l, held), da = rates_by_step(own_, a_all, l, held),
                      M_dv = torques(of_all.M, dv);
    Coordinates by_q = torques(of_all.dtau_dv, dv) + torques(of_all.M, da);
    for (std::size_t k = 0; k < G_.size(); ++k) {  // of G^T, while the torques of all joints stay
      for (const auto& [j, g] : G_[k]) by_q[index(j)] += rates_by_step(own_, {g}, l).front() * of_all.tau[k];
    }
    own.dtau_dq.set_column(l, own_.keep(own.dtau_dq.column(l) + by_q));
    own.dtau_dv.set_column(l, own_.keep(plus(own.dtau_dv.column(l), Scalar(2.0), M_dv)));
    own.C.set_column(l, own_.keep(own.C.column(l) + M_dv));
  }
  return own;
}

std::vector<StoredEntry> AllJoints::rows(const std::vector<StoredEntry>& entries) const {
  const int all = static_cast<int>(G_.size());
  std::map<int, Scalar> sums;
  for (const StoredEntry& entry : entries) {
    const int row = entry.places.front() % all, column = entry.places.front() / all;
    for (const auto& [l, g] : G_[index(row)]) own_.keep(sums[l + own_.nv() * column] += g * entry.value);
  }
  std::vector<StoredEntry> own;
  for (const auto& [place, x] : sums) own.push_back({{place}, x});
  return own;
}

void spanning_position(Context& c) { c.output_vector("q_all", AllJoints(c).positions()); }

void spanning_velocity(Context& c) { c.output_vector("v_all", AllJoints(c).velocities(c.input("v"))); }

}  // namespace featherline::algorithms
