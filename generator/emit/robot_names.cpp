#include "emit/robot_names.hpp"

#include "emit/emit.hpp"
#include "emit/namer.hpp"
#include "emit/text.hpp"

namespace featherline::emit {

std::string emitted_name(const std::string& requested) { return identifier(requested, "robot"); }

std::vector<std::string> link_enumerators(const model::Tree& tree) {
  Namer namer("link");
  // The header's constants: g++ calls an enumerator of the same name shadowing.
  for (const char* constant : {"nq", "nv", "num_links", "num_joints", "joints", "joint_names", "link_names"})
    namer.reserve(constant);
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) names.push_back(namer.take(link.name));
  return names;
}

std::string array_body(const std::vector<std::string>& entries, const std::string& placeholder) {
  if (entries.empty()) return "    " + placeholder + "  // there is none: num_... is 0";
  return "    " + join(entries, ",\n    ") + ",";
}

std::string joint_name_rows(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const int i : independent_joints(tree))
    names.push_back(string_literal(tree.bodies[static_cast<std::size_t>(i)].joint.name));
  return array_body(names, "\"\"");
}

std::string link_name_rows(const model::Tree& tree) {
  std::vector<std::string> names;
  for (const model::Link& link : tree.links) names.push_back(string_literal(link.name));
  return array_body(names, "\"\"");
}

std::vector<std::string> pose_step_names(const model::CanonicalTree& tree) {
  Namer namer("body");
  namer.reserve("pose");       // a parameter, and
  namer.reserve("pose_step");  // the switch over the steps
  std::vector<std::string> names;
  for (const model::Body& body : tree.bodies) names.push_back(namer.take("pose_" + body.name));
  return names;
}

std::vector<int> independent_joints(const model::Tree& tree) {
  std::vector<int> bodies;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (tree.bodies[i].joint.mimics < 0) bodies.push_back(static_cast<int>(i));
  }
  return bodies;
}

}  // namespace featherline::emit
