// Predicted times, code and stack against measured ones.
//   prediction compare FILE...          tables, or files of `featherline tune`: how well the prediction agrees
//   prediction table MACHINE FILE...    prints such files as one table, under the name of the machine
//   prediction fit TABLE                fits the parameters and prints them for generator/cost/time.cpp, with the errors
//   prediction fit-cold TABLE           the same for cold calls and generator/cost/time.cpp
//   prediction sizes TARGET BASE FUNCTIONS ROBOT...  compiles functions with $CXX, and prints rows for sizes.txt
//   prediction fit-sizes TABLE          fits the coefficients of generator/cost/sizes.cpp and prints them, with the errors
//   prediction cycles TARGET BASE FUNCTIONS ROBOT...  the same with llvm-mca, and prints rows for cycles.txt
//   prediction fit-cycles TABLE         fits the coefficients of generator/cost/cycles.cpp
//   prediction device FOLDER BASE FUNCTIONS ROBOT...  compiles with nvcc into FOLDER, and prints rows for device.txt
//   prediction fit-device TABLE         fits the coefficients of generator/cost/device.cpp

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "accuracy.hpp"
#include "cli/compilers.hpp"
#include "cli/output_files.hpp"
#include "compile_device.hpp"
#include "fit.hpp"
#include "measurements.hpp"
#include "pipeline.hpp"
#include "sizes.hpp"
#include "support/text.hpp"

