#include "model/clusters.hpp"

#include "description/checks.hpp"
#include "description/description.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace featherline::model {
namespace {

template <class Steps, class F>
void for_each_dependent(const Steps& step, const F& f) {
  if (const auto* loop = std::get_if<PlanarLoop>(&step)) {
    f(loop->chain[loop->first].of);
    f(loop->chain[loop->second].of);
  } else {
    f(std::get<LinearStep>(step).of);
  }
}

template <class F>
void for_each_needed(const ClusterStep& step, const F& f) {
  if (const auto* loop = std::get_if<PlanarLoop>(&step)) {
    for (std::size_t k = 0; k < loop->chain.size(); ++k) {
      if (k != loop->first && k != loop->second) f(loop->chain[k].of);
    }
  } else {
    for (const LinearStep::Term& term : std::get<LinearStep>(step).terms) f(term.of);
  }
}

class Elimination {
 public:
  Elimination(const description::Description& robot, const std::vector<std::string>& names, UserTree& tree,
              Diagnostics& findings)
      : robot_(robot), tree_(tree), findings_(findings) {
    for (const description::Constraint& constraint : robot.constraints) {
      if (constraint.eliminate || std::ranges::count(names, constraint.name) > 0)
        marked_.push_back(&constraint);
    }
  }

  void run() {
    if (marked_.empty()) return;
    clusters_.nq = tree_.nq;
    clusters_.nv = tree_.nv;
    for (Body& body : tree_.bodies) body.joint.all = {body.joint.idx_q, body.joint.idx_v};
    add_couplings();
    for (const description::Constraint* read : marked_) {
      if (read->terms.empty() && !findings_.has_errors()) add_loop(*read);
    }
    if (findings_.has_errors()) return;
    order_steps();
    if (findings_.has_errors()) return;
    number_coordinates();
    list_clusters();
    check_assembly();
    warn_of_half_turns();
    tree_.clusters = std::make_shared<const Clusters>(std::move(clusters_));
  }

 private:
  void error(const description::Constraint& at, const std::string& what, const std::string& remedy) {
    const char* held = tree_.locked.empty() ? "" : "with the joints of --lock held, ";
    findings_.error(description::at(robot_, at, at.line), held + ("loop " + in_quotes(at.name) + " " + what),
                    remedy);
  }

  int body_named(const std::string& joint) const {
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      if (tree_.bodies[i].joint.name == joint) return static_cast<int>(i);
    }
    return -1;
  }
  const Joint& joint(int body) const { return tree_.bodies[index(body)].joint; }
  const std::string& joint_of(CoordinateIndex of) const {
    const auto has = [&](const Body& body) {
      return (body.joint.mimics < 0 || body.joint.is_eliminated) && body.joint.all.q == of.q;
    };
    return std::ranges::find_if(tree_.bodies, has)->joint.name;
  }

  int member(const description::Constraint& loop, const std::string& name) {
    return coupled_body(robot_, loop, name, tree_, findings_);
  }
  /// Takes it from the constraints of the tree.
  Constraint taken(const description::Constraint& read) {
    const auto found = std::ranges::find(tree_.constraints.all, read.name, &Constraint::name);
    Constraint constraint = std::move(*found);
    tree_.constraints.all.erase(found);
    tree_.constraints.number_rows();
    return constraint;
  }

  // ---- couplings: rows A q = b, brought to echelon form ----

