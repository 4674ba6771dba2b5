#include "cli/compiled_driver.hpp"

#include "catalog/functions.hpp"
#include "cli/host_compiler.hpp"
#include "cli/output_files.hpp"
#include "emit/signature.hpp"
#include "option_types.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>
#include <random>

namespace featherline::cli {
namespace fs = std::filesystem;

std::string input_types(const model::Tree& tree) {
  std::vector<std::size_t> sizes;
  std::vector<std::string> pointers, starts;
  for (const catalog::Argument& input : catalog::inputs()) {
    starts.push_back(fmt::format("start({})", sizes.size()));
    sizes.push_back(static_cast<std::size_t>(input.shape.size(catalog::sizes_of(tree))));
    pointers.push_back("*" + input.name);
  }
  return fmt::format(R"(constexpr std::size_t num_inputs = {}, input_sizes[] = {{{}}}, state_size = {};

template <class S>
struct Inputs {{
  const S {};
}};

template <class S, class Start>
Inputs<S> make_inputs(Start start) {{
  return {{{}}};
}}

)",
                     sizes.size(), fmt::join(sizes, ", "),
                     std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), fmt::join(pointers, ", "),
                     fmt::join(starts, ", "));
}

std::string call_arguments(const catalog::FunctionSpec& function, const model::Tree& tree,
                           const std::function<std::string(std::size_t)>& output, const std::string& link,
                           const std::string& frame, bool is_batch) {
  std::size_t k = 0;
  return emit::argument_list(emit::make_signature(function, &tree), [&](const emit::Parameter& p) {
    if (p.kind == emit::ParameterKind::input)
      return (p.is_number() && !is_batch ? "*x." : "x.") + catalog::input_in_states(p.name).name;
    if (p.kind == emit::ParameterKind::output) return output(k++);
    if (p.kind == emit::ParameterKind::steps) return std::string("1");
    return p.kind == emit::ParameterKind::link ? link : frame;
  });
}

std::vector<reference::State> random_states(const model::UserTree& tree, std::uint32_t seed, int count) {
  std::mt19937 random(seed);
  std::vector<reference::State> states;
  for (int k = 0; k < count; ++k) states.push_back(reference::random_state(tree, random));
  return states;
}

std::vector<fs::path> write_emitted(const std::vector<emit::File>& files, const fs::path& folder) {
  std::vector<OutputFile> written;
  std::vector<fs::path> sources;
  for (const emit::File& file : files) {
    written.push_back({folder / file.relative_name, file.content});
    if (written.back().path.extension() == ".cpp") sources.push_back(written.back().path);
  }
  write_files(written);
  return sources;
}

fs::path run_driver(const fs::path& folder, const std::vector<emit::File>& files, const std::string& driver,
                    const std::string& flags, const std::vector<reference::State>& states, Progress& progress,
                    const std::set<std::string>& included) {
  std::vector<fs::path> sources = write_emitted(files, folder);
  std::erase_if(sources, [&](const fs::path& source) { return included.contains(source.filename()); });
  const fs::path source = folder / "featherline_driver.cpp", program = folder / "driver";
  const fs::path state_file = folder / "states.bin", results = folder / "results";
  std::string bytes;
  for (const reference::State& state : states) {
    for (const catalog::Argument& input : catalog::inputs()) {
      const Eigen::VectorXd& values = state.*input.in_state;
      bytes.append(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::size_t>(values.size()) * sizeof(double));
    }
  }
  write_files({{source, driver}, {state_file, bytes}});
  sources.insert(sources.begin(), source);
  progress.show(fmt::format("compiling {} files", sources.size()));
  compile(sources, {folder, runtime_headers()}, program, flags);
  progress.show("running");
  const std::string command = fmt::format("{} {} {}", shell_word(program.string()),
                                          shell_word(state_file.string()), shell_word(results.string()));
  if (std::system(command.c_str()) != 0)
    throw InternalError("the compiled driver in " + folder.string() + " failed");
  return results;
}

}  // namespace featherline::cli
