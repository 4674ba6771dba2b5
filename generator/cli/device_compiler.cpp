#include "cli/compilers.hpp"

#include "cli/output_files.hpp"
#include "support/json.hpp"
#include "support/side_by_side.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace featherline::cli {
namespace fs = std::filesystem;
namespace {

/// sm_80 is the oldest that is compiled for; the driver compiles PTX for what is newer. PTX 7.0 is of CUDA 11.0.
/// Standard headers are those of the processor. Everything is inlined: a call would pass arrays in memory.
constexpr const char* clang_flags =
    "-x cuda --cuda-device-only -nocudainc -nocudalib -Wno-unknown-cuda-version --cuda-gpu-arch=sm_80 -S "
    "-std=c++17 -O3 -fno-math-errno -Xclang -target-feature -Xclang +ptx70 -mllvm -inline-threshold=1000000";

bool runs(const std::string& compiler) {
  return std::system((compiler + " --version >/dev/null 2>&1").c_str()) == 0;
}

std::string find_clang() {
  const char* chosen = std::getenv("FEATHERLINE_CLANG");
  std::vector<std::string> names{"clang++"};
  for (int version = 20; version >= 14; --version) names.push_back("clang++-" + std::to_string(version));
  if (chosen != nullptr && *chosen != '\0') names = {chosen};
  const auto found = std::ranges::find_if(names, runs);
  if (found != names.end()) return *found;
  throw EnvironmentError(
      fmt::format("--cuda ptx: {} cannot be run, which compiles kernels; install clang 14 or newer, or name "
                  "it in FEATHERLINE_CLANG",
                  featherline::in_quotes(names.front())));
}

std::string read(const fs::path& file) { return read_whole(file.string()).value_or(""); }

/// What the command of a tool says.
std::string run(const std::string& tool, const std::string& remedy, const std::string& command,
                const fs::path& log) {
  if (std::system((command + " >" + shell_word(log.string()) + " 2>&1").c_str()) == 0) return read(log);
  throw EnvironmentError(fmt::format("--cuda ptx: {} failed; {}. It said:\n{}", featherline::in_quotes(tool),
                                     remedy, read(log).substr(0, 4000)));
}

/// The PTX of a source.
std::string compile(const std::string& clang, const fs::path& source) {
  const fs::path result = source.string() + ".ptx";
  run(clang, "take clang 14 or newer with the target nvptx64, or leave out --cuda",
      fmt::format("{} {} -I {} -I {} {} -o {}", clang, clang_flags, shell_word(source.parent_path().string()),
                  shell_word(runtime_headers().string()), shell_word(source.string()),
                  shell_word(result.string())),
      source.string() + ".log");
  return read(result);
}

emit::File* find(std::vector<emit::File>& files, const std::string& ending) {
  const auto found = std::ranges::find_if(
      files, [&](const emit::File& file) { return file.relative_name.ends_with(ending); });
  return found == files.end() ? nullptr : &*found;
}

/// By kernel.
using Said = std::map<std::string, cost::Assembled>;

/// What ptxas says of the kernels of a module.
Said assemble(const std::string& ptxas, cost::Device device, const fs::path& module) {
  std::string machine = cost::name(device);
  machine.replace(0, std::string("cuda-sm").size(), "sm_");
  const std::string log =
      run(ptxas, "name ptxas of the CUDA toolkit in FEATHERLINE_PTXAS, or unset it",
          fmt::format("{} -v -arch={} {} -o {}", ptxas, machine, shell_word(module.string()),
                      shell_word(module.string() + ".cubin")),
          module.string() + ".said");
  const std::regex pattern(
      "entry function '(\\w+)'[\\s\\S]*?(\\d+) bytes spill stores[\\s\\S]*?Used (\\d+) registers");
  Said said;
  for (std::sregex_iterator its(log.begin(), log.end(), pattern), end; its != end; ++its)
    said[(*its)[1]] = {std::stoi((*its)[3]), std::stoi((*its)[2])};
  return said;
}

void add(const Said& said, Emission& emission) {
  emit::File& file = *find(emission.files, ".json");
  Json manifest = read_json(file.content);
  for (emit::FunctionFacts& f : emission.facts) {
    for (auto& [scalar, figures] : f.on_device) {
      for (const auto& [prefix, layout] : {std::pair{"", "rows"}, {"soa_", "by_element"}}) {
        const cost::Assembled& its =
            said.at(fmt::format("{}_cuda_{}{}_{}", emission.name, prefix, f.name, scalar));
        figures.assembled.push_back(its);
        manifest["functions"][f.name]["device"][scalar]["ptxas"][layout] = {
            {"registers", its.registers}, {"spilled_bytes", its.spilled_bytes}};
      }
    }
  }
  file.content = print_json(manifest);
}

/// Sources with some of the kernels each: the lines of all but these, and every so many'th kernel.
std::vector<std::string> shares(const std::string& source, int count) {
  std::vector<std::string> parts(static_cast<std::size_t>(count));
  std::size_t next = 0;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const bool is_kernel = line.starts_with("FEATHERLINE_CUDA_KERNEL(");
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (!is_kernel || k == next % parts.size()) parts[k] += line + "\n";
    }
    next += is_kernel ? 1 : 0;
  }
  return parts;
}

/// One module of several: directives and tables once, then `symbol`, then all kernels.
std::string join_modules(const std::vector<std::string>& modules, const std::string& symbol) {
  std::string head, kernels;
  std::set<std::string> seen;
  for (const std::string& module : modules) {
    const std::size_t first = std::min(module.find(".visible .entry "), module.size());
    std::istringstream lines(module.substr(0, first));
    for (std::string line; std::getline(lines, line);) {
      const bool is_comment =
          line.find_first_not_of(" \t") == std::string::npos || line.find("//") != std::string::npos;
      if (!is_comment && seen.insert(line).second) head += line + "\n";
    }
    kernels += module.substr(first);
  }
  return head + symbol + kernels;
}

}  // namespace

void compile_kernels(Emission& emission, const Options& options, const Observer& observer) {
  std::vector<emit::File>& files = emission.files;
  const int jobs = options.jobs;
  emit::File* const ptx = find(files, ".ptx");
  if (ptx == nullptr) return;
  observer.begin("compiling kernels");
  const std::string clang = find_clang();
  const TemporaryFolder folder;
  for (const emit::File& file : files) std::ofstream(folder.path() / file.relative_name) << file.content;
  const std::vector<std::string> sources = shares(find(files, "_cuda.cu")->content, jobs);
  const char* ptxas = std::getenv("FEATHERLINE_PTXAS");
  const bool asks = ptxas != nullptr && *ptxas != '\0';
  std::vector<std::string> modules(sources.size());
  std::vector<Said> said(sources.size());
  side_by_side(jobs, sources.size(), [&](std::size_t k) {
    const fs::path source = folder.path() / fmt::format("kernels_{}.cu", k);
    std::ofstream(source) << sources[k];
    modules[k] = compile(clang, source);
    if (asks) said[k] = assemble(ptxas, options.estimated_device(), source.string() + ".ptx");
  });
  for (std::size_t k = 1; k < said.size(); ++k) said[0].merge(said[k]);
  if (asks) add(said[0], emission);
  const std::size_t line_end = ptx->content.find("\n.visible ") + 1;  // of the banner
  ptx->content = ptx->content.substr(0, line_end) + join_modules(modules, ptx->content.substr(line_end));
}

}  // namespace featherline::cli
