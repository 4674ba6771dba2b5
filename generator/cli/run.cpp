#include "cli/commands.hpp"
#include "cli/output_folder.hpp"
#include "cli/read_input.hpp"
#include "support/diagnostic.hpp"

#include <new>
#include <ostream>

namespace featherline::cli {
namespace {

enum ExitCode { done = 0, input_at_fault = 1, wrong_usage = 2, internal_error = 3 };

bool succeeds(const Options& options, std::ostream& out, FindingsLog& log) {
  switch (options.command) {
    case Options::Command::generate:
      return generate(options, out, log);
    case Options::Command::inspect:
      return inspect(options, out, log);
    case Options::Command::check:
      return check(options, out, log);
  }
  throw InternalError("a command without a function");
}

int run_command(const Options& options, std::ostream& out, std::ostream& err) {
  FindingsLog log(options.diagnostics, err);
  const ExitCode result = succeeds(options, out, log) ? done : input_at_fault;
  if (!out.flush())
    throw EnvironmentError("standard output cannot be written; is the disk full or the pipe closed?");
  return result;
}

}  // namespace

int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  try {
    const std::optional<Options> options = parse_command_line(arguments, out);
    return options ? run_command(*options, out, err) : done;
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
    err << "featherline: internal error: " << error.what()
        << "; please report it with the URDF that causes it\n";
    return internal_error;
  }
}

}  // namespace featherline::cli
