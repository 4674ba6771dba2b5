#include "algorithms/steps/steps.hpp"

#include "algorithms/whole_body/whole_body.hpp"
#include "model/limbs.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Entries = std::vector<StoredEntry>;

/// The entries of a matrix that is not in lanes.
Entries entries_of(const SquareMatrix& A) {
  Entries entries;
  for (const Scalar& x : A.column_major()) entries.push_back({{static_cast<int>(entries.size())}, x});
  std::erase_if(entries, [](const StoredEntry& e) { return e.value.is_zero(); });
  return entries;
}

/// The rows of some columns of A and B: of q' and of v'.
struct Rows {
  Entries of_q, of_v;
};

/// The columns of A.
Entries columns_of_state(int n, const Rows& by_q, const Rows& by_v) {
  Entries A;
  place_block(by_q.of_q, n, 0, 0, 2 * n, A);
  place_block(by_q.of_v, n, n, 0, 2 * n, A);
  place_block(by_v.of_q, n, 0, n, 2 * n, A);
  place_block(by_v.of_v, n, n, n, 2 * n, A);
  return A;
}

void write(Context& c, const Rows& by_q, const Rows& by_v, const Rows& by_tau) {
  const int n = c.full_tree().nv;
  Entries B;
  place_block(by_tau.of_q, n, 0, 0, 2 * n, B);
  place_block(by_tau.of_v, n, n, 0, 2 * n, B);
  c.output("A", columns_of_state(n, by_q, by_v));
  c.output("B", B);
}

/// The semi-implicit step. Matrices are entries of full ones, in lanes where the tree is folded.
class SemiImplicit {
 public:
  SemiImplicit(Context& c, const Coordinates& a)
      : c_(c),
        n_(c.full_tree().nv),
        of_position_(position_derivatives(c, scaled(c.dt(), plus(c.input("v"), c.dt(), a)))) {
    for (int i = 0; i < c.num_bodies(); ++i) {
      const model::Joint& joint = c.joint(i);
      if (joint.mimics >= 0 || joint.row().steps_add()) continue;
      for (int k = joint.idx_v; k < joint.idx_v + joint.nv; ++k) joint_of_row_[full(k)] = &joint;
    }
  }

  /// The first `columns` columns by q, or by v, of which there may be no more.
  Rows by_q(const Entries& da_dq, int columns) const {
    Rows rows{{}, in_a_step(da_dq)};
    rows.of_q = moved(rows.of_v);
    add(position_by_position(columns), rows.of_q);
    return rows;
  }
  Rows by_v(const Entries& da_dv, int columns) const {
    std::map<int, Scalar> identity;
    for (int k = 0; k < columns; ++k) identity[k * (n_ + 1)] = 1.0;
    Rows rows{{}, in_a_step(da_dv)};
    add(identity, rows.of_v);
    rows.of_q = moved(rows.of_v);
    return rows;
  }
  Rows by_tau(const Entries& da_dtau) const {
    Entries of_v = in_a_step(da_dtau);
    return {moved(of_v), of_v};
  }
  void write(const Entries& da_dq, const Entries& da_dv, const Entries& da_dtau) const {
    algorithms::write(c_, by_q(da_dq, n_), by_v(da_dv, n_), by_tau(da_dtau));
  }

 private:
  /// Where a coordinate of the folded tree is in the full one; of a limb, the first.
  int full(int k) const { return c_.folding().velocities[index(k)].front(); }

  /// dt x.
  Entries in_a_step(Entries entries) const {
    for (StoredEntry& e : entries) c_.keep(e.value = c_.dt() * e.value);
    return entries;
  }

