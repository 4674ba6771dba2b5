#pragma once

#include "formats/mjcf/matter.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace featherline::mjcf {

/// Something in a body, with the <frame>s and <replicate>s around it resolved.
struct Part {
  const Element* element = nullptr;
  Pose frame = {};  ///< of the innermost <frame>, in the body
  std::string childclass = "main";
  std::string suffix = {};  ///< of names, from <replicate>

  /// Empty if it has none.
  std::string name() const;
};

/// A frame of the reference position.
struct Place {
  std::string link;
  Pose in_link, in_world;
};

/// Names that the file gives, and new ones beside them.
class Names {
 public:
  void take(const std::string& name) { taken_.insert(name); }
  std::string unique(std::string name);

 private:
  std::set<std::string> taken_;
};

/// Reads <worldbody>s into links, joints and frames. The world is the root link; what does not move is on fixed joints.
class Bodies {
 public:
  Bodies(const Classes& classes, const Settings& settings, Meshes& meshes, Description& robot)
      : classes_(classes), settings_(settings), meshes_(meshes), robot_(robot) {}

  void read(const Element& root);

  std::map<std::string, Place> links, sites;
  std::map<std::string, std::size_t> joints;  ///< index in Description::joints
  std::map<std::string, double> references;   ///< `ref` of joints

 private:
  /// A joint's point in the body, and the pose at q = 0 of what it moves: at q = ref that is where the file has it.
  struct Anchor {
    Vector3d pos = Vector3d::Zero();
    double reference = 0.0;
    Pose at_zero = {};
  };

  std::vector<Part> parts_of(const Part& body);
  void add_parts(const Part& in, std::vector<Part>& parts);
  void replicate(const Part& outer, const Element& element, std::vector<Part>& parts);
  void collect_names(const Part& body);
  void read_body(const Part& part, const std::string& parent, const Pose& X_WP, bool moves);
  void read_contents(const std::vector<Part>& parts, const std::string& link, const Pose& X_WB, bool moves);
  void read_matter(const std::vector<Part>& parts, const Item& body, const Pose& own, bool moves, Link& link);
  void add_joints(const std::vector<Part>& parts, const std::string& parent, const Pose& X_PB,
                  const Link& link);
  void refuse_alignment(const Item& joint, const std::vector<Part>& parts) const;
  void add_fixed_joint(const std::string& parent, const Pose& X, const Link& link);
  Anchor anchor_of(const Joint& joint, const Item& item, const Pose& frame) const;

  const Classes& classes_;
  const Settings& settings_;
  Meshes& meshes_;
  Description& robot_;
  Names link_names_, joint_names_;
  std::size_t num_parts_ = 0;
};

/// A hinge, slide, ball or free joint: type, axis, limits, dynamics. Placement and ends are still open.
Joint read_moving_joint(const Item& item, const Pose& frame, const Settings& settings);

}  // namespace featherline::mjcf
