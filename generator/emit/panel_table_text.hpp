#pragma once

#include "ir/robot_tables.hpp"

#include <string>

namespace featherline::emit {

/// The struct `name` with the tables of featherline/panels.hpp, for namespace detail.
std::string panel_table(const ir::PanelTable& table, const std::string& name);

}  // namespace featherline::emit