  /// dt P_v x.
  Entries moved(const Entries& rates) const {
    Entries result;
    std::map<std::pair<const model::Joint*, std::vector<int>>, Coordinates> of_joints;  // by columns
    for (const StoredEntry& e : rates) {
      const auto found = joint_of_row_.find(e.places.front() % n_);
      if (found == joint_of_row_.end()) {
        result.push_back({e.places, c_.dt() * e.value});
        continue;
      }
      const model::Joint& joint = *found->second;
      Coordinates& x = of_joints[{&joint, each(e.places, [&](int place) { return place / n_; })}];
      x.resize(index(joint.nv));
      x[index(found->first - full(joint.idx_v))] = c_.dt() * e.value;
    }
    for (const auto& [key, x] : of_joints) {
      const auto& [joint, columns] = key;
      for (int r = joint->idx_v; r < joint->idx_v + joint->nv; ++r) {
        Scalar sum;
        for (int k = 0; k < joint->nv; ++k) sum += of_position_.ddv(r, joint->idx_v + k) * x[index(k)];
        if (!sum.is_zero()) result.push_back({matrix_places({full(r)}, columns, n_), sum});
      }
    }
    for (const StoredEntry& e : result) c_.keep(e.value);
    return result;
  }

  /// The first columns of P_q, by place.
  std::map<int, Scalar> position_by_position(int columns) const {
    std::map<int, Scalar> entries;
    for (int c = 0; c < c_.nv() && full(c) < columns; ++c) {
      for (const int same : c_.folding().velocities[index(c)]) entries[same * (n_ + 1)] = 1.0;
      if (joint_of_row_.count(full(c)) == 0) continue;
      for (int r = 0; r < c_.nv(); ++r) {
        if (!of_position_.dq(r, c).is_zero()) entries[full(r) + n_ * full(c)] = of_position_.dq(r, c);
      }
    }
    return entries;
  }

  /// Adds numbers at places of the full matrix.
  void add(std::map<int, Scalar> numbers, Entries& entries) const {
    for (StoredEntry& e : entries) {
      const auto lanes = static_cast<int>(e.places.size());
      const auto is_met = [&](int place) { return numbers.count(place) > 0; };
      const bool meets_all = std::ranges::all_of(e.places, is_met);
      if (meets_all) e.value += numbers.at(e.places.front());  // in limbs all are one
      for (int lane = 0; lane < lanes; ++lane) {
        const int place = e.places[index(lane)];
        if (!meets_all && is_met(place)) e.value += c_.only_lane(lane, lanes, numbers.at(place));
        numbers.erase(place);
      }
      c_.keep(e.value);
    }
    for (const auto& [place, x] : numbers) entries.push_back({{place}, x});
  }

  Context& c_;
  int n_;
  PositionDerivatives of_position_;                  ///< P_q and P_v, by coordinate of the folded tree
  std::map<int, const model::Joint*> joint_of_row_;  ///< of the full tree, where steps do not add
};

SquareMatrix operator*(const SquareMatrix& A, const SquareMatrix& B) {
  SquareMatrix C(A.size());
  for (int c = 0; c < A.size(); ++c) C.set_column(c, A * B.column(c));
  return C;
}
void add_matrix(SquareMatrix& sum, const Scalar& x, const SquareMatrix& A) {
  for (int c = 0; c < A.size(); ++c) sum.set_column(c, plus(sum.column(c), x, A.column(c)));
}

/// Derivatives of a vector with respect to q, v and tau.
struct Rates {
  SquareMatrix q, v, tau;

  explicit Rates(int n) : q(n), v(n), tau(n) {}

  void add(const Scalar& x, const Rates& more) {
    add_matrix(q, x, more.q);
    add_matrix(v, x, more.v);
    add_matrix(tau, x, more.tau);
  }
  friend Rates operator*(const SquareMatrix& A, const Rates& x) {
    Rates product(A.size());
    product.q = A * x.q;
    product.v = A * x.v;
    product.tau = A * x.tau;
    return product;
  }
};

SquareMatrix identity(int n) {
  SquareMatrix one(n);
  for (int k = 0; k < n; ++k) one(k, k) = 1.0;
  return one;
}

/// Of q (+) time v.
Rates rates_of_position(Context& c, const Scalar& time, const Coordinates& v, const Rates& of_v) {
  const PositionDerivatives d = position_derivatives(c, scaled(time, v));
  Rates of_step(c.nv());
  of_step.add(time, of_v);
  Rates rates = d.ddv * of_step;
  add_matrix(rates.q, 1.0, d.dq);
  return rates;
}

