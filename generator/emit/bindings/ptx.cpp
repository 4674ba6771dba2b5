// NAME.ptx of `--cuda ptx`: the kernels of NAME_cuda.cu (cuda.cpp) for the driver. What is written here is the line
// that tells whose kernels they are; cli/device_compiler.cpp has clang compile the rest.
#include "description/description.hpp"
#include "emit/bindings/bindings.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"

namespace featherline::emit {
namespace {

/// Another robot, other options and another version have another one.
std::string robot_symbol(const Request& request) {
  const std::string name = emitted_name(request.name);
  const std::string facts = name + "\n" + request.model_sha256 + "\n" + request.flags + "\n" + version();
  return "featherline_robot_" + name + "_" + description::sha256(facts).substr(0, 16);
}

std::string symbol_file(const FileSource& source) {
  return banner(source.request) + "\n.visible .global .align 1 .b8 " + robot_symbol(source.request) +
         "[1];\n";
}

constexpr FileRule ptx_files[] = {{Each::robot, "NAME.ptx", symbol_file}};

}  // namespace

const Binding ptx{.name = "ptx", .option = "cuda-ptx", .files = ptx_files, .robot_symbol = robot_symbol};

}  // namespace featherline::emit
