#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "subject.hpp"

namespace featherline::bench {

/// The name under which `what` ("double", "float", "reference", a peer) is measured.
std::string benchmark_name(const Subject& subject, const std::string& function, const std::string& what);

/// A robot and how exact its emitted functions are.
struct VerifiedSubject {
  std::unique_ptr<Subject> subject;
  std::map<std::string, Errors> errors;
};

/// Prints a markdown table, robot by function: flops, nanoseconds, how many times longer the others take, and the
/// error in float. `best` has nanoseconds by benchmark name; what was filtered out is left blank. Below the table:
/// which peers are missing, and why.
void print_table(const std::vector<VerifiedSubject>& subjects, const std::map<std::string, double>& best);

}  // namespace featherline::bench
