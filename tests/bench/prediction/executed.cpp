#include "executed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "sizes.hpp"

namespace featherline::bench {
namespace {

struct Line {
  std::string text, word,
      target;  ///< of an instruction: its first word and its last one; a label has text alone

  bool is_label() const { return word.empty(); }
  bool is_jump() const {
    static const std::string conditions = " eq ne cs cc mi pl vs vc hi ls ge lt gt le hs lo ";
    return word == "b" || word == "cbz" || word == "cbnz" ||
           (word.size() == 3 && word[0] == 'b' &&
            conditions.find(" " + word.substr(1) + " ") != std::string::npos);
  }
  bool returns() const {
    return text.find("\tpc}") != std::string::npos || text.find(" pc}") != std::string::npos ||
           (word == "bx" && target == "lr");
  }
};

using Lines = std::vector<Line>;

/// The functions of a text by their symbols: labels and instructions.
std::map<std::string, Lines> functions_of(const std::string& assembly) {
  std::map<std::string, Lines> functions;
  std::string current;
  std::istringstream in(assembly);
  for (std::string text; std::getline(in, text);) {
    text.resize(std::min(text.find('@'), text.size()));
    std::istringstream words(text);
    Line line;
    if (!(words >> line.text)) continue;
    if (line.text.back() == ':') {
      line.text.pop_back();
      if (line.text.front() != '.') current = line.text;
      functions[current].push_back({line.text, "", ""});
    } else if (line.text.front() != '.') {
      line.word = line.text.substr(0, line.text.find('.'));
      for (std::string word; words >> word;) line.target = word;
      line.text = text;
      functions[current].push_back(line);
    }
  }
  return functions;
}

bool is_shared(const std::string& symbol) {
  return symbol.find("sincos") != std::string::npos || symbol == "memset";
}

/// llvm-mca 14 does not know comparisons and conditions of a Cortex-M7: a comparison counts as a difference, and what
/// is conditional as what is not. `conditional`: instructions that still belong to the last `it`.
std::string as_mca_knows(const std::string& instruction, std::size_t& conditional) {
  static const std::regex comparison("vcmpe?\\.f32\\s+(s\\d+), (s\\d+|#0.*)"),
      condition("^(\\s*)(\\w+)\\w\\w(\\.|\\s|$)");
  static const std::regex it("^\\s*(it[te]*)\\s.*");
  std::smatch found;
  if (std::regex_match(instruction, found, it)) {
    conditional = static_cast<std::size_t>(found[1].length()) - 1;
    return "nop";
  }
  std::string known = instruction;
  if (conditional > 0) {
    --conditional;
    known = std::regex_replace(known, condition, "$1$2$3");
  }
  if (std::regex_search(known, found, comparison))
    return "vsub.f32 s31, " + found[1].str() + ", " + (found[2].str()[0] == '#' ? found[1] : found[2]).str();
  return known;
}

class Execution {
 public:
  Execution(const std::map<std::string, Lines>& functions, int loop_runs)
      : functions_(functions), loop_runs_(loop_runs) {}

  void run(const std::string& symbol) {
    const auto found = functions_.find(symbol);
    if (found == functions_.end())
      throw std::runtime_error{"a function is called that is not there: " + symbol};
    const Lines& lines = found->second;
    std::map<std::size_t, int> runs;  // of jumps backwards
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const Line& line = lines[k];
      if (line.is_label()) continue;
      if (line.word == "bl" || line.word == "blx" || line.word == "b") {
        if (is_shared(line.target)) {
          if (line.word == "b") return;
          continue;
        }
        if (line.target.front() != '.') {
          run(line.target);
          if (line.word == "b") return;
          continue;
        }
      }
      instructions.push_back(line.text);
      if (line.returns()) return;
      if (!line.is_jump()) continue;
      const auto label = std::find_if(lines.begin(), lines.end(), [&](const Line& other) {
        return other.is_label() && other.text == line.target;
      });
      const auto place = static_cast<std::size_t>(label - lines.begin());
      const bool backwards = place <= k;
      const bool again = backwards && ++runs[k] < loop_runs_;
      if (backwards && !again) runs[k] = 0;  // of a loop in a loop
      if (again || (!backwards && line.word == "b")) k = place;
    }
  }

