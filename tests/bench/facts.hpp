#pragma once

#include <map>
#include <string>

namespace featherline::bench {

/// What the manifest says of an emitted function.
struct Facts {
  int flops = 0, sincos = 0;
  std::string formulation;
};

/// By function. Throws std::runtime_error if the file cannot be read.
std::map<std::string, Facts> read_facts(const std::string& manifest);

}  // namespace featherline::bench
