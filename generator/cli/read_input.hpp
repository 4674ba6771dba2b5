#pragma once

#include "cli/options.hpp"
#include "pipeline.hpp"

#include <functional>
#include <iosfwd>

namespace featherline::cli {

/// Findings on `err`: as text at once, as JSON in one array for all inputs when the log goes out of scope.
class FindingsLog {
 public:
  FindingsLog(Options::Format format, std::ostream& err) : format_(format), err_(err) {}
  ~FindingsLog();
  FindingsLog(const FindingsLog&) = delete;
  FindingsLog& operator=(const FindingsLog&) = delete;

  void add(const Diagnostics& findings);

 private:
  Options::Format format_;
  std::ostream& err_;
  Diagnostics collected_;
};

/// Calls `work` for every input in turn, with `urdf` set; InputErrors go to the log and the next input follows.
/// Whether all went well.
bool for_each_input(const Options& options, FindingsLog& log,
                    const std::function<bool(const Options&)>& work);

/// Reads the robot and collects its findings. Throws InputError on errors.
Robot read_input(const Options& options, Diagnostics& findings, const Observer& observer = {});

/// Once all findings are in: logs them, or throws InputError when --werror makes them an error.
void settle_findings(const Options& options, Diagnostics& findings, FindingsLog& log);

/// The options without the functions that do not exist for this robot; see drop_functions_without_inverse. Warns about
/// the joints that move without inertia. Throws InputError where the user named a function that does not exist.
Options with_existing_functions(const Options& options, const Robot& robot, Diagnostics& findings);

}  // namespace featherline::cli
