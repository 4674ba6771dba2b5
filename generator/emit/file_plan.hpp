#pragma once

#include "emit/emit.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The list of files of an emission. CMake must know the files before they exist. It reads the same tables
/// (runtime/cmake/ReadCatalogue.cmake), so a rule must begin with `{Each::KIND, "NAME..."`.
namespace featherline::emit {

/// A rule makes one file for each of these.
enum class Each {
  robot,          ///< the robot
  function,       ///< every function
  linked,         ///< all functions that take a link together
  packed,         ///< every function with packed outputs
  packed_kernel,  ///< every function with batches whose packed form is not emitted as a function of its own
};

/// What a file is written from.
struct FileSource {
  const Request& request;
  const std::vector<FunctionFacts>& facts;  ///< of all functions
  int image_bytes;
  // Where the file belongs to one function:
  const LoweredFunction* function = nullptr;
  const FunctionFacts* function_facts = nullptr;
};

struct FileRule {
  Each each;
  std::string_view name;  ///< NAME stands for the robot's, FUNCTION for the function's
  std::string (*write)(const FileSource&);
};

struct PlannedFile {
  std::string name;
  const FileRule* rule = nullptr;
};

/// Files of `rules` for the robot as a whole, and those that one of its functions needs, in the order of the rules.
std::vector<PlannedFile> robot_files(const Request& request, std::span<const FileRule> rules);
std::vector<PlannedFile> function_files(const Request& request, const LoweredFunction& function,
                                        std::span<const FileRule> rules);

/// The same with the rules of C++ and those of all bindings that are asked for.
std::vector<PlannedFile> robot_files(const Request& request);
std::vector<PlannedFile> function_files(const Request& request, const LoweredFunction& function);

}  // namespace featherline::emit
