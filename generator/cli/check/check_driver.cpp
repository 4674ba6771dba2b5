#include "cli/check/check.hpp"
#include "cli/compilers.hpp"
#include "emit/identifiers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace featherline::cli {
namespace {

/// One form of a function: how it is called, and how the driver names its parts.
struct Call {
  const std::string& robot;
  const model::Tree& tree;
  const CheckedFunction& function;
  const Form& form;

  const catalog::FunctionSpec& spec = *function.spec;
  std::string robot_space = "::" + robot;
  bool is_c = form.kind == Form::Kind::c;

  /// "arm::rnea<float>", "arm_rnea_float", "arm::batch::soa::rnea"
  std::string name(bool soa = false) const {
    if (form.kind == Form::Kind::batch)
      return robot_space + "::batch::" + (soa ? "soa::" : "") + function.name;
    const std::string emitted = form.nonzeros ? nonzeros_name(spec) : function.name;
    if (!is_c) return robot_space + "::" + emitted + "<" + form.scalar + ">";
    return robot_space + "_" + emitted + (form.scalar == "double" ? "" : "_" + form.scalar);
  }
};

template <class Output>
std::string arguments(const Call& call, const Output& output) {
  const bool is_batch = call.form.kind == Form::Kind::batch;
  return call.is_c ? call_arguments(call.spec, call.tree, output, "link", "frame")
                   : call_arguments(call.spec, call.tree, output,
                                    "static_cast<" + call.robot_space + "::Link>(link)",
                                    "static_cast<featherline::ReferenceFrame>(frame)", is_batch);
}

/// The address in `y` at which output k of one call begins.
std::string place(const Call& call, std::size_t k) {
  const std::vector<std::size_t>& sizes = call.function.sizes;
  const std::size_t first =
      call.function.repeats *
      std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(k), std::size_t{0});
  std::string text = fmt::format("y + {}", first);
  if (call.spec.takes_link) text += fmt::format(" + {} * link", sizes[k]);
  if (call.spec.has_reference_frame_argument)
    text += fmt::format(" + {} * frame", sizes[k] * call.tree.links.size());
  return text;
}

/// "arm::minv_packed_Minv": the table that says where each number of packed output k belongs.
std::string packed_table(const Call& call, std::size_t k, const char* separator = "::") {
  return call.robot_space + separator + call.function.name + "_" + call.spec.outputs[k].name;
}

/// Spreads packed output k, which begins at `from`, into its dense array. In C the C interface gives the table.
std::string unpack(const Call& call, std::size_t k, const std::string& from) {
  const bool is_c = call.is_c;
  return fmt::format("{0}({1}{2}, {1}_entries, {3}, {4});\n", is_c ? "unpack_c" : "featherline::unpack",
                     packed_table(call, k, is_c ? "_" : "::"), is_c ? "_map" : "", from, place(call, k));
}

/// Puts the call into loops over links and over frames, if the function takes them.
std::string in_loops(const Call& call, const std::string& body) {
  std::string text = body;
  if (call.spec.takes_link)
    text = fmt::format("for (int link = 0; link < {}::num_links; ++link) {{\n{}}}\n", call.robot_space, body);
  if (call.spec.has_reference_frame_argument)
    text = "for (int frame = 0; frame < 3; ++frame) {\n" + text + "}\n";
  return text;
}

/// Writes the results of one state to `y`. `x` holds the inputs of that state.
std::string single_call(const Call& call) {
  const auto named = [&](const auto& output) { return call.name() + "(" + arguments(call, output) + ");\n"; };
  if (!call.function.packed) return in_loops(call, named([&](std::size_t k) { return place(call, k); }));
  const auto part = [&](std::size_t k) { return fmt::format("packed{}.data()", k); };
  std::string text, spread;
  for (std::size_t k = 0; k < call.function.sizes.size(); ++k) {
    text += fmt::format("static std::vector<{}> packed{}(packed_size({}, {}_entries) + 1);\n",
                        call.form.scalar, k, packed_table(call, k), packed_table(call, k));
    spread += unpack(call, k, part(k));
  }
  return text + named(part) +
         fmt::format("std::fill(y, y + {}, {}(0));\n", call.function.total_size(), call.form.scalar) + spread;
}

