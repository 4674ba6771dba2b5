#pragma once

#include <vector>

/// A closed chain of bodies that move in one plane: hinges along its normal, slides in it, and the pin that closes it.
namespace featherline::model {

/// A coordinate of a joint: its places among the positions and among the velocities of all joints.
struct CoordinateIndex {
  int q = 0, v = 0;
};

/// A motion of the plane: z -> R z + (x, y), R with cosine c and sine s.
template <class T>
struct PlanarMotion {
  T c{1.0}, s{0.0}, x{0.0}, y{0.0};

  PlanarMotion operator*(const PlanarMotion& B) const {
    return {c * B.c - s * B.s, s * B.c + c * B.s, c * B.x - s * B.y + x, s * B.x + c * B.y + y};
  }
  PlanarMotion inverse() const { return {c, -s, -(c * x + s * y), s * x - c * y}; }
};

template <class T>
struct PlanarVector {
  T x{0.0}, y{0.0};

  PlanarVector operator+(const PlanarVector& b) const { return {x + b.x, y + b.y}; }
  PlanarVector operator-(const PlanarVector& b) const { return {x - b.x, y - b.y}; }
  PlanarVector operator*(const T& k) const { return {x * k, y * k}; }
};
template <class T>
T dot(const PlanarVector<T>& a, const PlanarVector<T>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class T>
T cross(const PlanarVector<T>& a, const PlanarVector<T>& b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
PlanarVector<T> turned(const T& c, const T& s, const PlanarVector<T>& z) {
  return {c * z.x - s * z.y, s * z.x + c * z.y};
}
template <class T>
PlanarVector<T> operator*(const PlanarMotion<T>& X, const PlanarVector<T>& z) {
  return turned(X.c, X.s, z) + PlanarVector<T>{X.x, X.y};
}

/// Where a joint stands: the cosine and sine of its coordinate if it turns, else the coordinate.
template <class T>
struct JointPlace {
  T c{1.0}, s{0.0}, x{0.0};
};

/// The chain runs from the pin through all bodies and back to the pin. All places are those at zero, in the axes of the
/// plane, measured from one of the hinges.
struct PlanarLoop {
  struct Link {
    CoordinateIndex of;
    bool turns;
    double
        sign;  ///< -1: the chain passes the joint from its child to its parent, or its axis is against the normal
    PlanarVector<double> at;  ///< the hinge; of a slide its direction, a unit vector
  };
  std::vector<Link> chain;
  std::size_t first = 0, second = 0;  ///< the joints that follow from the others; the first one turns
  PlanarVector<double> end, start;    ///< the pin on the chain's last body, and on its first one
  double branch = 1.0;                ///< the sign of what `place_joints` takes a root for
  double size = 1.0;                  ///< of the chain [m]

  template <class T, class Places>
  PlanarMotion<T> motion(std::size_t from, std::size_t to, const Places& place_of) const {
    PlanarMotion<T> X;
    for (std::size_t k = from; k < to; ++k) X = X * motion_of<T>(chain[k], place_of(chain[k].of));
    return X;
  }
  template <class T>
  static PlanarMotion<T> motion_of(const Link& link, const JointPlace<T>& place) {
    const PlanarVector<T> at{T(link.at.x), T(link.at.y)};
    if (!link.turns) return {T(1.0), T(0.0), T(link.sign) * place.x * at.x, T(link.sign) * place.x * at.y};
    const T s = T(link.sign) * place.s;
    const PlanarVector<T> moved = at - turned(place.c, s, at);
    return {place.c, s, moved.x, moved.y};
  }
};

template <class T>
struct PlacedJoints {
  JointPlace<T> first, second;
  T square{0.0},
      limit{0.0};  ///< what the root is taken of, and what it is at most; less than 0: cannot be assembled
};

/// Where the two joints stand if the others stand at place_of(coordinate). The pin has the image t in front of the
/// first joint, and w behind the second one. The first joint is at a, and at u as seen from the second. Between them
/// lies R1 z + d1.
///
///     |u + R(second) w| = |t - a|     law of cosines: u x R(second) w = branch sqrt(|u|^2 |w|^2 - (u . R w)^2)
///     |u + e second|    = |t - a|     a slide along e
///     R(first) R1 (u + ...) = t - a
///
/// `root(x, size)` and `inverse(x, size)` are the square root of x and 1/x; they may give anything that is finite where
/// x is no more than rounding beside size.
template <class T, class Places, class Root, class Inverse>
PlacedJoints<T> place_joints(const PlanarLoop& loop, const Places& place_of, const Root& root,
                             const Inverse& inverse) {
  using Vector = PlanarVector<T>;
  const auto lifted = [](const PlanarVector<double>& z) { return Vector{T(z.x), T(z.y)}; };
  const PlanarLoop::Link &first = loop.chain[loop.first], &second = loop.chain[loop.second];
  const Vector a = lifted(first.at),
               t = loop.motion<T>(0, loop.first, place_of).inverse() * lifted(loop.start) - a,
               w = loop.motion<T>(loop.second + 1, loop.chain.size(), place_of) * lifted(loop.end);
  const PlanarMotion<T> between = loop.motion<T>(loop.first + 1, loop.second, place_of);
  const auto seen = [&](const Vector& z) { return turned(between.c, T(0.0) - between.s, z); };
  const Vector offset = seen(Vector{between.x, between.y} - a);
  const T reach = dot(t, t), size = T(loop.size * loop.size);
  PlacedJoints<T> placed;
  Vector z;
  if (second.turns) {
    const Vector b = lifted(second.at), u = b + offset, arm = w - b;
    const T uu = dot(u, u), ww = dot(arm, arm), k = T(0.5) * (reach - uu - ww), p = dot(u, arm),
            q = u.y * arm.x - u.x * arm.y;
    placed.limit = uu * ww;
    placed.square = placed.limit - k * k;
    const T m = T(loop.branch) * root(placed.square, placed.limit),
            scale = inverse(placed.limit, size * size);
    const T c = (p * k - q * m) * scale, s = (q * k + p * m) * scale;
    placed.second = {c, T(second.sign) * s, T(0.0)};
    z = u + turned(c, s, arm);
  } else {
    const Vector e = lifted(second.at) * T(second.sign), u = w + offset;
    const T across = cross(u, e);
    placed.limit = reach;
    placed.square = reach - across * across;
    placed.second.x = T(loop.branch) * root(placed.square, placed.limit) - dot(u, e);
    z = u + e * placed.second.x;
  }
  z = turned(between.c, between.s, z);
  const T scale = inverse(reach, size);
  placed.first = {dot(z, t) * scale, T(first.sign) * cross(z, t) * scale, T(0.0)};
  return placed;
}

}  // namespace featherline::model
