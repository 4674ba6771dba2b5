#include "model/chosen_inputs.hpp"

#include "model/build_tree.hpp"
#include "model/tree.hpp"
#include "support/diagnostic.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <algorithm>

namespace featherline::model {
namespace {

constexpr const char *forces_flag = "--external-forces", *parameters_flag = "--parameters";
const std::string gravity_word = "gravity", payload_word = "payload", inertia_word = "inertia",
                  placement_word = "placement", anchors_word = "anchors",
                  stabilisation_word = "stabilisation";

std::vector<std::string> names_of_moving_links(const Tree& tree) {
  std::vector<std::string> names;
  for (const Link& link : tree.links) {
    if (link.body >= 0) names.push_back(link.name);
  }
  return names;
}

[[noreturn]] void refuse(const std::string& flag, const std::string& why) {
  throw UsageError(flag + ": " + why);
}

/// The index of a link that moves and is not yet in `taken`.
int find_link(const Tree& tree, const std::string& name, const std::string& flag,
              const std::vector<int>& taken) {
  const int link = find_named(tree.links, name);
  if (link < 0)
    refuse(flag, name == "world" ? "the world does not move; name a link behind a joint"
                                 : no_such("link", name, names_of_moving_links(tree)));
  if (tree.links[index(link)].body < 0)
    refuse(flag, "the link " + in_quotes(name) +
                     " is welded to the world, so nothing that acts on it has an effect; name a link behind "
                     "a joint, or say --base floating");
  if (std::ranges::find(taken, link) != taken.end())
    refuse(flag, "the link " + in_quotes(name) + " is named twice; name it once");
  return link;
}

std::string with_name(const std::string& word, const std::string& name) { return word + ":" + name; }

/// What the user may have meant by a word that is not a parameter: a link alone means its payload.
std::string nearest_parameter(const Tree& tree, const std::string& word) {
  std::vector<std::string> known{gravity_word, anchors_word, stabilisation_word};
  for (const std::string& link : names_of_moving_links(tree)) {
    if (link == word) return with_name(payload_word, link);
    known.push_back(with_name(payload_word, link));
    known.push_back(with_name(inertia_word, link));
  }
  for (const Body& body : tree.bodies) known.push_back(with_name(placement_word, body.joint.name));
  for (const JointNumber& number : joint_numbers()) {
    known.emplace_back(number.word);
    for (const Body& body : tree.bodies) known.push_back(with_name(number.word, body.joint.name));
  }
  return nearest_name(word, known);
}

/// Where the frame of the anchor is in the world with all joints at zero.
Eigen::Vector3d position_at_zero(const Tree& tree, const Anchor& anchor) {
  Eigen::Vector3d p = frame_in_body(tree, anchor).p;
  for (int i = body_of(tree, anchor); i >= 0; i = tree.bodies[index(i)].parent) {
    const Placement& X = tree.bodies[index(i)].joint.placement;
    p = X.R * p + X.p;
  }
  return p;
}

void add_anchors(const Tree& tree, ChosenInputs& chosen) {
  if (!chosen.anchors.empty()) refuse(parameters_flag, anchors_word + " is named twice; name it once");
  for (const Constraint& constraint : tree.constraints.all) {
    if (constraint.is_contact()) chosen.anchors.push_back(position_at_zero(tree, constraint.anchors.front()));
  }
  if (chosen.anchors.empty())
    refuse(parameters_flag,
           anchors_word + ": the robot has no contacts to hold; choose some with --contacts LINK,...");
}

void add_payload(const Tree& tree, const std::string& word, const std::string& head, const std::string& link,
                 ChosenInputs& chosen) {
  if (link.empty()) refuse(parameters_flag, in_quotes(word) + " names no link; write " + head + ":LINK");
  const bool replaces = head == inertia_word;
  std::vector<int> taken;
  for (const Payload& payload : chosen.payloads) {
    if (payload.replaces == replaces) taken.push_back(payload.link);
  }
  chosen.payloads.push_back({find_link(tree, link, parameters_flag, taken), replaces});
}

std::vector<std::string> valid_words() {
  std::vector<std::string> words{gravity_word, "payload:LINK",     "inertia:LINK",
                                 anchors_word, stabilisation_word, "placement:JOINT"};
  for (const JointNumber& number : joint_numbers()) words.emplace_back(number.word);
  return words;
}

void add_parameter(const Tree& tree, const std::string& word, ChosenInputs& chosen) {
  const std::size_t colon = std::min(word.find(':'), word.size());
  const std::string head = word.substr(0, colon), name = word.substr(std::min(colon + 1, word.size()));
  if (head == payload_word || head == inertia_word) return add_payload(tree, word, head, name, chosen);
  if (head == placement_word) return add_placement(tree, name, parameters_flag, chosen);
  const auto number = std::ranges::find(joint_numbers(), head, &JointNumber::word);
  if (number != joint_numbers().end())
    return add_joint_input(tree, *number, colon < word.size(), name, parameters_flag, chosen);
  if (word == anchors_word) return add_anchors(tree, chosen);
  if (word != gravity_word && word != stabilisation_word)
    refuse(parameters_flag, refuse_word(word, valid_words(), nearest_parameter(tree, word)));
  bool& is_chosen = word == gravity_word ? chosen.gravity : chosen.stabilisation;
  if (is_chosen) refuse(parameters_flag, word + " is named twice; name it once");
  is_chosen = true;
}

}  // namespace

int ChosenInputs::num_parameters() const {
  return first_of_stabilisation() + (stabilisation ? stabilisation_entries : 0);
}

int ChosenInputs::first_of_payload(std::size_t k) const {
  return (gravity ? gravity_entries : 0) + payload_entries * static_cast<int>(k);
}

int ChosenInputs::first_of_joints(std::size_t k) const {
  int first = first_of_anchor(anchors.size());
  for (std::size_t before = 0; before < k; ++before) first += static_cast<int>(joints[before].joints.size());
  return first;
}

std::vector<int> ChosenInputs::links_with_payloads() const { return each(payloads, &Payload::link); }

ChosenInputs choose_inputs(const UserTree& tree, const std::vector<std::string>& forces,
                           const std::vector<std::string>& parameters) {
  ChosenInputs chosen;
  for (const std::string& name : forces)
    chosen.forces.push_back(find_link(tree, name, forces_flag, chosen.forces));
  for (const std::string& word : parameters) add_parameter(tree, word, chosen);
  if (tree.clusters && chosen.has_geometry())
    refuse(parameters_flag,
           "placements and gears of a robot whose loops are eliminated cannot be inputs; leave out "
           "placement and gear, or keep the loops");
  return chosen;
}

std::vector<Parameter> parameters(const Tree& tree) {
  std::vector<Parameter> list;
  const auto add = [&](const std::string& name, const char* unit, std::vector<double> defaults) {
    const int first = list.empty() ? 0 : list.back().index + list.back().size();
    list.push_back({name, first, unit, std::move(defaults)});
  };
  if (tree.chosen.gravity)
    add(gravity_word, "m/s^2, world axes", {tree.gravity.data(), tree.gravity.data() + gravity_entries});
  for (const auto& [link, replaces] : tree.chosen.payloads) {
    const Link& carrier = tree.links[index(link)];
    const Parameters own = parameters_of(replaces ? carrier.inertia : Inertia{});
    add(with_name(replaces ? inertia_word : payload_word, carrier.name),
        "kg, kg m (3), kg m^2 (xx xy yy xz yz zz), link frame", {own.begin(), own.end()});
  }
  if (!tree.chosen.anchors.empty()) {
    std::vector<double> defaults;
    for (const Eigen::Vector3d& anchor : tree.chosen.anchors)
      defaults.insert(defaults.end(), {anchor.x(), anchor.y(), anchor.z()});
    add(anchors_word, "m, world axes, three of each contact", std::move(defaults));
  }
  for (const auto& [number, of_all, joints, defaults] : tree.chosen.joints) {
    add(of_all ? number->word : with_name(number->word, joints.front()), number->unit, defaults);
    list.back().joints = joints;
  }
  for (const std::string& joint : tree.chosen.placements)
    add(with_name(placement_word, joint), "m (3), rad (3, rotation vector), joint frame",
        std::vector<double>(placement_entries, 0.0));
  if (tree.chosen.stabilisation)
    add(stabilisation_word, "KP [1/s^2], KD [1/s]", {tree.constraints.kp, tree.constraints.kd});
  return list;
}

Tree with_values(const Tree& tree, const Eigen::VectorXd& fext, const Eigen::VectorXd& p) {
  Tree result = tree;
  result.chosen = {};
  for (std::size_t k = 0; k < tree.chosen.forces.size(); ++k) {
    const auto first = static_cast<Eigen::Index>(force_entries * k);
    result.applied_forces.push_back(
        {tree.chosen.forces[k], fext.segment<3>(first), fext.segment<3>(first + 3)});
  }
  if (tree.chosen.gravity) result.gravity = p.head<gravity_entries>();
  for (std::size_t k = 0; k < tree.chosen.payloads.size(); ++k) {
    const Link& link = tree.links[index(tree.chosen.payloads[k].link)];
    Parameters more = p.segment<payload_entries>(tree.chosen.first_of_payload(k));
    if (tree.chosen.payloads[k].replaces) more -= parameters_of(link.inertia);
    result.bodies[index(link.body)].inertia += inertia_of(more).expressed_in(link.placement);
  }
  for (std::size_t k = 0; k < tree.chosen.anchors.size(); ++k)
    result.constraints.all[k].held_at = p.segment<anchor_entries>(tree.chosen.first_of_anchor(k));
  if (tree.chosen.stabilisation) {
    result.constraints.kp = p[tree.chosen.first_of_stabilisation()];
    result.constraints.kd = p[tree.chosen.first_of_stabilisation() + 1];
  }
  for (std::size_t i = 0; i < result.bodies.size(); ++i) {
    Body& body = result.bodies[i];
    const int placed = tree.chosen.placement_of(tree, i);
    Placement& X = body.joint.placement;
    if (placed >= 0) X = X * placement_of(p.segment<placement_entries>(placed));
    for (const JointNumber& number : joint_numbers()) {
      const auto [place, more] = tree.chosen.entry_of(number.which, body.joint);
      if (place >= 0) body.joint.*number.which = p[place] + more;
    }
  }
  return result;
}

}  // namespace featherline::model