void keep(Context& c, const Rates& rates) {
  for (const SquareMatrix* A : {&rates.q, &rates.v, &rates.tau}) c.keep(A->column_major());
}

/// The stages of steps.hpp, each with its derivatives.
void runge_kutta(Context& c, Linearisation* linear) {
  const Coordinates &q = c.input("q"), &v = c.input("v"), &tau = c.input("tau");
  const int n = c.nv();
  const Scalar dt = c.dt(), half = Scalar(0.5) * dt, sixth = Scalar(1.0 / 6.0) * dt;
  Coordinates q_i = q, v_i = v, sum_v = c.zeros();
  Rates of_q(n), of_v(n), of_sum_v(n), next_v(n);
  of_q.q = identity(n);
  next_v.v = of_v.v = identity(n);
  const Rates start = of_v;
  for (const int stage : {1, 2, 3, 4}) {
    Context at = c.at(q_i);
    const LinearDynamics d = linear(at, v_i, tau);
    const Scalar weight(stage == 2 || stage == 3 ? 2.0 : 1.0), &reach = stage == 3 ? dt : half;
    c.begin_section("stage " + std::to_string(stage));
    Rates of_a = d.da_dq * of_q;
    of_a.add(1.0, d.da_dv * of_v);
    add_matrix(of_a.tau, 1.0, d.da_dtau);
    keep(c, of_a);
    add_multiple(sum_v, weight, v_i);
    of_sum_v.add(weight, of_v);
    next_v.add(weight * sixth, of_a);
    if (stage == 4) break;
    of_q = rates_of_position(c, reach, v_i, of_v);
    q_i = position_after(c, q, scaled(reach, v_i));
    v_i = c.keep(plus(v, reach, d.a));
    of_v = start;
    of_v.add(reach, of_a);
    keep(c, of_q);
    keep(c, of_v);
  }
  const Rates next_q = rates_of_position(c, sixth, sum_v, of_sum_v);
  write(c, {entries_of(next_q.q), entries_of(next_v.q)}, {entries_of(next_q.v), entries_of(next_v.v)},
        {entries_of(next_q.tau), entries_of(next_v.tau)});
}

}  // namespace

void step_derivatives(Context& c, Linearisation* linear) {
  if (c.full_tree().integrator == model::Integrator::rk4) return runge_kutta(c, linear);
  const LinearDynamics d = linear(c, c.input("v"), c.input("tau"));
  c.begin_section("step");
  SemiImplicit(c, d.a).write(entries_of(d.da_dq), entries_of(d.da_dv), entries_of(d.da_dtau));
}

void step_derivatives_in_lanes(Context& c) {
  const StoredDynamics d = stored_dynamics_in_lanes(c);
  c.begin_section("step");
  SemiImplicit(c, d.a).write(d.da_dq, d.da_dv, d.da_dtau);
}

std::vector<StoredEntry> columns_of_step(Context& c, const Coordinates& a, const SquareMatrix& da_dq,
                                         const SquareMatrix& da_dv, int columns_q, int columns_v) {
  const SemiImplicit step(c, a);
  return columns_of_state(c.nv(), step.by_q(entries_of(da_dq), columns_q),
                          step.by_v(entries_of(da_dv), columns_v));
}

bool steps_fit_limbs(const model::Tree& tree) {
  const auto fits = [&](const model::FoldedBody& body) {
    return body.lanes() == 1 || tree.bodies[index(body.members.front())].joint.row().steps_add();
  };
  return tree.integrator == model::Integrator::semi_implicit &&
         std::ranges::all_of(model::fold_bodies(tree).bodies, fits);
}

bool stages_fit_limbs(const model::Tree& tree) {
  return tree.integrator == model::Integrator::rk4 || steps_fit_limbs(tree);
}

}  // namespace featherline::algorithms
