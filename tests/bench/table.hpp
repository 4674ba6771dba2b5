#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "subject.hpp"

namespace featherline::bench {

/// The name under which `what` ("double", "float", "reference", a peer) is measured.
std::string benchmark_name(const Subject& subject, const std::string& function, const std::string& what);

/// Prints a markdown table, robot by function: flops, nanoseconds, and how many times longer the others take.
/// `best` has nanoseconds by benchmark name; what was filtered out is left blank. Below it: which peers are
/// missing, why.
void print_table(const std::vector<std::unique_ptr<Subject>>& subjects,
                 const std::map<std::string, double>& best);

}  // namespace featherline::bench
