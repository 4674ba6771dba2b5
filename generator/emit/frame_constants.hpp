#pragma once

#include "model/tree.hpp"
#include "support/json.hpp"

#include <string>
#include <utility>
#include <vector>

/// What emitted files say about the frames that the user chose. Nothing, where there are none.
namespace featherline::emit {

std::string frames_include(const model::Tree& tree);
/// Constants of NAME.hpp.
std::string frame_constants(const model::Tree& tree);
/// "p" and, column by column, "R".
Json to_json(const model::Placement& placement);
/// "frames": ..., "frame_axes": ... of the manifest.
void add_frames(const model::Tree& tree, Json& manifest);

/// Of NAME.h and NAME_c.cpp.
std::string c_frames(const model::Tree& tree, const std::string& name);
std::string c_frame_getters(const model::Tree& tree, const std::string& name);

}  // namespace featherline::emit
