#pragma once

#include "report/report.hpp"

#include <string>
#include <string_view>

/// The tables of the page and the list of findings, as HTML.
namespace featherline::report {

/// Joints in the order of q, with indices, limits and units.
std::string joint_table(const model::Tree& tree);

/// Links of the URDF: masses, centres of mass, principal moments and the ellipsoid that is equivalent.
std::string link_table(const Robot& robot);

/// Functions with the figures of the report of `generate`.
std::string function_table(const Report& report);

/// What the terminal shows, too, without the folder of the file; and the findings of a kind each by itself.
std::string finding_list(const Diagnostics& findings);

/// "{name}: {value}": an entry of a list of terms.
std::string term(std::string_view name, std::string_view html);

}  // namespace featherline::report