  std::vector<std::string> instructions;

 private:
  const std::map<std::string, Lines>& functions_;
  const int loop_runs_;
};

}  // namespace

std::vector<std::string> executed_instructions(const std::string& assembly, const std::string& function,
                                               int loop_runs) {
  const std::map<std::string, Lines> functions = functions_of(assembly);
  const std::string mangled = std::to_string(function.size()) + function + "IfE";  // function<float>
  for (const auto& [symbol, lines] : functions) {
    if (symbol.find(mangled) == std::string::npos) continue;
    Execution execution(functions, loop_runs);
    execution.run(symbol);
    return execution.instructions;
  }
  throw std::runtime_error{"the text has no function " + function};
}

int mca_cycles(const std::vector<std::string>& instructions, cost::Target target,
               const std::filesystem::path& folder) {
  const std::string file = (folder / "executed.s").string();
  {
    std::ofstream out(file);
    out << ".syntax unified\n.thumb\n";
    std::size_t conditional = 0;
    for (const std::string& instruction : instructions) out << as_mca_knows(instruction, conditional) << '\n';
  }
  const std::string command = fmt::format(
      "llvm-mca -mtriple=thumbv7em-none-eabihf -mcpu={} -iterations=1 -instruction-info=0 "
      "-resource-pressure=0 '{}'",
      target == cost::Target::cortex_m7 ? "cortex-m7" : "cortex-m4", file);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  int cycles = 0;
  for (char line[256]; pipe && std::fgets(line, sizeof line, pipe.get()) != nullptr;)
    std::sscanf(line, "Total Cycles: %d", &cycles);
  if (cycles == 0) throw std::runtime_error{"llvm-mca gave no cycles; install llvm"};
  return cycles;
}

std::vector<CycleRow> read_cycles(const std::string& file, cost::Target target) {
  std::ifstream in{file};
  if (!in) throw std::runtime_error{"cannot read " + file};
  std::vector<CycleRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name;
    CycleRow row{};
    words >> name >> row.robot >> row.function >> row.cycles >> row.instructions;
    row.target = target_named(name);
    for (double count = 0.0; words >> count;) row.counts.push_back(count);
    if (row.counts.size() != cost::cycle_terms(target).size())
      throw std::runtime_error{"a row has another number of columns: " + line};
    if (row.target == target) rows.push_back(row);
  }
  return rows;
}

std::string cycle_header() {
  std::string text = "# target robot function cycles instructions";
  for (const cost::Term& term : cost::cycle_terms(cost::Target::cortex_m7))
    text += fmt::format(" {}", term.name);
  return text + "\n";
}

std::string print_row(const CycleRow& row) {
  return fmt::format("{} {} {} {} {} {}\n", cost::name(row.target), row.robot, row.function, row.cycles,
                     row.instructions, fmt::join(row.counts, " "));
}

std::string print_cycle_errors(const std::vector<CycleRow>& rows) {
  double lowest = 0.0, highest = 0.0, squares = 0.0;
  std::string outside;
  for (const CycleRow& row : rows) {
    const double error = row.predicted() / row.cycles - 1.0;
    lowest = std::min(lowest, error);
    highest = std::max(highest, error);
    squares += error * error;
    if (std::abs(error) > 0.15)
      outside +=
          fmt::format("  {} {}: {} cycles, {:+.1f} %\n", row.robot, row.function, row.cycles, 100.0 * error);
  }
  return fmt::format("{} functions: cycles {:+.1f} % to {:+.1f} %, rms {:.1f} %\n{}", rows.size(),
                     100.0 * lowest, 100.0 * highest,
                     100.0 * std::sqrt(squares / static_cast<double>(rows.size())), outside);
}

}  // namespace featherline::bench
