#pragma once

#include "model/tree.hpp"
#include "ir/program.hpp"
#include "urdf/description.hpp"

#include <string>

/// The stages between files as text, stable between runs, for --dump-after; ir/dump.hpp has the graph's.
namespace featherline {

/// Links and joints as written, with their lines.
std::string dump(const urdf::Description& robot);

/// Bodies with joint, placement and inertial parameters, then links.
std::string dump(const model::Tree& tree);

/// Parts with what they load, compute, store and save.
std::string dump(const ir::Program& program);

}  // namespace featherline