  void add_couplings() {
    std::vector<int> bodies;  // columns
    std::vector<const description::Constraint*> owners;
    std::vector<std::string> kept;
    for (const description::Constraint* read : marked_) {
      if (read->terms.empty()) continue;
      owners.push_back(read);
      kept.insert(kept.end(), read->independent.begin(), read->independent.end());
      clusters_.couplings.push_back(taken(*read));
      for (const auto& term : clusters_.couplings.back().terms) {
        if (std::ranges::count(bodies, term.body) == 0) bodies.push_back(term.body);
      }
    }
    if (owners.empty() || findings_.has_errors()) return;
    // Joints that are to stay independent are the last ones that a row is solved for;
    // of the others the last come first.
    std::ranges::sort(bodies, [&](int a, int b) {
      const bool a_stays = std::ranges::count(kept, joint(a).name) > 0,
                 b_stays = std::ranges::count(kept, joint(b).name) > 0;
      return a_stays != b_stays ? b_stays : a > b;
    });
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(std::ssize(owners), std::ssize(bodies) + 1);
    for (std::size_t r = 0; r < owners.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      for (const auto& [body, coefficient] : clusters_.couplings[r].terms)
        rows(row, std::ranges::find(bodies, body) - bodies.begin()) += coefficient;
      rows(row, std::ssize(bodies)) = clusters_.couplings[r].offset;
    }
    solve(rows, bodies, owners);
  }

  void solve(Eigen::MatrixXd rows, const std::vector<int>& bodies,
             std::vector<const description::Constraint*> owners) {
    std::vector<Eigen::Index> pivots;
    for (Eigen::Index column = 0; column < std::ssize(bodies) && std::ssize(pivots) < rows.rows(); ++column) {
      const Eigen::Index done = std::ssize(pivots);
      Eigen::Index best = 0;
      const double largest = rows.col(column).tail(rows.rows() - done).cwiseAbs().maxCoeff(&best);
      if (!(largest > 1e-12 * rows.cwiseAbs().maxCoeff())) continue;
      rows.row(done).swap(rows.row(done + best));
      std::swap(owners[index(static_cast<int>(done))], owners[index(static_cast<int>(done + best))]);
      rows.row(done) /= rows(done, column);
      for (Eigen::Index r = 0; r < rows.rows(); ++r) {
        if (r != done) rows.row(r) -= Eigen::RowVectorXd(rows(r, column) * rows.row(done));
      }
      pivots.push_back(column);
    }
    if (std::ssize(pivots) < rows.rows()) {
      Eigen::Index worst = 0;
      const double left =
          rows.col(std::ssize(bodies)).tail(rows.rows() - std::ssize(pivots)).cwiseAbs().maxCoeff(&worst);
      return error(*owners[pivots.size() + static_cast<std::size_t>(worst)],
                   std::string("couples no joints that other couplings leave free: it ") +
                       (left > 1e-9 ? "contradicts" : "repeats") + " them",
                   "remove it");
    }
    for (std::size_t r = 0; r < pivots.size(); ++r) {
      const auto row = static_cast<Eigen::Index>(r);
      const Joint& of = joint(bodies[static_cast<std::size_t>(pivots[r])]);
      LinearStep step{of.all, {}, rows(row, std::ssize(bodies))};
      for (std::size_t c = 0; c < bodies.size(); ++c) {
        const double factor = -rows(row, static_cast<Eigen::Index>(c));
        if (static_cast<Eigen::Index>(c) != pivots[r] && std::abs(factor) > 1e-14)
          step.terms.push_back({joint(bodies[c]).all, factor});
      }
      if (step.terms.empty())
        return error(*owners[r], "holds joint " + in_quotes(of.name) + " still",
                     fmt::format("lock it with --lock {}={:.12g}", of.name, step.offset));
      if (std::ranges::count(owners[r]->independent, of.name) > 0)
        return error(*owners[r],
                     "cannot have joint " + in_quotes(of.name) + " independent: it follows from the others",
                     "leave it out of independent=\"...\"");
      own(*owners[r], step);
    }
  }

  // ---- loops ----

  void add_loop(const description::Constraint& read) {
    const Constraint constraint = taken(read);
    std::vector<bool> follows(tree_.bodies.size(), false);
    for (std::size_t i = 0; i < follows.size(); ++i)
      follows[i] = owners_.contains(joint(static_cast<int>(i)).all.q);
    for (const std::string& name : read.independent) member(read, name);
    const LoopGeometry geometry = loop_geometry(tree_, constraint, read, follows);
    if (!geometry.problem.empty()) return error(read, geometry.problem, geometry.remedy);
    for (const ClusterStep& step : geometry.steps) own(read, step);
    clusters_.loops.push_back(constraint);
    const auto end = [&](const Anchor& at) {
      return Link{read.name, body_of(tree_, at), frame_in_body(tree_, at)};
    };
    clusters_.ends.push_back({end(constraint.anchors[0]), end(constraint.anchors[1])});
  }

