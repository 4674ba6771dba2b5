#include "cli/commands.hpp"

#include "cli/output_files.hpp"
#include "support/json.hpp"

#include <unistd.h>
#include <cstdio>
#include <new>
#include <ostream>
#include <utility>

namespace featherline::cli {
namespace {

enum ExitCode { done = 0, input_at_fault = 1, wrong_usage = 2, internal_error = 3 };

int run_command(const CommandLine& line, std::ostream& out, std::ostream& err) {
  FindingsLog log(line, err);
  const auto command = std::ranges::find(commands(), line.command, &CommandDoc::command);
  const ExitCode result = command->run(line, out, log) ? done : input_at_fault;
  if (!out.flush())
    throw EnvironmentError("standard output cannot be written; is the disk full or the pipe closed?");
  return result;
}

}  // namespace

void FindingsLog::add(const Diagnostics& all) {
  Diagnostics findings;
  findings.append(all, least_);
  if (format_ == CommandLine::Findings::json) return collected_.append(findings);
  err_ << (format_ == CommandLine::Findings::full ? format_full(findings) : format_text(findings))
       << std::flush;
}

FindingsLog::~FindingsLog() {
  if (format_ == CommandLine::Findings::json) err_ << format_json(collected_) << std::flush;
}

void Progress::show(const std::string& what) {
  if (isatty(STDERR_FILENO) != 1) return;
  std::fprintf(stderr, "\r\033[K%s ...", what.c_str());
  std::fflush(stderr);
  shown_ = true;
}

Observer Progress::observer() {
  Observer observer;
  observer.progress = [this](const std::string& what) { show(what); };
  return observer;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  shown_ = false;
}

bool for_each_input(const CommandLine& line, FindingsLog& log,
                    const std::function<bool(const CommandLine&)>& work) {
  bool all_well = true;
  for (const std::string& input : line.inputs) {
    CommandLine one = line;
    one.model = input;
    try {
      all_well = work(one) && all_well;
    } catch (const InputError& error) {
      log.add(error.findings());
      all_well = false;
    } catch (const UsageError& error) {
      if (line.inputs.size() == 1) throw;
      throw UsageError(input + ": " + error.what());
    }
  }
  return all_well;
}

bool print_each(const CommandLine& line, std::ostream& out, FindingsLog& log,
                const std::function<std::string(const CommandLine&, FindingsLog&)>& work) {
  const bool array = line.format == CommandLine::Format::json && line.inputs.size() > 1;
  std::string before = array ? "[\n" : "";
  const auto print = [&](const std::string& text) {
    out << std::exchange(before, array ? "," : "\n") << text << std::flush;
  };
  const bool all_well = for_each_input(line, log, [&](const CommandLine& one) {
    try {
      print(work(one, log));
    } catch (const InputError& error) {
      if (array)
        print(print_json({{"file", one.model}, {"diagnostics", read_json(format_json(error.findings()))}}));
      throw;
    }
    return true;
  });
  if (array) out << "]\n";
  return all_well;
}

void settle_findings(const CommandLine& line, Diagnostics& findings, FindingsLog& log) {
  const std::size_t count = findings.count(Severity::warning);
  if (line.warnings_are_errors && count > 0) {
    findings.error({findings.all().front().where.file, 0, ""},
                   std::to_string(count) + (count == 1 ? " warning stops" : " warnings stop") +
                       " the run under --werror",
                   "mend the input, accept them by name (--accept), or leave the flag out");
    log.show_warnings();
    throw InputError(findings);
  }
  log.add(findings);
}

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  try {
    const std::optional<CommandLine> line = parse_command_line(arguments, out);
    return line ? run_command(*line, out, err) : done;
  } catch (const UsageError& error) {
    err << "featherline: error: " << error.what() << '\n';
    return wrong_usage;
  } catch (const EnvironmentError& error) {
    err << "featherline: error: " << error.what() << '\n';
    return input_at_fault;
  } catch (const std::bad_alloc&) {
    err << "featherline: error: out of memory; ask for fewer functions or a smaller robot\n";
    return internal_error;
  } catch (const std::exception& error) {
    err << "featherline: internal error: " << error.what() << "; please report it with the robot's file\n";
    return internal_error;
  }
}

}  // namespace featherline::cli