/// How many numbers of output k a batch writes for each state (and link).
std::string row_size(const Call& call, std::size_t k) {
  if (!call.function.packed) return std::to_string(call.function.sizes[k]);
  return fmt::format("packed_size({0}, {0}_entries)", packed_table(call, k));
}

/// One call of the batch for all states, and code that copies its rows to their places.
std::string batch_piece(const Call& call, bool soa) {
  std::string sizes, spread;
  for (std::size_t k = 0; k < call.function.sizes.size(); ++k) {
    const std::string row = fmt::format("rows[{}]", k);
    sizes += (k == 0 ? "" : ", ") + row_size(call, k);
    spread += call.function.packed
                  ? unpack(call, k, row)
                  : fmt::format("std::copy_n({}, {}, {});\n", row, row_size(call, k), place(call, k));
  }
  const std::string list = arguments(call, [](std::size_t k) { return fmt::format("out[{}]", k); });
  const std::string& S = call.form.scalar;
  return in_loops(
      call,
      fmt::format("batch.piece({{{0}}},\n[&](std::ptrdiff_t count, const Inputs<{1}>& x, {1}* const* out, "
                  "const featherline::BatchOptions& options) {{\n{2}(count, {3}, options);\n}},\n"
                  "[&](const {1}* const* rows, {1}* y) {{\n{4}}});\n",
                  sizes, S, call.name(soa), list, spread));
}

std::string batch_call(const Call& call) {
  std::string text;
  for (const bool soa : {false, true}) {
    text += fmt::format(
        "{{\nBatch<{}> batch({}, {}, {}, featherline::InstructionSet({}), {});\n{}batch.write();\n}}\n",
        call.form.scalar, call.function.states, call.function.batch_count, soa,
        static_cast<int>(call.form.set), call.function.total_size(), batch_piece(call, soa));
  }
  return text;
}

std::string form_source(const Call& call) {
  if (call.form.kind == Form::Kind::batch) return batch_call(call);
  const std::string& S = call.form.scalar;
  return fmt::format("{4}<{0}>({1}, {2}, [](const Inputs<{0}>& x, {0}* y) {{\n{3}}});\n", S,
                     call.function.states, call.function.total_size(), single_call(call),
                     call.form.nonzeros ? "run_cleared_once" : "run");
}

constexpr const char* includes = R"(#include <featherline/packed.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>
)";

}  // namespace

std::string driver_source(const std::string& name, const model::Tree& tree,
                          const std::vector<CheckedFunction>& functions) {
  bool c = false, batch = false;
  std::string functions_source, calls;
  int number = 0;
  for (const CheckedFunction& function : functions) {
    for (const Form& form : function.forms) {
      c = c || form.kind == Form::Kind::c;
      batch = batch || form.kind == Form::Kind::batch;
      functions_source +=
          fmt::format("\nvoid call_{}() {{\n{}}}\n", number, form_source({name, tree, function, form}));
      calls += fmt::format("  call_{}();\n", number++);
    }
  }
  const auto part = [](const char* file) { return "\n" + std::string(emit::skeleton(file)); };
  return "#include \"" + name + ".hpp\"\n" + (c ? "#include \"" + name + ".h\"\n" : "") + includes +
         "\nnamespace featherline_check {\n\n" + input_types(tree) +
         std::string(emit::skeleton("check/frame.cpp")) + (c ? part("check/c_frame.cpp") : "") +
         (batch ? part("check/batch_frame.cpp") : "") + functions_source + "\nvoid call_all() {\n" + calls +
         "}\n" + part("check/main.cpp");
}

JoinedSources join_sources(const Emission& emission) {
  int total = 0;
  for (const emit::FunctionFacts& function : emission.facts) total += function.code_bytes;
  const int most = std::max(16'000, total / 8);  // several compilers have work
  JoinedSources joined;
  int bytes = most;
  for (const emit::FunctionFacts& function : emission.facts) {
    if (bytes + function.code_bytes > most) {
      joined.files.push_back({fmt::format("featherline_joined_{}.cpp", joined.files.size()), ""});
      bytes = 0;
    }
    bytes += function.code_bytes;
    const std::string source = emission.name + "_" + function.name + ".cpp";
    joined.files.back().content += "#include \"" + source + "\"\n";
    joined.included.insert(source);
  }
  return joined;
}

}  // namespace featherline::cli
