#include "cli/robot_name.hpp"

#include "emit/emit.hpp"

namespace featherline::cli {
namespace {

bool has_only_identifier_characters(const std::string& name) {
  return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
         std::string::npos;
}

}  // namespace

void tell_renaming(const Options& options, const Robot& robot, Diagnostics& findings) {
  const bool asked = !options.name.empty();
  const std::string& wanted = asked ? options.name : robot.description.name;
  const std::string used = emit::emitted_name(wanted);
  if (used == wanted) return;
  const std::string message = (asked ? "--name " : "the robot's name ") + quoted(wanted) +
                              " cannot name a C++ namespace; " + quoted(used) +
                              " is used for it and for the files";
  if (asked) {
    findings.warning(
        {robot.description.file, 0, ""}, message,
        "choose a --name of letters, digits and single underscores that begins with a letter and that "
        "neither C++ nor its libraries use");
  } else if (!wanted.empty() && has_only_identifier_characters(wanted)) {
    findings.note({robot.description.file, 0, ""}, message, "choose another one with --name");
  }
}

}  // namespace featherline::cli
