#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Names of functions in other libraries and in textbooks, and what they are here.
namespace featherline::cli {

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

/// All of them, library by library. ReadCatalogue.cmake reads the source, too.
const std::vector<ForeignName>& foreign_names();

/// Null if no library of ours has the word. Upper case, underscores, dashes and a namespace or module in front do not count.
const ForeignName* find_foreign_name(std::string_view word);

/// `"crba" of Pinocchio is "mass_matrix" here: it fills both triangles, crba the upper one alone`.
std::string describe(const ForeignName& name, std::string_view word);

}  // namespace featherline::cli
