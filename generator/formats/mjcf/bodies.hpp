#pragma once

#include "formats/format.hpp"
#include "formats/mjcf/item.hpp"

#include <map>
#include <string>
#include <vector>

namespace featherline::mjcf {

/// A model: its file with what that includes, and what counts in all of it.
struct Source {
  Source(const XMLElement& xml, ElementReader& reader, UnknownWords unknown);

  Document document;
  Settings settings;
  Classes classes;
  Meshes meshes;
  std::map<std::string, Source*> models = {};  ///< those of <asset>, which <attach> names
};

/// The models that a robot consists of. Each file is read once.
class Library {
 public:
  explicit Library(UnknownWords unknown) : unknown_(unknown) {}

  Source& read(const XMLElement& root, ElementReader& reader);
  /// What was read besides the main file.
  std::vector<std::string> other_files() const;

 private:
  UnknownWords unknown_;
  std::deque<File> files_;
  std::deque<Source> sources_;
  std::map<std::string, Source*> by_path_;  ///< null while it is read, and after a report
};

/// Where an element comes from: its model, and what attaching and replicating that adds to names.
struct Scope {
  Source* source = nullptr;
  std::string prefix = {}, suffix = {};
  int depth = 0;  ///< of <attach>es

  std::string name(const std::string& written) const { return prefix + written + suffix; }
  bool operator==(const Scope&) const = default;
};

/// Something in a body, with the <frame>s, <replicate>s and <attach>es around it resolved.
struct Part {
  const Element* element = nullptr;
  Scope scope = {};
  Pose frame = {};  ///< of the innermost <frame>, in the body
  std::string childclass = "main";

  const Settings& settings() const { return scope.source->settings; }
  /// Empty if it has none.
  std::string name() const;
  /// With the defaults of its class.
  Item item(const char* kind) const { return scope.source->classes.item(*element, kind, childclass); }
  /// What stands in the element, which has that pose.
  Part inside(const Pose& pose) const;
};

/// A frame of the reference position.
struct Place {
  std::string link;
  Pose in_link, in_world;
};

/// Reads <worldbody>s into links, joints and frames. The world is the root link; what does not move is on fixed joints.
class Bodies {
 public:
  explicit Bodies(Description& robot) : robot_(robot) {}

  void read(Source& main);

  std::map<std::string, Place> links, sites;
  std::map<std::string, std::size_t> joints;  ///< index in Description::joints
  std::map<std::string, double> references;   ///< `ref` of joints
  std::vector<Scope> scopes;                  ///< of the main file, then of what is attached

 private:
  /// A joint's point in the body, and the pose at q = 0 of what it moves: at q = ref that is where the file has it.
  struct Anchor {
    Vector3d pos = Vector3d::Zero();
    double reference = 0.0;
    Pose at_zero = {};
  };

  std::vector<Part> parts_of(const Part& body);
  void add_parts(const Part& in, std::vector<Part>& parts);
  void add_part(const Part& part, std::vector<Part>& parts);
  void replicate(const Part& part, std::vector<Part>& parts);
  void attach(const Part& part, std::vector<Part>& parts);
  void collect_names(const Part& body);
  void read_body(const Part& part, const std::string& parent, const Pose& X_WP, bool moves);
  void read_contents(const std::vector<Part>& parts, const std::string& link, const Pose& X_WB, bool moves);
  static void read_matter(const std::vector<Part>& parts, const Part& body, const Pose& own, bool moves,
                          Link& link);
  void add_joints(const std::vector<Part>& parts, const std::string& parent, const Pose& X_PB,
                  const Link& link);
  static Anchor anchor_of(const Joint& joint, const Item& item, const Part& part);

  Description& robot_;
  Names link_names_, joint_names_;
  std::size_t num_parts_ = 0;
};

/// A hinge, slide, ball or free joint: type, axis, limits, dynamics. Placement and ends are still open.
Joint read_moving_joint(const Item& item, const Pose& frame, const Settings& settings);

// What stands outside of bodies and changes them. All of them are read after the bodies. What refers to something that
// is not attached is left out.

/// <equality>: loops become constraints, linear couplings of joints become mimics, joints that it fixes are held.
void read_equalities(const Bodies& bodies, Description& robot);
/// <tendon>, and the armature and damping that <actuator> brings to joints and tendons.
void read_drives(const Scope& scope, const Bodies& bodies, Description& robot);
/// <keyframe>: named positions.
void read_keyframes(const Bodies& bodies, Description& robot);

// The reader of MJCF, the format of MuJoCo. What it reads and what it refuses: runtime/guide/coming_from_mujoco.md.

/// The read function of the format (formats::Format).
void read(const tinyxml2::XMLElement& mujoco, const std::string& text, formats::UnknownWords unknown,
          description::Description& robot, formats::ElementReader& reader);

}  // namespace featherline::mjcf
