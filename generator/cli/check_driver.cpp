#include "cli/check_driver.hpp"

#include <fmt/format.h>

#include <numeric>

namespace featherline::cli {
namespace {

constexpr const char* frames[] = {"local_world_aligned", "local", "world"};

/// Offset of output k among a function's results.
std::size_t offset_of(const CheckedFunction& function, std::size_t k) {
  return std::accumulate(function.sizes.begin(), function.sizes.begin() + static_cast<std::ptrdiff_t>(k),
                         std::size_t{0});
}

/// A call whose arrays all have their place before the program runs.
std::string plain_call(const std::string& name, const CheckedFunction& function, const char* outputs) {
  std::string call = fmt::format("    {}::{}<double>(", name, function.name);
  for (const algorithms::Argument& input : function.algorithm->inputs) call += input.name + ", ";
  for (std::size_t k = 0; k < function.sizes.size(); ++k) {
    call += fmt::format("{}{} + {}", k == 0 ? "" : ", ", outputs, offset_of(function, k));
  }
  return call + ");\n";
}

/// Calls the packed form and spreads what it wrote; the zeros are cleared for every state anew.
std::string packed_call(const std::string& name, const CheckedFunction& function) {
  std::string call = plain_call(name, function, "packed.data()");
  call += fmt::format("    std::fill(y, y + {}, 0.0);\n", function.total_size());
  for (std::size_t k = 0; k < function.sizes.size(); ++k) {
    const std::string entries =
        fmt::format("{}::{}_{}", name, function.name, function.algorithm->outputs[k].name);
    call += fmt::format("    featherline::unpack({0}, {0}_entries, packed.data() + {1}, y + {1});\n", entries,
                        offset_of(function, k));
  }
  return call;
}

std::string link_loop(const std::string& name, const std::string& body) {
  return fmt::format("    for (int link = 0; link < {}::num_links; ++link) {{\n      {}\n    }}\n", name,
                     body);
}

std::string call(const std::string& name, const CheckedFunction& function) {
  const std::string& id = function.algorithm->name;
  if (id == "forward_kinematics") {
    return link_loop(
        name, fmt::format("{0}::forward_kinematics<double>(q, static_cast<{0}::Link>(link), y + 9 * link, "
                          "y + 9 * {0}::num_links + 3 * link);",
                          name));
  }
  if (function.packed) return packed_call(name, function);
  if (id != "frame_jacobian") return plain_call(name, function, "y");
  std::string loops;
  for (int k = 0; k < 3; ++k) {
    loops += link_loop(name, fmt::format("{0}::frame_jacobian<double>(q, static_cast<{0}::Link>(link), "
                                         "y + 6 * {0}::nv * ({1} * {0}::num_links + link), "
                                         "featherline::ReferenceFrame::{2});",
                                         name, k, frames[k]));
  }
  return loops;
}

}  // namespace

std::size_t CheckedFunction::total_size() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
}

std::vector<double> flatten(const reference::State& state) {
  std::vector<double> values;
  for (const Eigen::VectorXd* part : {&state.q, &state.v, &state.a, &state.tau, &state.b, &state.w}) {
    values.insert(values.end(), part->begin(), part->end());
  }
  return values;
}

std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions) {
  std::size_t size = 0;
  std::string calls;
  for (const CheckedFunction& function : functions) {
    calls += call(name, function) + fmt::format("    y += {};\n", function.total_size());
    size += function.total_size();
  }
  return fmt::format(R"(#include "{0}.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int, char** argv) {{
  std::FILE* states = std::fopen(argv[1], "rb");
  std::FILE* results = std::fopen(argv[2], "wb");
  if (states == nullptr || results == nullptr) return 1;
  constexpr int nq = {1}, nv = {2};
  std::vector<double> state(nq + 5 * nv), result({3}), packed({3});
  const double* q = state.data();
  [[maybe_unused]] const double* v = q + nq;
  [[maybe_unused]] const double* a = v + nv;
  [[maybe_unused]] const double* tau = a + nv;
  [[maybe_unused]] const double* b = tau + nv;
  [[maybe_unused]] const double* w = b + nv;
  for (long left = std::atol(argv[3]); left > 0; --left) {{
    if (std::fread(state.data(), sizeof(double), state.size(), states) != state.size()) return 1;
    double* y = result.data();
{4}    if (std::fwrite(result.data(), sizeof(double), result.size(), results) != result.size()) return 1;
  }}
  return std::fclose(results) == 0 ? 0 : 1;
}}
)",
                     name, tree.nq, tree.nv, size, calls);
}

}  // namespace featherline::cli
