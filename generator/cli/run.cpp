#include "cli/commands.hpp"
#include "cli/output_folder.hpp"
#include "cli/read_input.hpp"
#include "diagnostic.hpp"

#include <new>
#include <ostream>

namespace featherline::cli {
namespace {

enum ExitCode { done = 0, input_at_fault = 1, wrong_usage = 2, internal_error = 3 };

int run_command(const Options& options, std::ostream& out, std::ostream& err) {
  ExitCode result = done;
  try {
    switch (options.command) {
      case Options::Command::generate:
        generate(options, out, err);
        break;
      case Options::Command::inspect:
        inspect(options, out, err);
        break;
      case Options::Command::check:
        result = check(options, out, err) ? done : input_at_fault;
        break;
    }
    if (!out.flush())
      throw EnvironmentError("standard output cannot be written; is the disk full or the pipe closed?");
    return result;
  } catch (const InputError& error) {
    print_findings(options, error.findings(), err);
    return input_at_fault;
  }
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
