#pragma once

#include "emit/emit.hpp"
#include "support/json.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

/// What is said about equal limbs (model/limbs.hpp).
namespace featherline::emit {

/// One object for each group: the names of its limbs, the body that carries them (null: the world), and the joints of
/// each limb in the same order.
Json limbs_json(const model::UserTree& tree);

/// For the doc comment of the header: one line for each group. Nothing for a robot without equal limbs.
std::string limbs_comment(const model::UserTree& tree);

/// Patterns of lanes that have the other sign in values called mir_..., by the number of lanes.
using MirroredLanes = std::map<int, std::set<std::vector<int>>>;
MirroredLanes mirrored_lanes(const Request& request);

/// For the reading guide: the types of values in lanes, which limb is in which lane, and which ones are mirrored.
std::string lanes_table(const model::FoldedTree& tree, const MirroredLanes& mirrored);
/// "w2 holds w of bodies 2, 5, 8 and 11": an example from the first group.
std::string lanes_example(const model::FoldedTree& tree);

}  // namespace featherline::emit
