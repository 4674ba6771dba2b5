#pragma once

#include "cli/compare/comparison.hpp"

#include <optional>
#include <string>
#include <vector>

/// Operations of an arm of n joints beside those that a paper states: F. F. Afonso Silva, J. J. Quiroz-Omana,
/// B. V. Adorno, "Dynamics of Mobile Manipulators Using Dual Quaternion Algebra", table 3.
namespace featherline::cli {

struct PaperRow {
  std::string method;                        ///< as the paper names it
  std::vector<std::string> functions;        ///< of ours, that do the same together; empty: there are none
  std::string formulation;                   ///< of these functions
  ir::Operations paper;                      ///< as stated, for the joints of the robot
  std::optional<ir::Operations> written;     ///< ours as traced; none if we do not have all the functions so
  std::optional<ir::Operations> simplified;  ///< ours after the passes
};

/// All rows of the paper. None if the robot is not a chain on a fixed base, each joint with a coordinate of its own,
/// if inputs were chosen, if joints have a drive, or if no function of the rows was compared.
std::vector<PaperRow> paper_rows(const Comparison& comparison, const model::Tree& tree);

}  // namespace featherline::cli
