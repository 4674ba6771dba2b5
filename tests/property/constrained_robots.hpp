#pragma once

#include "catalog/functions.hpp"
#include "model/tree.hpp"
#include "reference/expected.hpp"
#include "selection/choose.hpp"
#include "support/random_constraints.hpp"

#include <map>
#include <string>
#include <vector>

/// Random robots with random constraints, and what the functions about constraints give for them.
namespace featherline::test {

/// Outputs by name, flat, matrices column by column.
using Values = std::map<std::string, Eigen::VectorXd>;

Eigen::VectorXd flat(const Eigen::MatrixXd& A);
Eigen::MatrixXd matrix(const Eigen::VectorXd& values, Eigen::Index rows);

std::vector<const catalog::FunctionSpec*> constraint_functions();
/// Those that straight-line code without lanes computes.
std::vector<const catalog::Formulation*> formulations(const catalog::FunctionSpec& function,
                                                      const model::Tree& tree);

Values judged(const std::string& function, const model::Tree& tree, const reference::State& x);
/// What the judge says, then what each formulation gives. A function of a robot is traced once.
class AllWays {
 public:
  explicit AllWays(model::UserTree&& tree, bool common_frames = true) = delete;  // it keeps a reference
  explicit AllWays(const model::UserTree& tree, bool common_frames = true)
      : tree_(tree), traced_(in_chosen_frames(tree, common_frames)) {}

  std::vector<Values> operator()(const std::string& function, const reference::State& x);

 private:
  const model::UserTree& tree_;
  model::CanonicalTree traced_;
  std::map<std::string, std::vector<ir::Kernel>> kernels_;
};
/// The same, once.
std::vector<Values> all_ways(const std::string& function, const model::UserTree& tree,
                             const reference::State& x);

/// The condition of D, of the rows that count.
double condition_of(const model::Tree& tree, const reference::State& x);
/// What errors of forces and accelerations are held to at that condition.
double allowed_at(double condition);

reference::State state_of(const model::Tree& tree, std::uint64_t seed);

bool has_contacts(const model::Tree& tree);

/// All joint types, at and away from the root, fixed and floating, with and without coupled joints; one to four
/// constraints, some joints without motors, some robots with stabilisation, some robots with forces, gravity, payload,
/// anchors and gains as inputs.
model::UserTree constrained_robot(std::uint64_t seed);

}  // namespace featherline::test
