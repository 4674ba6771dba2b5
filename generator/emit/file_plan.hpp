#pragma once

#include "emit/emit.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The list of files of an emission. A function has files of its own, or, with --shards, shares numbered ones with
/// others. Then all names are known without the generator: runtime/cmake/AddRobotDynamics.cmake has them.
namespace featherline::emit {

/// A rule makes one file for each of these.
enum class Each {
  robot,          ///< the robot
  function,       ///< every function
  linked,         ///< all functions that take a link together
  packed,         ///< every function with packed outputs
  device,         ///< every function that devices run
  packed_kernel,  ///< every packed form that batches compute and that is not emitted as a function of its own
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
  std::string_view
      name;  ///< NAME stands for the robot's, FUNCTION for the function's or the number of its shard
  std::string (*write)(const FileSource&);
};

/// A file, and what stands in it, one behind the other: a rule, and the function of the request that it is for. The
/// file of a shard may have nothing in it.
struct PlannedFile {
  struct Part {
    const FileRule* rule;
    int function;  ///< -1: the robot
  };
  std::string name;
  std::vector<Part> parts = {};
};

/// All files, by the rules of C++ and those of the bindings that are asked for.
std::vector<PlannedFile> plan_files(const Request& request);

/// The names of the robot's files by `rules`, and of the files that hold the function.
std::vector<std::string> robot_files(const Request& request, std::span<const FileRule> rules);
std::vector<std::string> function_files(const Request& request, const LoweredFunction& function);

/// What stands for FUNCTION in the names of files: "rnea", or "3" for the third shard.
std::string file_label(const Request& request, const LoweredFunction& function);

}  // namespace featherline::emit
