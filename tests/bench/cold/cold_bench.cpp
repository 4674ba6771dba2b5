// Calls of every function of robots beside the peers, in a loop or out of cold caches: scripts/bench --beside, --cold.
//
//   bench_cold [options] LIBRARY[,LIBRARY] URDF fixed|floating ...     see usage
#include "cold/timed_sides.hpp"
#include "cold/timing.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace featherline::bench {
namespace {

using nlohmann::json;

constexpr const char* usage = R"(bench_cold [options] LIBRARY[,LIBRARY] URDF fixed|floating ...
  --loops           calls in loops over all states, in place of single calls
  --calls N         single calls of each function and side (default 800), a 40th of them after all is evicted
  --functions A,B   only these functions
  --json FILE       also writes all figures there; of loops the least of these and of what the file has
)";

struct Request {
  bool loops = false;
  int calls = 800;
  std::vector<std::string> functions;
  std::string file;
  std::vector<std::string> robots;  ///< library, URDF, base; and so on
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) words.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

/// Takes `word`, and its value from the words that follow it.
void take_option(Request& request, const std::string& word, const std::string& value) {
  if (word == "--calls")
    request.calls = std::stoi(value);
  else if (word == "--functions")
    request.functions = split(value);
  else if (word == "--json")
    request.file = value;
  else
    throw std::runtime_error{usage};
}

Request parse(const std::vector<std::string>& words) {
  Request request;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--loops") {
      request.loops = true;
    } else if (words[i].rfind("--", 0) == 0) {
      if (i + 1 == words.size()) throw std::runtime_error{usage};
      take_option(request, words[i], words[i + 1]);
      ++i;
    } else {
      request.robots.push_back(words[i]);
    }
  }
  if (request.robots.empty() || request.robots.size() % 3 != 0) throw std::runtime_error{usage};
  return request;
}

double percentile(std::vector<double> times, double share) {
  const auto at = static_cast<std::size_t>(share * static_cast<double>(times.size() - 1) + 0.5);
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(at), times.end());
  return times[at];
}

double rounded(double ns) { return std::max(0.0, std::stod(fmt::format("{:.4g}", ns))); }

/// Median, 99th and 99.9th percentile in ns.
json percentiles(const std::vector<double>& times) {
  json list = json::array();
  for (const double share : {0.5, 0.99, 0.999}) list.push_back(rounded(percentile(times, share)));
  return list;
}

std::string us(const json& list) {
  std::string text;
  for (const json& ns : list)
    text += fmt::format("{}{:.3g}", text.empty() ? "" : " / ", ns.get<double>() / 1000);
  return text;
}

json figures_of(const Side::Cold& times) {
  json figures = {{"plain", percentiles(times.plain)}, {"called", percentiles(times.called)}};
  if (!times.prepared.empty()) {
    figures["prepared"] = percentiles(times.prepared);
    figures["at_once"] = percentiles(times.at_once);
  }
  return figures;
}

/// Of single calls. The libraries of a robot count as one: the one that is faster when cold.
json single_calls(const std::vector<Side>& sides) {
  json row;
  for (const Side& side : sides) {
    const json figures = {{"pages", {side.code_pages, side.data_pages}},
                          {"warm", percentiles(side.warm)},
                          {"lines", figures_of(side.without_lines)},
                          {"all", figures_of(side.without_all)}};
    const auto median = [](const json& f) { return f.at("all").at("plain")[0].get<double>(); };
    if (!row.contains(side.name) || median(row[side.name]) > median(figures)) row[side.name] = figures;
  }
  return row;
}

