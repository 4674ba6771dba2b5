#include "compile_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "support/text.hpp"

namespace featherline::bench {
namespace fs = std::filesystem;
namespace {

/// More take ptxas minutes.
constexpr int most_statements = 12'000;

/// What stands in the text between the parentheses of the expression.
int number_in(const std::string& text, const std::string& expression) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(expression)))
    throw std::runtime_error{"nvcc says nothing of " + expression + ":\n" + text};
  return std::stoi(found[1]);
}

std::string run(const std::string& command, const fs::path& log) {
  const int status = std::system((command + " > " + log.string() + " 2>&1").c_str());
  const std::string text = read_whole(log.string()).value_or("");
  if (status != 0) throw std::runtime_error{command + ":\n" + text};
  return text;
}

/// One kernel of the source, and what it includes.
std::string with_kernel(const std::string& source, const std::string& kernel) {
  std::string text;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(".ipp\"") || line.starts_with("FEATHERLINE_CUDA_KERNEL(" + kernel + ","))
      text += line + "\n";
  }
  return text;
}

std::string sizes(const std::vector<ir::Buffer>& buffers) {
  std::string text = std::to_string(buffers.size());
  for (const ir::Buffer& buffer : buffers) text += fmt::format(" {}", buffer.size);
  return text;
}

DeviceRow compile(const fs::path& folder, const Emission& emission, const LoweredFunction& function,
                  const std::string& scalar) {
  const std::string name = function_name(function);
  const ir::Kernel& kernel = function.device_form->kernel;
  const std::string symbol = fmt::format("{}_cuda_soa_{}_{}", emission.name, name, scalar);
  std::string label = kernel.formulation;
  std::ranges::replace(label, ' ', '_');
  const fs::path sources = folder / "source", cubin = folder / fmt::format("{}.{}.cubin", symbol, label);
  fs::create_directories(sources);
  for (const emit::File& file : emission.files) std::ofstream(sources / file.relative_name) << file.content;
  const fs::path source = sources / (emission.name + "_cuda.cu");
  std::ofstream(sources / "kernel.cu") << with_kernel(read_whole(source.string()).value(), symbol);
  const std::string said =
      run(fmt::format("nvcc -std=c++17 -arch=sm_90 -O3 -DNDEBUG -Xptxas -v -I{} -I{} -cubin {} -o {}",
                      sources.string(), cli::runtime_headers().string(), (sources / "kernel.cu").string(),
                      cubin.string()),
          folder / "log");
  const std::string sections = run("readelf -SW " + cubin.string(), folder / "log");
  DeviceRow row;
  row.robot = emission.name;
  row.function = name;
  row.formulation = label;
  row.scalar = scalar;
  row.registers = number_in(said, "Used (\\d+) registers");
  row.spilled = number_in(said, "(\\d+) bytes spill stores");
  std::smatch text;
  if (!std::regex_search(sections, text, std::regex("\\.text\\.\\S+\\s+PROGBITS\\s+\\S+\\s+\\S+\\s+(\\S+)")))
    throw std::runtime_error{"no code in " + cubin.string()};
  row.instructions = std::stoi(text[1], nullptr, 16) / 16;
  row.counts = cost::count_for_device(kernel, function.device_form->most_alive);
  std::ofstream(folder / "kernels.txt", std::ios::app)
      << fmt::format("{} {} {} {} {} {}\n", cubin.filename().string(), symbol, scalar == "float" ? 4 : 8,
                     row.counts.threads, sizes(kernel.inputs), sizes(kernel.outputs));
  return row;
}

}  // namespace

std::vector<DeviceRow> compile_for_device(const fs::path& folder, const Robot& robot, const Plan& plan,
                                          const Options& options) {
  std::vector<DeviceRow> rows;
  for (const FunctionPlan& function : plan.functions) {
    for (const catalog::Formulation* formulation : function.device_candidates) {
      Plan one = plan;
      one.functions = {function};
      one.functions.front().device_candidates = {formulation};
      LoweredRobot lowered = lower_robot(robot, one, options);
      const LoweredFunction kept = lowered.functions.front();
      if (!kept.device_form || kept.device_form->kernel.num_statements() > most_statements) continue;
      const Emission emission = emit_lowered(robot, one.name, std::move(lowered), options);
      for (const std::string& scalar : options.scalars)
        rows.push_back(compile(folder, emission, kept, scalar));
    }
  }
  return rows;
}

}  // namespace featherline::bench
