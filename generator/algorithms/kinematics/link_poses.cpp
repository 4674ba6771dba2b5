#include "algorithms/kinematics/kinematics.hpp"

#include "algorithms/kinematics/world_axes.hpp"
#include "support/diagnostic.hpp"

#include <algorithm>
#include <optional>

namespace featherline::algorithms {
namespace {

std::vector<int> links_on(const model::Tree& tree, int body) {
  std::vector<int> list;
  for (int l = 0; l < static_cast<int>(tree.links.size()); ++l) {
    if (tree.links[index(l)].body == body) list.push_back(l);
  }
  return list;
}

/// By link of the folded body, the links of all limbs; nothing if a limb has more links than another.
using Lanes = std::vector<std::vector<int>>;
std::optional<Lanes> links_by_lane(const model::Tree& tree, const model::FoldedBody& body) {
  Lanes links;
  for (const int member : body.members) {
    const std::vector<int> carried = links_on(tree, member);
    if (member == body.members.front()) links.resize(carried.size());
    if (carried.size() != links.size()) return std::nullopt;
    for (std::size_t k = 0; k < carried.size(); ++k) links[k].push_back(carried[k]);
  }
  return links;
}

class LinkPoses {
 public:
  explicit LinkPoses(Context& context) : c_(context), axes_(context), origins_(index(context.num_bodies())) {}

  void run() {
    for (const int link : links_on(c_.full_tree(), -1)) {
      const Placement X = placement({link});
      store({link}, X.R, X.p);
    }
    for (int i = 0; i < c_.num_bodies(); ++i) {
      c_.begin_section(i, "poses");
      axes_.outward(i);
      origins_[index(i)] = c_.label(origin(i), c_.of_body("p", i));
      const std::optional<Lanes> links = links_by_lane(c_.full_tree(), c_.folding().bodies[index(i)]);
      if (!links) throw InternalError("equal limbs carry different links");
      for (const std::vector<int>& lanes : *links) store_link(i, lanes);
    }
    c_.output("p", p_);
    c_.output("R", R_);
  }

 private:
  struct Placement {
    Matrix3 R;
    Vector3 p;
  };

  Vector3 origin(int i) const {
    const Vector3 offset = axes_.offset(i);
    const int parent = c_.parent(i);
    return parent < 0 ? offset : origins_[index(parent)] + axes_.body(parent).R_WG * offset;
  }

  template <class Get>
  Scalar number(const std::vector<int>& links, const Get& get) const {
    std::vector<double> values;
    for (const int link : links) values.push_back(get(c_.full_tree().links[index(link)].placement));
    return values.size() > 1 ? c_.number_in_lanes(values) : Scalar(values.front());
  }
  /// In the body.
  Placement placement(const std::vector<int>& links) const {
    Placement X;
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k)
        X.R(r, k) = number(links, [&](const model::Placement& of_link) { return of_link.R(r, k); });
    }
    const auto entry = [&](int k) {
      return number(links, [&](const model::Placement& of_link) { return of_link.p[k]; });
    };
    X.p = {entry(0), entry(1), entry(2)};
    return X;
  }

  void store_link(int body, const std::vector<int>& links) {
    const Placement X = placement(links);
    const BodyAxes& axes = axes_.body(body);
    // R_WB is there already, unless the link turns with the joint's axis.
    const bool turns_with_joint = X.R(2, 2) == Scalar(1.0);
    const Vector3 arm = turns_with_joint ? axes.to_world(X.p) : axes.R_WB() * X.p;
    store(links, axes.followed_by(X.R), origins_[index(body)] + arm);
  }

  void store(const std::vector<int>& links, const Matrix3& R, const Vector3& p) {
    for (int k = 0; k < 3; ++k) add(p_, links, 3, k, p[k]);
    for (int k = 0; k < 9; ++k) add(R_, links, 9, k, R(k % 3, k / 3));
  }
  void add(std::vector<StoredEntry>& entries, const std::vector<int>& links, int size, int k,
           const Scalar& x) {
    if (x.is_zero()) return;
    c_.keep(x);
    StoredEntry entry{{}, x};
    for (const int link : links) entry.places.push_back(size * link + k);
    entries.push_back(std::move(entry));
  }

  Context& c_;
  WorldAxes axes_;
  std::vector<Vector3> origins_;
  std::vector<StoredEntry> p_, R_;
};

}  // namespace

void link_poses(Context& c) { LinkPoses(c).run(); }

bool links_fit_limbs(const model::Tree& tree) {
  const model::Folding folding = model::fold_bodies(tree);
  return std::all_of(folding.bodies.begin(), folding.bodies.end(),
                     [&](const model::FoldedBody& body) { return links_by_lane(tree, body).has_value(); });
}

}  // namespace featherline::algorithms
