#include "urdf/checks.hpp"
#include "urdf/checks/locate.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace featherline::urdf {
namespace {

constexpr int none = -1;

/// The links as numbers, each with the joint that carries it.
class Structure {
 public:
  Structure(const Description& description, Diagnostics& diagnostics)
      : description_(description), diagnostics_(diagnostics), carrier_(description.links.size(), none) {
    for (std::size_t i = 0; i < description.links.size(); ++i) {
      const std::string& name = description.links[i].name;
      unnamed_link_ = unnamed_link_ || name.empty();
      ambiguous_ = !link_of_name_.emplace(name, static_cast<int>(i)).second || ambiguous_;
    }
    parent_of_joint_.reserve(description.joints.size());
    for (const Joint& joint : description.joints) connect(joint);
  }

  void check_roots() const {
    std::vector<const Link*> roots;
    for (std::size_t i = 0; i < carrier_.size(); ++i) {
      if (carrier_[i] == none) roots.push_back(&description_.links[i]);
    }
    if (ambiguous_ || roots.size() < 2) return;
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(roots.size(), 5); ++i) {
      names +=
          (i == 0 ? "" : ", ") + quoted(roots[i]->name) + " (line " + std::to_string(roots[i]->line) + ')';
    }
    if (roots.size() > 5) names += ", ...";
    diagnostics_.error(at(description_, *roots[1], roots[1]->line),
                       std::to_string(roots.size()) + " links have no parent: " + names,
                       "connect all but one of them with joints");
  }

  /// Follows the carriers upwards from every link; each link is visited once.
  void check_loops() const {
    std::vector<int> visited_from(carrier_.size(), none);
    for (int start = 0; start < static_cast<int>(carrier_.size()); ++start) {
      int link = start;
      while (link != none && visited_from[index(link)] == none) {
        visited_from[index(link)] = start;
        link = parent(link);
      }
      if (link != none && visited_from[index(link)] == start) report_loop(link);
    }
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int parent(int link) const {
    const int joint = carrier_[index(link)];
    return joint == none ? none : parent_of_joint_[index(joint)];
  }

  int find_end(const Joint& joint, const std::string& name, const char* role, int line) {
    const auto found = link_of_name_.find(name);
    if (found != link_of_name_.end() && !name.empty()) return found->second;
    ambiguous_ = true;
    if (name.empty() || unnamed_link_) return none;  // the reader reported the cause
    diagnostics_.error(at(description_, joint, line, std::string("/") + role),
                       std::string("the ") + role + " of joint " + quoted(joint.name) + " is link " +
                           quoted(name) + ", which does not exist",
                       "add the link or correct the name");
    return none;
  }

  void connect(const Joint& joint) {
    const int parent = find_end(joint, joint.parent, "parent", joint.parent_line);
    const int child = find_end(joint, joint.child, "child", joint.child_line);
    parent_of_joint_.push_back(parent);
    if (child == none) return;
    int& carrier = carrier_[index(child)];
    if (carrier == none) {
      carrier = static_cast<int>(parent_of_joint_.size()) - 1;
      return;
    }
    const Joint& first = description_.joints[index(carrier)];
    diagnostics_.error(at(description_, joint, joint.child_line, "/child"),
                       "link " + quoted(joint.child) + " has a second parent: joint " + quoted(joint.name) +
                           " after joint " + quoted(first.name) + " (line " + std::to_string(first.line) +
                           ')',
                       "remove one of the joints; closed chains cannot be described in URDF");
  }

  void report_loop(int start) const {
    if (parent(start) == start) return report_self_loop(start);
    std::vector<int> loop{start};
    for (int link = parent(start); link != start; link = parent(link)) loop.push_back(link);
    std::reverse(loop.begin(), loop.end());
    const auto first = std::min_element(loop.begin(), loop.end());
    std::rotate(loop.begin(), first, loop.end());
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(loop.size(), 6); ++i) {
      names += quoted(description_.links[index(loop[i])].name) + " -> ";
    }
    if (loop.size() > 6) names += "... -> ";
    names += quoted(description_.links[index(loop[0])].name);
    const Joint& joint = description_.joints[index(carrier_[index(loop[0])])];
    diagnostics_.error(at(description_, joint, joint.line), "the joints form a loop: " + names,
                       "remove one of its joints; a URDF is a tree");
  }

  void report_self_loop(int link) const {
    const Joint& joint = description_.joints[index(carrier_[index(link)])];
    diagnostics_.error(at(description_, joint, joint.child_line, "/child"),
                       "joint " + quoted(joint.name) + " joins link " + quoted(joint.child) + " to itself",
                       "name two different links");
  }

  const Description& description_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, int> link_of_name_;
  std::vector<int> carrier_;          ///< joint above each link, or none
  std::vector<int> parent_of_joint_;  ///< link, or none where unknown
  bool unnamed_link_ = false;
  bool ambiguous_ = false;  ///< names were wrong, so that what looks like a root may be none
};

}  // namespace

void check_structure(const Description& description, Diagnostics& diagnostics) {
  if (description.links.empty()) {
    diagnostics.error({description.file, description.line, "robot"}, "the robot has no link",
                      "add at least one <link name=\"...\">");
    return;
  }
  const Structure structure(description, diagnostics);
  structure.check_roots();
  structure.check_loops();
}

}  // namespace featherline::urdf
