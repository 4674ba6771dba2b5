#pragma once

#include "option_table.hpp"

#include <string>
#include <string_view>
#include <vector>

/// The words of --functions and --formulation, looked up in the catalogue.
namespace featherline::cli {

/// Turns function names, groups and "all" into names of functions. Each occurs once, in the order of the catalogue.
/// Throws UsageError for any other word.
std::vector<std::string> resolve_functions(const std::vector<std::string>& words);

/// Throws UsageError for a forced formulation of a function that does not exist or is not among the functions, and for
/// one that the function does not have.
void check_formulations(const Options& options);

/// One line per group for the help text: "dynamics: rnea, bias, ...".
std::string list_functions();

// Names of functions in other libraries and in textbooks, and what they are here (templates/foreign_names.in).

struct ForeignName {
  std::string_view theirs;  ///< plain(), see below
  std::string_view ours;    ///< our function; empty if there is none
  std::string_view
      note;  ///< how ours differs, or what to use in its place; may be empty if there is a function
  std::string_view library;  ///< empty for names of textbooks
};

/// A name without what differs between styles: "pinocchio::computeMinverse", "pin.computeMinverse" and
/// "compute_minverse" become "computeminverse".
std::string plain(std::string_view word);

/// All of them, library by library.
const std::vector<ForeignName>& foreign_names();

/// Null if no library of ours has the word. Upper case, underscores, dashes and a namespace or module in front
/// do not count.
const ForeignName* find_foreign_name(std::string_view word);

/// `"crba" of Pinocchio is "mass_matrix" here: it fills both triangles, crba the upper one alone`.
std::string describe(const ForeignName& name, std::string_view word);

}  // namespace featherline::cli