/// Medians after everything was forgotten, percentiles after lines were.
void print_single_calls(const std::string& robot, const std::string& function, const json& row) {
  const json &ours = row.at("Featherline"), &all = ours.at("all"), &lines = ours.at("lines");
  const auto median = [](const json& figures, const char* what) {
    return figures.contains(what) ? figures.at(what)[0].get<double>() / 1000 : NAN;
  };
  const auto number = [](double x) { return std::isnan(x) ? std::string{} : fmt::format("{:.3g}", x); };
  std::string others;
  for (const auto& item : row.items()) {
    if (item.key() == "Featherline") continue;
    const double cold = median(item.value().at("all"), "plain");
    others += fmt::format("{}{} {} ({:.1f}; {:.1f}", others.empty() ? "" : ", ", item.key(), number(cold),
                          median(item.value(), "warm") / median(ours, "warm"), cold / median(all, "plain"));
    if (all.contains("prepared")) others += fmt::format("; {:.1f}", cold / median(all, "prepared"));
    others += ")";
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} + {} | {} |\n", robot, function,
             number(median(ours, "warm")), number(median(all, "plain")), number(median(all, "prepared")),
             number(median(all, "called")), number(median(all, "at_once")), us(lines.at("plain")),
             us(lines.contains("prepared") ? lines.at("prepared") : json::array()),
             ours.at("pages")[0].get<int>(), ours.at("pages")[1].get<int>(), others);
}

/// Nanoseconds by side, the least of all libraries and of `before`.
json loops(const std::vector<Side>& sides, const json& before) {
  json row = before.is_null() ? json::object() : before;
  for (const Side& side : sides)
    row[side.name] = rounded(std::min(side.in_a_loop, row.value(side.name, side.in_a_loop)));
  return row;
}

void print_loops(const std::string& robot, const std::string& function, const json& row) {
  const double ours = row.at("Featherline").get<double>();
  std::string others;
  for (const auto& item : row.items()) {
    if (item.key() == "Featherline") continue;
    const double theirs = item.value().get<double>();
    others +=
        fmt::format("{}{} {:.4g} ({:.1f})", others.empty() ? "" : ", ", item.key(), theirs, theirs / ours);
  }
  fmt::print("| {} | {} | {:.4g} | {} |\n", robot, function, ours, others);
}

json measured(Timing* timing, std::vector<Side> sides, const json& before) {
  if (timing == nullptr) {
    Timing::measure_loops(sides);
    return loops(sides, before);
  }
  timing->measure_single_calls(sides);
  return single_calls(sides);
}

void save(const std::string& file, const json& all) {
  if (!file.empty()) std::ofstream{file} << all.dump(1) << "\n";
}

void run_robot(const Request& request, TimedRobot& robot, Timing* timing, json& all) {
  for (const NamedPeer& named : robot.peers()) {
    if (named.peer && !named.peer->version().empty()) all["versions"][named.name] = named.peer->version();
  }
  for (const python::Function& function : robot.functions()) {
    const std::string name = function.name;
    const auto& chosen = request.functions;
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), name) == chosen.end()) continue;
    json& row = all["robots"][robot.name()][name];
    row = measured(timing, robot.sides(function), row);
    (request.loops ? print_loops : print_single_calls)(robot.name(), name, row);
    std::fflush(stdout);
    save(request.file, all);  // an interrupted run keeps what it has
  }
  for (const std::string& reason : robot.reasons()) fmt::print(stderr, "{}: {}\n", robot.name(), reason);
}

int run(const Request& request) {
  json all = json::object();
  if (request.loops) {
    if (std::ifstream file{request.file}; file) all = json::parse(file);
    fmt::print("\n| robot | function | ns | others: ns (times as long) |\n| --- | --- | --: | --- |\n");
  } else {
    fmt::print(
        "\nMicroseconds of single calls. The first five are medians; all but the first after everything was "
        "evicted. "
        "Others: cold (times as long as ours: warm; cold; against ours prepared).\n\n| robot | function | "
        "warm | cold | "
        "prepared | called before | prepared at once | cold lines: median / 99 % / 99.9 % | prepared lines | "
        "pages of "
        "code + data | others |\n| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |\n");
  }
  std::unique_ptr<Eviction> eviction;
  std::unique_ptr<Timing> timing;
  if (!request.loops) {
    eviction = std::make_unique<Eviction>();
    timing = std::make_unique<Timing>(*eviction, request.calls);
  }
  for (std::size_t i = 0; i < request.robots.size(); i += 3) {
    TimedRobot robot{split(request.robots[i]), request.robots[i + 1], request.robots[i + 2] == "floating",
                     !request.loops};
    run_robot(request, robot, timing.get(), all);
  }
  return 0;
}

}  // namespace
}  // namespace featherline::bench

int main(int argc, char** argv) {
  try {
    return featherline::bench::run(featherline::bench::parse({argv + 1, argv + argc}));
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