  void own(const description::Constraint& owner, const ClusterStep& step) {
    for_each_dependent(step, [&](CoordinateIndex of) { owners_[of.q] = steps_.size(); });
    steps_.push_back(step);
    step_owners_.push_back(&owner);
  }

  // ---- what all steps make ----

  /// Each step behind those that it needs.
  void order_steps() {
    enum { open, entered, placed };
    std::vector<int> states(steps_.size(), open);
    const std::function<void(std::size_t)> place = [&](std::size_t k) {
      if (states[k] == entered && !findings_.has_errors())
        error(*step_owners_[k], "needs a joint that itself follows from it",
              "choose other joints with independent=\"...\", or let one loop of the robot be a constraint");
      if (states[k] != open) return;
      states[k] = entered;
      for_each_needed(steps_[k], [&](CoordinateIndex of) {
        if (const auto other = owners_.find(of.q); other != owners_.end()) place(other->second);
      });
      states[k] = placed;
      clusters_.steps.push_back(steps_[k]);
    };
    for (std::size_t k = 0; k < steps_.size(); ++k) place(k);
  }

  /// A joint that the coordinate follows from, through all steps.
  CoordinateIndex driver_of(CoordinateIndex of) const {
    for (auto owner = owners_.find(of.q); owner != owners_.end(); owner = owners_.find(of.q)) {
      std::optional<CoordinateIndex> needed;
      for_each_needed(steps_[owner->second], [&](CoordinateIndex other) { needed = needed.value_or(other); });
      of = *needed;
    }
    return of;
  }

  void number_coordinates() {
    clusters_.positions.assign(index(clusters_.nq), -1);
    clusters_.velocities.assign(index(clusters_.nv), -1);
    tree_.nq = tree_.nv = 0;
    for (Body& body : tree_.bodies) {
      Joint& own = body.joint;
      own.is_eliminated = own.mimics < 0 && owners_.contains(own.all.q);
      if (own.mimics >= 0 || own.is_eliminated) continue;
      own.idx_q = tree_.nq;
      own.idx_v = tree_.nv;
      for (int k = 0; k < own.nq; ++k) clusters_.positions[index(own.all.q + k)] = tree_.nq++;
      for (int k = 0; k < own.nv; ++k) clusters_.velocities[index(own.all.v + k)] = tree_.nv++;
    }
    for (Body& body : tree_.bodies) {
      if (body.joint.is_eliminated) body.joint.mimics = body_named(joint_of(driver_of(body.joint.all)));
    }
    for (Body& body : tree_.bodies) {
      int driver = body.joint.mimics;
      if (driver < 0) continue;
      while (joint(driver).mimics >= 0) driver = joint(driver).mimics;
      body.joint.idx_q = joint(driver).idx_q;
      body.joint.idx_v = joint(driver).idx_v;
    }
    for (NamedPosition& position : tree_.positions) {
      std::vector<double> y(index(tree_.nq));
      for (std::size_t k = 0; k < clusters_.positions.size(); ++k) {
        if (clusters_.positions[k] >= 0) y[index(clusters_.positions[k])] = position.q[k];
      }
      position.q = y;
    }
  }

