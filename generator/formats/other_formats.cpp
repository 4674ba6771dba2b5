#include "formats/format.hpp"

#include "support/text.hpp"

#include <algorithm>

namespace featherline::formats {
namespace {

/// What a file is, and how its user gets a robot's.
struct Foreign {
  std::string_view what, remedy;
};

constexpr Foreign usd{"USD, the format of Omniverse and Isaac Sim",
                      "give the URDF it was made from, or convert it, e.g. with usd_to_urdf of the Python "
                      "package nvidia-srl-usd-to-urdf"};
constexpr Foreign srdf{"SRDF, which names groups and poses of a robot for MoveIt",
                       "give the URDF that it belongs to"};
constexpr std::string_view of_meshes = "give the robot's file, which names the mesh";
constexpr Foreign stl{"a mesh (STL) without joints and masses", of_meshes};
constexpr Foreign obj{"a mesh (OBJ) without joints and masses", of_meshes};
constexpr Foreign ply{"a mesh (PLY) without joints and masses", of_meshes};
constexpr Foreign gltf{"a mesh (glTF) without joints and masses", of_meshes};
constexpr Foreign collada{"a mesh (COLLADA) without joints and masses", of_meshes};
constexpr Foreign launch{"a launch file of ROS", "give the URDF or xacro file that it loads"};
constexpr Foreign page{"a web page", "download the file itself; on GitHub it is behind the button Raw"};
constexpr Foreign pointer{"a pointer of Git LFS to a file, without its content",
                          "run git lfs pull in its repository"};
constexpr Foreign archive{"a zip archive", "unpack it and give the robot's file inside"};

struct Sign {
  std::string_view text;
  const Foreign& format;
};

constexpr Sign beginnings[] = {{"#usda", usd},         {"pxr-usdc", usd},
                               {"solid ", stl},        {"<!doctype html", page},
                               {"<html", page},        {"version https://git-lfs", pointer},
                               {"pk\x03\x04", archive}};
constexpr Sign endings[] = {{".stl", stl},   {".obj", obj},  {".ply", ply},    {".glb", gltf},
                            {".gltf", gltf}, {".usdz", usd}, {".zip", archive}};
constexpr Sign roots[] = {{"COLLADA", collada}, {"launch", launch}, {"html", page}};

/// The first characters behind white space and a byte order mark, in lower case.
std::string beginning_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  constexpr std::size_t longest = 32;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return in_lower_case(text.substr(0, longest));
}

const Foreign* format_of(std::string_view text, const std::string& file) {
  const std::string beginning = beginning_of(text), name = in_lower_case(file);
  for (const Sign& sign : beginnings) {
    if (beginning.starts_with(sign.text)) return &sign.format;
  }
  if (beginning.starts_with('<')) return nullptr;
  for (const Sign& sign : endings) {
    if (name.ends_with(sign.text)) return &sign.format;
  }
  return nullptr;
}

/// SRDF has the top-level element of URDF, and no links.
bool is_srdf(const XMLElement& root) {
  if (root.FirstChildElement("link") != nullptr) return false;
  for (const char* part : {"group", "group_state", "virtual_joint", "end_effector", "passive_joint",
                           "disable_collisions", "disable_default_collisions"}) {
    if (root.FirstChildElement(part) != nullptr) return true;
  }
  return false;
}

const Foreign* format_of(const XMLElement& root) {
  for (const Sign& sign : roots) {
    if (root.Name() == sign.text) return &sign.format;
  }
  return is_srdf(root) ? &srdf : nullptr;
}

/// \return whether the format is null
bool refuse(const Foreign* format, int line, const std::string& file, Diagnostics& diagnostics) {
  if (format == nullptr) return true;
  diagnostics.error({file, line, {}}, "this is " + std::string(format->what) + ", not a robot's file",
                    std::string(format->remedy));
  return false;
}

}  // namespace

bool refuse_other_text(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  return refuse(format_of(text, file), 1, file, diagnostics);
}

bool refuse_other_root(const XMLElement& root, const std::string& file, Diagnostics& diagnostics) {
  return refuse(format_of(root), root.GetLineNum(), file, diagnostics);
}

}  // namespace featherline::formats
