#include "device_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "cost/device.hpp"

namespace featherline::bench {
namespace {

const std::vector<std::pair<std::string, int cost::DeviceCounts::*>>& device_members() {
  using Counts = cost::DeviceCounts;
  static const std::vector<std::pair<std::string, int Counts::*>> members{
      {"threads", &Counts::threads},     {"alive", &Counts::alive},       {"operations", &Counts::operations},
      {"divisions", &Counts::divisions}, {"loads", &Counts::loads},       {"stores", &Counts::stores},
      {"spills_4", &Counts::spills_4},   {"spills_8", &Counts::spills_8}, {"numbers", &Counts::numbers},
  };
  return members;
}

/// The spread of numbers around 0, of those that were added.
class Spread {
 public:
  void add(double x) {
    sum_ += x * x;
    ++count_;
  }
  double value() const { return count_ > 0 ? std::sqrt(sum_ / count_) : 0.0; }

 private:
  double sum_ = 0.0;
  int count_ = 0;
};

/// The one that is chosen of those with a thread a state, or of those with a thread a limb; nullptr if there is none.
const DeviceRow* finalist(const std::vector<const DeviceRow*>& rows, bool on_limbs) {
  const DeviceRow* best = nullptr;
  const auto key = [&](const DeviceRow& row) { return on_limbs ? row.counts.alive : row.counts.operations; };
  for (const DeviceRow* row : rows) {
    if ((row->counts.threads > 1) == on_limbs && (best == nullptr || key(*row) < key(*best))) best = row;
  }
  return best;
}

cost::DeviceCost cost_of(const DeviceRow& row) {
  const cost::DeviceFigures figures = row.estimated();
  return {figures.ns, figures.registers, figures.spilled_bytes};
}

}  // namespace

std::vector<DeviceRow> read_device_rows(const std::string& file) {
  std::ifstream in{file};
  if (!in) throw std::runtime_error{"cannot read " + file};
  std::vector<DeviceRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    DeviceRow row;
    words >> row.robot >> row.function >> row.formulation >> row.scalar >> row.registers >> row.spilled >>
        row.instructions;
    for (const auto& [name, member] : device_members()) words >> row.counts.*member;
    words >> row.ns;
    if (!words) throw std::runtime_error{"a row has too few columns: " + line};
    rows.push_back(row);
  }
  return rows;
}

std::string print_row(const DeviceRow& row) {
  std::string text = fmt::format("{} {} {} {} {} {} {}", row.robot, row.function, row.formulation, row.scalar,
                                 row.registers, row.spilled, row.instructions);
  for (const auto& [name, member] : device_members()) text += fmt::format(" {}", row.counts.*member);
  return text + fmt::format(" {:g}\n", row.ns);
}

DeviceErrors device_errors(const std::vector<DeviceRow>& rows) {
  Spread registers, instructions, ns;
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const DeviceRow*>> functions;
  for (const DeviceRow& row : rows) {
    const cost::DeviceFigures figures = row.estimated();
    instructions.add(std::log(1.0 * figures.instructions / row.instructions));
    if (row.spilled == 0) registers.add(std::log(1.0 * figures.registers / row.registers));
    if (row.ns == 0) continue;
    ns.add(std::log(figures.ns / row.ns));
    functions[{row.robot, row.function, row.scalar}].push_back(&row);
  }
  DeviceErrors errors{registers.value(), instructions.value(), ns.value()};
  for (const auto& [function, its] : functions) {
    if (its.size() < 2) continue;
    const DeviceRow *chosen = finalist(its, false), *limbs = finalist(its, true);
    if (cost::takes_threads_of_limbs(limbs, chosen, cost_of)) chosen = limbs;
    const double loss = chosen->ns / (*std::ranges::min_element(its, {}, &DeviceRow::ns))->ns - 1.0;
    errors.mean_loss += loss;
    errors.worst_loss = std::max(errors.worst_loss, loss);
    ++errors.choices;
  }
  errors.mean_loss /= std::max(1, errors.choices);
  return errors;
}

std::string print_device_errors(const DeviceErrors& errors) {
  return fmt::format(
      "errors: registers {:.0f} %, instructions {:.0f} %, time {:.0f} %\n"
      "{} choices: the chosen formulation takes {:.1f} % longer than the fastest on average, {:.0f} % at "
      "most\n",
      100 * errors.registers, 100 * errors.instructions, 100 * errors.ns, errors.choices,
      100 * errors.mean_loss, 100 * errors.worst_loss);
}

}  // namespace featherline::bench