namespace featherline::bench {
namespace {

using Rows = std::vector<Measurement>;
using Sizes = std::vector<SizeRow>;

Rows read_all(const std::vector<std::string>& files) {
  Rows rows;
  for (const std::string& file : files) {
    Rows more = read_measurements(file);
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return rows;
}

Rows of_machine(const Rows& rows, const std::string& machine) {
  Rows found;
  for (const Measurement& row : rows) {
    if (row.machine == machine) found.push_back(row);
  }
  return found;
}

template <class Parameters>
void print_fit(const Rows& rows, const Parameters& start) {
  const Fit<Parameters> fit = fit_times(rows, start);
  fmt::print("{}", print_parameters(fit.parameters));
  for (const auto& [machine, factor] : fit.machine_factors) {
    const Rows its = of_machine(rows, machine);
    fmt::print("\n{}: {} rows, all times {:.2f} times as long\n{}", machine, its.size(), factor,
               print_accuracy(compare(its, fit.parameters, factor)));
  }
}

/// Functions that are emitted into `folder`, and are straight lines alone: what routines take is stated where they are
/// called.
struct Emitted {
  Emission emission;
  std::string robot;
  std::vector<LoweredFunction> functions;
};

Emitted emit_into(const std::filesystem::path& folder, const cost::Target target, bool floating,
                  const std::string& functions, const std::string& urdf) {
  Options options;
  options.target = target;
  options.scalars = {cost::is_cortex_m(target) ? "float" : "double"};
  options.build.floating_base = floating;
  for (const catalog::FunctionSpec& spec : catalog::functions()) {
    if (("," + functions + ",").find("," + spec.name + ",") != std::string::npos)
      options.functions.push_back(spec.name);
  }
  Diagnostics findings;
  const Robot robot = read_robot(urdf, options, findings);
  const Plan plan = make_plan(robot, options, findings);
  LoweredRobot lowered = lower_robot(robot, plan, options);
  Emitted emitted;
  for (const LoweredFunction& function : lowered.functions) {
    if (function.kernel.calls().empty()) emitted.functions.push_back(function);
  }
  emitted.emission = emit_lowered(robot, plan.name, std::move(lowered), options);
  emitted.robot = emitted.emission.name + (floating ? "_floating" : "_fixed");
  std::vector<cli::OutputFile> files;
  for (const emit::File& file : emitted.emission.files)
    files.push_back({folder / file.relative_name, file.content});
  cli::write_files(files);
  return emitted;
}

void print_sizes(const cost::Target target, bool floating, const std::string& functions,
                 const std::string& urdf) {
  const cli::TemporaryFolder folder;
  const Emitted emitted = emit_into(folder.path(), target, floating, functions, urdf);
  for (const LoweredFunction& function : emitted.functions) {
    const std::string name = function_name(function);
    const cli::MeasuredSize size = cli::measure_size(emitted.emission, name, folder.path());
    fmt::print("{}", print_row({target, emitted.robot, name, size.code, size.stack,
                                cost::count_instructions(function.kernel, cost::machine(target))}));
  }
}

void print_cycles(const cost::Target target, bool floating, const std::string& functions,
                  const std::string& urdf) {
  const cli::TemporaryFolder folder;
  const Emitted emitted = emit_into(folder.path(), target, floating, functions, urdf);
  for (const LoweredFunction& function : emitted.functions) {
    const std::string name = function_name(function);
    const auto source = folder.path() / (emitted.emission.name + "_" + name + ".cpp");
    cli::compile_object(source, {folder.path(), cli::runtime_headers()}, "-O2 -ffp-contract=fast -S",
                        source.string() + ".s");
    const std::vector<std::string> executed = executed_instructions(
        read_whole(source.string() + ".s").value(), name, function.kernel.graph.max_lanes());
    fmt::print("{}", print_row(CycleRow{
                         target, emitted.robot, name, mca_cycles(executed, target, folder.path()),
                         static_cast<int>(executed.size()), cost::cycle_counts(function.kernel, target)}));
  }
}

void print_device(const std::string& folder, bool floating, const std::string& functions,
                  const std::string& urdf) {
  Options options;
  options.scalars = {"float", "double"};
  options.bindings = {"cuda"};
  options.build.floating_base = floating;
  options.verify = false;
  options.functions = split_at(functions, ',');
  Diagnostics findings;
  const Robot robot = read_robot(urdf, options, findings);
  const Plan plan = make_plan(robot, options, findings);
  for (DeviceRow& row : compile_for_device(folder, robot, plan, options)) {
    row.robot += floating ? "_floating" : "_fixed";
    fmt::print("{}", print_row(row));
  }
}

void print_device_fit(const std::vector<DeviceRow>& rows) {
  fmt::print("{}", print_device_errors(device_errors(rows)));
  for (const int bytes : {4, 8})
    fmt::print("{} bytes:\n{}", bytes, print_terms(fit_device_code(rows, bytes)));
  fmt::print("time:\n{}", print_terms(fit_device_time(rows)));
}

void print_cycle_fit(const std::string& file) {
  for (const cost::Target target : {cost::Target::cortex_m7, cost::Target::cortex_m4f}) {
    const std::vector<CycleRow> rows = read_cycles(file, target);
    fmt::print("{}: {}{}", cost::name(target), print_cycle_errors(rows),
               print_terms(fit_cycles(rows, target)));
  }
}

void print_size_fit(const Sizes& rows) {
  for (const cost::TargetName& target : cost::target_names()) {
    const Sizes its = of_target(rows, target.target);
    if (its.empty()) continue;
    fmt::print("{}: {}", target.name, print_size_errors(its));
    if (cost::is_cortex_m(target.target)) fmt::print("{}", print_terms(fit_code(its, target.target)));
  }
}

int run(const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words.front();
  if (command == "compare" && words.size() > 1) {
    const Rows rows = read_all({words.begin() + 1, words.end()});
    fmt::print("{} formulations\n{}", rows.size(), print_accuracy(compare(rows, cost::fitted_time)));
  } else if (command == "table" && words.size() > 2) {
    Rows rows = read_all({words.begin() + 2, words.end()});
    for (Measurement& row : rows) row.machine = words[1];
    fmt::print("{}", print_measurements(rows));
  } else if (command == "fit" && words.size() == 2) {
    print_fit(read_all({words[1]}), cost::fitted_time);
  } else if (command == "fit-cold" && words.size() == 2) {
    print_fit(read_all({words[1]}), cost::fitted_cold);
  } else if (command == "sizes" && words.size() > 4) {
    for (std::size_t k = 4; k < words.size(); ++k)
      print_sizes(target_named(words[1]), words[2] == "floating", words[3], words[k]);
  } else if (command == "cycles" && words.size() > 4) {
    for (std::size_t k = 4; k < words.size(); ++k)
      print_cycles(target_named(words[1]), words[2] == "floating", words[3], words[k]);
  } else if (command == "device" && words.size() > 4) {
    for (std::size_t k = 4; k < words.size(); ++k)
      print_device(words[1], words[2] == "floating", words[3], words[k]);
  } else if (command == "fit-device" && words.size() == 2) {
    print_device_fit(read_device_rows(words[1]));
  } else if (command == "fit-cycles" && words.size() == 2) {
    print_cycle_fit(words[1]);
  } else if (command == "fit-sizes" && words.size() == 2) {
    print_size_fit(read_sizes(words[1]));
  } else {
    fmt::print(stderr,
               "usage: prediction compare FILE... | table MACHINE FILE... | fit TABLE | fit-cold TABLE |\n"
               "       sizes TARGET BASE FUNCTIONS ROBOT... | fit-sizes TABLE |\n"
               "       cycles TARGET BASE FUNCTIONS ROBOT... | fit-cycles TABLE |\n"
               "       device FOLDER BASE FUNCTIONS ROBOT... | fit-device TABLE\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace featherline::bench

int main(int argc, char** argv) {
  try {
    return featherline::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
