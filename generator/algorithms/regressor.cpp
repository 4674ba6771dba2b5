#include "algorithms/regressor.hpp"

#include "algorithms/body_motion.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <map>

namespace featherline::algorithms {
namespace {

using model::parameters_per_body;

template <class T>
using Row = std::array<T, parameters_per_body>;

/// The power of a body's inertial wrench at the motion S, by inertial parameter: the wrench is
///   f = m a + U h,  n = h x a + J wd + w x J w.
template <class T>
Row<T> powers(const BodyMotion<T>& b, const Motion<T>& S) {
  const Vector3<T>&s = S.w, &w = b.w, &wd = b.wd;
  const Matrix3<T>& U = b.U;
  const Vector3<T> h = U.transposed() * S.u + cross(b.a, s);
  const T xy = w.x * w.y, yz = w.y * w.z, zx = w.z * w.x;
  const T x = s.x * yz, y = s.y * zx, z = s.z * xy;  // each is part of two diagonal entries
  return {dot(b.a, S.u),
          h.x,
          h.y,
          h.z,
          s.x * wd.x + (y - z),
          s.z * (U(0, 0) - U(1, 1)) + (s.y * U(2, 1) - s.x * U(2, 0)),
          s.y * wd.y + (z - x),
          s.y * (U(2, 2) - U(0, 0)) + (s.x * U(1, 0) - s.z * U(1, 2)),
          s.x * (U(1, 1) - U(2, 2)) + (s.z * U(0, 2) - s.y * U(0, 1)),
          s.z * wd.z + (x - y)};
}

/// The places of user's bodies among the bodies of the tree; -1 where the user has none.
std::vector<int> user_bodies(const model::Tree& tree) {
  std::vector<int> places;
  int next = 0;
  for (const model::Body& body : tree.bodies) places.push_back(body.user_frame ? next++ : -1);
  return places;
}

const model::BaseParameters& base_parameters_of(const model::Tree& tree) {
  if (tree.base_parameters == nullptr) throw InternalError("nobody has looked for base parameters");
  return *tree.base_parameters;
}

/// By parameter: its column of the output, -1 where there is none.
using Columns = std::vector<int>;

Columns columns_of_base(const model::Tree& tree) {
  Columns columns(static_cast<std::size_t>(parameters_per_body * num_user_bodies(tree)), -1);
  int next = 0;
  for (const int k : base_parameters_of(tree).columns) columns[static_cast<std::size_t>(k)] = next++;
  return columns;
}

template <class T>
class Regressor {
 public:
  Regressor(Context<T>& context, Columns columns)
      : c_(context),
        motions_(context, context.input("v"), context.input("a")),
        columns_(std::move(columns)),
        user_bodies_(user_bodies(context.full_tree())) {}

  void run() {
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "regressor");
      motions_.outward(i);
      axes_.push_back(carried_axes(i));
      if (user_bodies_[static_cast<std::size_t>(first(i))] >= 0) add_columns(i);
    }
    write();
  }

 private:
  /// By degree of freedom, the motion of a body at its unit speed.
  using Axes = std::map<int, Motion<T>>;
  struct Entry {
    int body, idx_v, parameter;
    T value;
  };

  int first(int i) const { return c_.folding().bodies[static_cast<std::size_t>(i)].members.front(); }

  /// The axes that move body i, in its frame. Coupled joints share a degree of freedom, so their motions add up.
  Axes carried_axes(int i) {
    Axes axes;
    if (c_.parent(i) >= 0) {
      for (const auto& [idx_v, S] : axes_[static_cast<std::size_t>(c_.parent(i))])
        axes[idx_v] = motions_.joint(i).to_child(S);
    }
    for (const JointAxis<T>& axis : c_.axes(i))
      axes[axis.idx_v] = axes[axis.idx_v] + axis.S * axis.multiplier;
    for (const auto& [idx_v, S] : axes) c_.label(S, c_.of_body("Z" + std::to_string(idx_v) + "_", i));
    return axes;
  }

  void add_columns(int i) {
    const Matrix3<T> R = c_.user_frame_R(i), to_user = R.transposed();
    const Vector3<T> p = c_.user_frame_p(i);
    const BodyMotion<T> motion = motions_.body(i).seen_from(R, p);
    for (const auto& [idx_v, S] : axes_.back()) {
      const Row<T> row = powers(motion, {to_user * S.w, to_user * (S.u + cross(S.w, p))});
      for (int k = 0; k < parameters_per_body; ++k) {
        if (column(first(i), k) < 0) continue;
        c_.keep(row[static_cast<std::size_t>(k)]);
        entries_.push_back({i, idx_v, k, row[static_cast<std::size_t>(k)]});
      }
    }
  }

  int column(int member, int parameter) const {
    const int body = user_bodies_[static_cast<std::size_t>(member)];
    return columns_[static_cast<std::size_t>(parameters_per_body * body + parameter)];
  }

  /// One place for each limb that the entry's body stands for.
  std::vector<int> places(const Entry& entry) const {
    const std::vector<int>& rows = c_.folding().velocities[static_cast<std::size_t>(entry.idx_v)];
    std::vector<int> list;
    for (const int member : c_.folding().bodies[static_cast<std::size_t>(entry.body)].members) {
      const int row = rows.size() > 1 ? rows[list.size()] : rows.front();
      list.push_back(row + c_.full_tree().nv * column(member, entry.parameter));
    }
    return list;
  }

  void write() {
    if constexpr (std::is_same_v<T, Scalar>) {
      std::vector<StoredEntry> stored;
      for (const Entry& entry : entries_) stored.push_back({places(entry), entry.value});
      c_.output("Y", stored);
    } else {
      const auto count = std::count_if(columns_.begin(), columns_.end(), [](int k) { return k >= 0; });
      Coordinates<T> Y(static_cast<std::size_t>(count * c_.nv()), T(0.0));
      for (const Entry& entry : entries_) Y[static_cast<std::size_t>(places(entry).front())] = entry.value;
      c_.output("Y", std::move(Y));
    }
  }

  Context<T>& c_;
  BodyMotions<T> motions_;
  Columns columns_;
  std::vector<int> user_bodies_;
  std::vector<Axes> axes_;
  std::vector<Entry> entries_;
};

}  // namespace

template <class T>
void regressor(Context<T>& c) {
  Columns all(static_cast<std::size_t>(parameters_per_body * num_user_bodies(c.full_tree())));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  Regressor<T>(c, all).run();
}

template <class T>
void base_regressor(Context<T>& c) {
  Regressor<T>(c, columns_of_base(c.full_tree())).run();
}

bool limbs_share_base_parameters(const model::Tree& tree) {
  const Columns columns = columns_of_base(tree);
  const std::vector<int> places = user_bodies(tree);
  const auto has = [&](int member, int k) {
    const int body = places[static_cast<std::size_t>(member)];
    return body >= 0 && columns[static_cast<std::size_t>(parameters_per_body * body + k)] >= 0;
  };
  for (const model::FoldedBody& folded : model::fold_bodies(tree).bodies) {
    for (const int member : folded.members) {
      for (int k = 0; k < parameters_per_body; ++k) {
        if (has(member, k) != has(folded.members.front(), k)) return false;
      }
    }
  }
  return true;
}

template void regressor(Context<Scalar>&);
template void regressor(Context<double>&);
template void base_regressor(Context<Scalar>&);

}  // namespace featherline::algorithms
