#include "model/regressor_columns.hpp"

#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "support/text.hpp"

#include <algorithm>

namespace featherline::model {
namespace {

/// By ColumnKind: the first ones as numbers that can be inputs are.
const std::vector<JointNumber>& kinds() {
  static const std::vector<JointNumber> all = [] {
    std::vector<JointNumber> rows(joint_numbers().begin(), joint_numbers().begin() + 4);
    rows.push_back({"offset", nullptr, "", rows.back().fits, rows.back().whose});
    rows.push_back({"rotor", nullptr, "", nullptr, "rotors"});
    return rows;
  }();
  return all;
}

const JointNumber& number_of(ColumnKind kind) { return kinds()[static_cast<std::size_t>(kind)]; }

[[noreturn]] void refuse_columns(const std::string& word, const std::string& why) {
  throw UsageError("--regressor-columns: " + word + why);
}

}  // namespace

std::vector<std::string> joint_column_words() {
  std::vector<std::string> words;
  for (const JointNumber& row : kinds()) words.emplace_back(row.word);
  return words;
}

std::vector<JointColumn> choose_joint_columns(const UserTree& tree, const std::vector<std::string>& words) {
  std::vector<JointColumn> columns;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (std::find(words.begin(), word, *word) != word) refuse_columns(*word, " is named twice; name it once");
    const auto row =
        std::ranges::find(kinds(), *word, [](const JointNumber& r) { return std::string(r.word); });
    const auto kind = static_cast<ColumnKind>(row - kinds().begin());
    const std::size_t before = columns.size();
    if (row->fits == nullptr) {
      for (const Rotor& rotor : tree.rotors)
        columns.push_back({kind, tree.bodies[static_cast<std::size_t>(rotor.joint)].joint.name, rotor});
    }
    for (const Body& body : tree.bodies) {
      if (row->fits != nullptr && row->fits(body.joint)) columns.push_back({kind, body.joint.name, {}});
    }
    if (columns.size() == before)
      refuse_columns(*word, std::string(": the robot has no ") + row->whose + "; leave it out");
  }
  return columns;
}

std::string name_of(const JointColumn& column) {
  return std::string(number_of(column.kind).word) + ":" + column.joint;
}

double value_of(const Tree& tree, const JointColumn& column) {
  if (column.is_rotor()) return column.rotor.inertia;
  const auto body = std::ranges::find(tree.bodies, column.joint, [](const Body& b) { return b.joint.name; });
  double Joint::*const value = number_of(column.kind).which;
  return value == nullptr ? 0.0 : body->joint.*value;
}

int num_regressor_columns(const Tree& tree) {
  return parameters_per_body * num_user_bodies(tree) + static_cast<int>(tree.joint_columns.size());
}

}  // namespace featherline::model
