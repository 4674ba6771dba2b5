#include "cli/tune/tune.hpp"

#include "cli/compiled_driver.hpp"
#include "cli/host_compiler.hpp"
#include "emit/text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

constexpr int num_states = 16;  // their inputs stay in the first-level cache, as those of a controller do
constexpr int cold_calls = 31;  // each after some 10 ms of writing

/// The link with the most joints between it and the world.
std::size_t deepest_link(const model::Tree& tree) {
  const auto depth = [&](const model::Link& link) {
    int joints = 0;
    for (int i = link.body; i >= 0; i = tree.bodies[static_cast<std::size_t>(i)].parent) ++joints;
    return joints;
  };
  const auto deepest =
      std::ranges::max_element(tree.links, [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  return static_cast<std::size_t>(deepest - tree.links.begin());
}

/// Where each output begins, and behind the last one where it ends. Each has the room of the dense form.
std::vector<std::size_t> output_places(const catalog::FunctionSpec& spec, const model::Tree& tree) {
  std::vector<std::size_t> places{0};
  for (const catalog::Argument& output : spec.outputs)
    places.push_back(places.back() + static_cast<std::size_t>(output.shape.size(catalog::sizes_of(tree))));
  return places;
}

/// The source of a program that writes for each of `calls` the ns of a call, warm and cold, on a line.
std::string timing_driver(const model::Tree& tree, const CommandLine& line,
                          const std::vector<TimedCall>& calls) {
  std::set<std::string> includes;
  std::string functions, table;
  std::size_t most = 1;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const TimedCall& call = calls[k];
    includes.insert("#include \"" + call.robot + ".hpp\"\n");
    const std::vector<std::size_t> places = output_places(*call.spec, tree);
    most = std::max(most, places.back());
    const std::string arguments = call_arguments(
        *call.spec, tree, [&](std::size_t output) { return fmt::format("y + {}", places[output]); },
        fmt::format("static_cast<::{}::Link>({})", call.robot, deepest_link(tree)),
        "featherline::ReferenceFrame::local_world_aligned");
    functions +=
        fmt::format("void call_{}([[maybe_unused]] const Inputs<S>& x, S* y) {{ ::{}::{}<S>({}); }}\n", k,
                    call.robot, call.function, arguments);
    table += fmt::format("    {{{}, call_{}}},\n", call.group, k);
  }
  return emit::render(emit::skeleton("tune/main.cpp"),
                      {{"includes", fmt::format("{}", fmt::join(includes, ""))},
                       {"input_types", input_types(tree)},
                       {"scalar", line.options.scalars.front()},
                       {"cold_calls", std::to_string(line.cold ? cold_calls : 0)},
                       {"output_entries", std::to_string(most)},
                       {"functions", functions},
                       {"calls", table}});
}

}  // namespace

std::vector<Timing> time_calls(const model::UserTree& tree, const CommandLine& line, const fs::path& folder,
                               const std::vector<emit::File>& files, const std::vector<TimedCall>& calls,
                               Progress& progress) {
  std::ifstream results(run_driver(folder, files, timing_driver(tree, line, calls), timing_flags,
                                   random_states(tree, line.seed, num_states), progress));
  std::vector<Timing> timings(calls.size());
  for (std::size_t k = 0; k < calls.size(); ++k) {
    if (!(results >> timings[k].ns >> timings[k].cold_ns))
      throw InternalError("the compiled driver wrote too few times");
    const fs::path source = folder / (calls[k].robot + "_" + calls[k].function + ".cpp");
    for (const auto& [symbol, bytes] : object_symbols(source.string() + ".o")) timings[k].bytes += bytes;
  }
  return timings;
}

}  // namespace featherline::cli