  /// Steps that share joints are one cluster.
  void list_clusters() {
    std::vector<std::size_t> group(steps_.size());
    std::iota(group.begin(), group.end(), 0U);
    std::map<int, std::size_t> seen;
    const auto join = [&](std::size_t a, std::size_t b) {
      const std::size_t from = group[a], to = group[b];
      std::ranges::replace(group, from, to);
    };
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const auto meet = [&](CoordinateIndex of) {
        const auto [other, is_new] = seen.try_emplace(of.q, k);
        if (!is_new) join(k, other->second);
      };
      for_each_dependent(steps_[k], meet);
      for_each_needed(steps_[k], meet);
    }
    std::map<std::size_t, Cluster> found;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      std::vector<std::string>& loops = found[group[k]].loops;
      if (std::ranges::count(loops, step_owners_[k]->name) == 0) loops.push_back(step_owners_[k]->name);
    }
    for (const auto& [q, step] : seen) {
      Cluster& cluster = found[group[step]];
      (owners_.contains(q) ? cluster.dependent : cluster.independent).push_back(joint_of({q, 0}));
    }
    for (auto& [key, cluster] : found) clusters_.all.push_back(std::move(cluster));
  }

  /// Random positions, as the judge draws them, must meet some at which all loops close.
  void check_assembly() {
    if (clusters_.is_linear()) return;
    std::mt19937 random(1);
    if (random_closed_position(tree_, clusters_, random)) return;
    const auto is_loop = [](const description::Constraint* read) { return read->terms.empty(); };
    error(**std::ranges::find_if(marked_, is_loop), "cannot be assembled, or hardly ever",
          "correct the places of <first> and <second>, or choose other joints with independent=\"...\"");
  }

  /// Angles that follow from bars are within half a turn. A whole number of turns more makes no difference, so
  /// couplings by whole numbers may take them.
  void warn_of_half_turns() {
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const auto* sum = std::get_if<LinearStep>(&steps_[k]);
      if (sum == nullptr) continue;
      for (const LinearStep::Term& term : sum->terms) {
        const auto owner = owners_.find(term.of.q);
        if (owner == owners_.end() || std::holds_alternative<LinearStep>(steps_[owner->second])) continue;
        const auto& chain = std::get<PlanarLoop>(steps_[owner->second]).chain;
        const auto is_of_term = [&](const PlanarLoop::Link& link) { return link.of.q == term.of.q; };
        if (!std::ranges::find_if(chain, is_of_term)->turns) continue;
        if (std::abs(term.factor - std::round(term.factor)) < 1e-9) continue;
        const description::Constraint& at = *step_owners_[k];
        findings_.warning(
            "half-turn", description::at(robot_, at, at.line),
            fmt::format(
                "loop {} multiplies the angle of joint {} by {}, and that follows from loop {} within "
                "half a turn",
                in_quotes(at.name), in_quotes(joint_of(term.of)), term.factor,
                in_quotes(step_owners_[owner->second]->name)),
            "the positions jump where it passes half a turn: place its zero so that it never does");
      }
    }
  }

  const description::Description& robot_;
  UserTree& tree_;
  Diagnostics& findings_;
  std::vector<const description::Constraint*> marked_;
  Clusters clusters_;
  std::vector<ClusterStep> steps_;
  std::vector<const description::Constraint*> step_owners_;
  std::map<int, std::size_t> owners_;  ///< by position of all joints: the step that it follows from
};

void refuse_names(const description::Description& robot, const std::vector<std::string>& names) {
  std::vector<std::string> loops;
  for (const description::Constraint& constraint : robot.constraints) {
    if (constraint.ends.size() == 2 || !constraint.terms.empty()) loops.push_back(constraint.name);
  }
  for (const std::string& name : names) {
    if (std::ranges::count(loops, name) == 0)
      throw UsageError("--eliminate: " + no_such("loop", name, loops));
    if (std::ranges::count(names, name) > 1)
      throw UsageError("--eliminate: loop " + in_quotes(name) + " is named twice; name it once");
  }
}

}  // namespace

bool Clusters::is_linear() const {
  return std::ranges::all_of(steps,
                             [](const auto& step) { return std::holds_alternative<LinearStep>(step); });
}

void eliminate_loops(const description::Description& robot, const std::vector<std::string>& names,
                     UserTree& tree, Diagnostics& findings) {
  refuse_names(robot, names);
  Elimination(robot, names, tree, findings).run();
}

}  // namespace featherline::model
