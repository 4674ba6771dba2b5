#pragma once

#include "formats/format.hpp"

/// The reader of MJCF, the format of MuJoCo. What it reads and what it refuses: runtime/guide/coming_from_mujoco.md.
namespace featherline::mjcf {

/// The read function of the format (formats::Format).
void read(const tinyxml2::XMLElement& mujoco, const std::string& text, formats::UnknownWords unknown,
          description::Description& robot, formats::ElementReader& reader);

}  // namespace featherline::mjcf
