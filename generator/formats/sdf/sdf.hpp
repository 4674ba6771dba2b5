#pragma once

#include "formats/format.hpp"
#include "support/index.hpp"

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace featherline::sdf {

// The reader of SDF, the format of Gazebo. Source of all rules: sdformat.org, and libsdformat.

using namespace description;
using namespace formats;

/// The read function of the format (formats::Format).
void read(const XMLElement& sdf, const std::string& text, UnknownWords unknown, Description& robot,
          ElementReader& reader);

// Values. SDF writes them as text of elements. All functions take null for an element that is not there.

/// The child with that tag, or null. If there are several, the first counts, and there is a warning.
const Element* child(const Element* parent, const char* tag);
/// Without the space around it; empty if there is none.
std::string text_of(const Element* element);
std::string attribute(const Element* element, const char* name);
/// The number in the child. "inf" may stand for limits. Nothing if it is absent or wrong.
std::optional<double> number(const Element* parent, const char* tag);
/// Whether the child says so.
bool flag(const Element* parent, const char* tag, bool otherwise = false);
/// The same for a text: true, false, 1, 0, or empty.
bool flag(const std::string& text, const Element& at, bool otherwise = false);
/// Three numbers; nothing if they are wrong.
std::optional<Vector3d> vector(const Element* element);
/// Of <pose>, in all its notations.
Pose read_pose(const Element* pose);

/// The top-level element of a file.
struct Root {
  Element element = {};
  int version = 0;  ///< 9 is SDF 1.9
};

/// The files of a robot. They live as long as this.
class Files {
 public:
  explicit Files(UnknownWords unknown) : unknown_(unknown) {}

  /// With all that is in it, if its version and its words are known; else null after a report.
  const Root* take(const XMLElement& xml, ElementReader& reader);
  /// The file that the <uri> of an <include> means. Null after a report.
  const Root* open(const Element& include);
  std::vector<std::string> names() const;  ///< of those besides the main file

 private:
  std::filesystem::path find(const Element& include, const std::string& uri) const;
  std::filesystem::path file_of_folder(const std::filesystem::path& folder, const Element& include);

  UnknownWords unknown_;
  std::deque<Root> roots_;  ///< that of the main file first
  std::deque<File> files_;
};

constexpr int none = -1;

/// A model or a world: what its references may name.
struct Scope {
  std::string prefix = {};  ///< of full names
  int end = none;           ///< behind the nodes inside
  int self = none;          ///< the node of the model or world
  int version = 0;          ///< of its file
  bool is_static = false, is_world = false;
  int top = none;  ///< the node of the outermost model; none for the world
  /// Nodes by name. A model that is merged into another shares the other's.
  std::shared_ptr<std::map<std::string, int, std::less<>>> nodes = {};
};

/// A frame: whatever <pose> may be relative to.
struct Node {
  enum class Kind { world, model, link, joint, frame };

  Kind kind = Kind::world;
  const Element* element = nullptr;
  const Scope* scope = nullptr;      ///< where its references are looked up
  std::string name = {};             ///< in the robot: with the models around it, the outermost excepted
  const Element* model = nullptr;    ///< the <model>; `element` is its <include> where it has one
  const Scope* inside = nullptr;     ///< of a model
  const Element* include = nullptr;  ///< the <include> of a model
  int relative_to = none;            ///< the frame that its pose is in
  Pose pose = {};
  int placement = none;    ///< of a model: the frame inside that the pose is of
  int attached_to = none;  ///< what it moves with; none for links and the world
  int depth = 0;           ///< steps of `relative_to` to the world
};

/// All frames of a file and of what it includes, and their poses in each other.
class Graph {
 public:
  explicit Graph(Files& files) : files_(files) {}

  /// Node 0 is the world. The element is <world>, or an <sdf> with a model alone.
  void read(const Element& world, int version);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(int i) const { return nodes_[index(i)]; }
  /// The node that the name means in a scope; none after a report.
  int find(const std::string& name, const Element& at, const Scope& scope, const char* what) const;
  /// The link, or the world, that the node moves with.
  int body(int i) const;
  /// Of a node in another one, where all joints are at 0.
  Pose pose(int i, int in) const;

 private:
  void read_contents(const Element& parent, const Scope& scope);
  int add(Node node, const std::string& name);
  void add_model(const Element& model, const Element* include, const Scope& outer, int version);
  void include(const Element& element, const Scope& scope);
  void resolve(int i);
  void resolve_model(Node& node);
  int canonical_link(const Scope& scope) const;
  bool check_cycles(int Node::*next, const char* what);

  Files& files_;
  std::deque<Scope> scopes_;
  std::vector<Node> nodes_;
  std::vector<std::string> open_;  ///< the files that are being read
};

/// The inertia of a link; the file's, or what SDF takes where there is none.
Inertial read_inertial(const Element& link);
/// Type, axes in its own frame, limits, dynamics and mimic of a joint. Its ends and its place are still open.
Joint read_joint(const Graph& graph, int node);

/// Links, joints, constraints and frames of the robot: of the outermost model, or of the world around it.
void write(const Graph& graph, int model, Description& robot);

}  // namespace featherline::sdf
