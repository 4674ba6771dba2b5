#include "selection/division.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace featherline {

Names report(const Division& division, const Absence& absence, const Asked& asked) {
  const auto message = [&](const Names& names, const char* what) {
    return fmt::format("{}{}{}", absence.reason, fmt::join(names, ", "), what);
  };
  Location where{asked.file, 0, "robot"};
  if (absence.joint != nullptr)
    where = {absence.joint->file, absence.joint->line, "robot/joint " + in_quotes(absence.joint->name)};
  if (!division.dropped.empty())
    asked.findings.warning(absence.finding, where, message(division.dropped, absence.left_out),
                           absence.remedy);
  if (!division.refused.empty())
    asked.findings.error(where, message(division.refused, absence.refused), absence.remedy);
  return division.kept;
}

}  // namespace featherline
