// NAME::batch of `--batch`: every function for many states at once, in the lanes of featherline/batch. A file for each
// function and instruction set, so that they compile side by side and a program need not link what it leaves out.
#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace featherline::emit {
namespace {

/// How the numbers of all outputs lie in the lanes of a packed form: its numbers, then a zero, then the opposites of
/// some. `dense_sizes` are those of the outputs of the dense function.
void add_spread(const LoweredFunction& packed, const std::vector<int>& dense_sizes,
                std::vector<Replacement>& values) {
  int zero = 0;  // the row behind the packed ones
  for (const ir::Buffer& p : packed.kernel.outputs) zero += p.size;
  std::string further_rows = fmt::format("    rows[{}] = S(0.0);", zero);
  std::map<int, int> opposites;  // by row: where its opposite lies, behind the zero
  const auto opposite_of = [&](int row) {
    const auto [found, is_new] = opposites.emplace(row, zero + 1 + static_cast<int>(opposites.size()));
    if (is_new) further_rows += fmt::format("\n    rows[{}] = -rows[{}];", found->second, row);
    return found->second;
  };
  std::vector<int> spread;
  int first = 0;
  for (std::size_t o = 0; o < dense_sizes.size(); ++o) {
    std::vector<int> rows(index(dense_sizes[o]), zero);
    for (const passes::PackedEntry& entry : packed.packed_maps->at(o)) {
      const int row = first + entry.packed_index;
      rows.at(index(entry.dense_index)) = entry.negated ? opposite_of(row) : row;
    }
    spread.insert(spread.end(), rows.begin(), rows.end());
    first += packed.kernel.outputs[o].size;
  }
  const int count = zero + 1 + static_cast<int>(opposites.size());
  values.insert(values.end(),
                {{"num_rows", std::to_string(count)},
                 {"spread_type", count < 65536 ? "unsigned short" : "int"},
                 {"spread", fill_lines(fmt::format("{}, ", fmt::join(spread, ", ")), "      ", "      ")},
                 {"further_rows", further_rows}});
}

struct WideSet {
  const char *stem, *tag;
};
constexpr WideSet avx2{"avx2", "Avx2"}, avx512{"avx512", "Avx512"};

/// What the kernel calls: the packed form where there is one.
LoweredFunction kernel_function(const LoweredFunction& function) {
  if (!function.batch_form) return function;
  return {function.spec, function.batch_form->kernel, function.batch_form->maps};
}

Signature batch_signature(const LoweredFunction& function, const model::Tree& tree) {
  Signature signature = make_signature(function, tree);
  for (Parameter& p : signature.parameters) {
    if (p.is_number()) p.shape = {1};  // each state has its own
  }
  signature.parameters.insert(signature.parameters.begin(), {ParameterKind::count, "count"});
  signature.parameters.push_back({ParameterKind::options, "options"});
  return signature;
}

std::string size_list(const std::vector<Parameter>& list) {
  const auto sizes = each(list, [](const Parameter& p) { return p.shape.expression(); });
  return "{" + (sizes.empty() ? "0" : join(sizes, ", ")) + "}";
}

/// "in, in + nq, in + nq + nv": where each array of `list` begins.
std::vector<std::string> array_starts(const std::string& base, const std::vector<Parameter>& list) {
  std::vector<std::string> starts;
  std::string start = base;
  for (const Parameter& p : list) {
    starts.push_back(start);
    start += " + " + p.shape.expression();
  }
  return starts;
}

/// Link and frame are the same for all states.
std::string kernel_members(const Signature& signature) {
  std::string text;
  for (const Parameter& p : signature.by_value())
    text += p.kind == ParameterKind::link ? "  Link link;\n" : "  featherline::ReferenceFrame frame;\n";
  return text;
}

/// "::arm::rnea(in[0], in[1], in[2], out[0]);": in the order of the lists. "(in + nq)[0]" is an input by value.
std::string call_with(const std::string& robot, const Signature& called,
                      const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  std::size_t i = 0, o = 0;
  const std::string arguments = argument_list(called, [&](const Parameter& p) {
    return p.is_number()                     ? "(" + inputs[i++] + ")[0]"
           : p.kind == ParameterKind::input  ? inputs[i++]
           : p.kind == ParameterKind::output ? outputs[o++]
                                             : p.name;
  });
  return wrap_statement("::" + robot + "::" + called.name + "(" + arguments + ");", "    ");
}

/// ", num_bodies = 7": sizes that only some functions have.
std::string further_size_members(const LoweredFunction& function, const model::Tree& tree) {
  std::string text;
  for (const auto& [name, value] : further_sizes({&function, 1}, tree))
    text += value.empty() ? "" : ", " + name + " = " + value;
  // Headers have the number of links in any case.
  if (catalog::has_size(*function.spec, catalog::num_links))
    text += ", num_links = " + std::to_string(tree.links.size());
  if (function.spec->repeats) text += ", N = 1";
  return text;
}

/// "in[0]", "in[1]", ...
std::vector<std::string> entries(const std::string& array, std::size_t count) {
  std::vector<std::string> list;
  while (list.size() < count) list.push_back(array + "[" + std::to_string(list.size()) + "]");
  return list;
}

std::string kernel_file(const FileSource& source) {
  const Request& request = source.request;
  const LoweredFunction& function = *source.function;
  const std::string name = emitted_name(request.name);
  const Signature signature = make_signature(function, *request.tree);
  const LoweredFunction kernel = kernel_function(function);
  Signature called = make_signature(kernel, *request.tree);
  if (function.spec->repeats) called = one_step(called);
  const std::vector<Parameter> inputs = signature.inputs(), outputs = signature.outputs();
  const cost::PlainCalls plain =
      function.spec->repeats ? cost::PlainCalls{} : source.function_facts->plain_calls.value();
  std::vector<Replacement> values{
      {"function", signature.name},
      {"definitions", file_label(request, kernel)},
      {"members", kernel_members(signature)},
      {"nq", std::to_string(request.tree->nq)},
      {"nv", std::to_string(request.tree->nv)},
      {"further_sizes", further_size_members(function, *request.tree)},
      {"repeats", function.spec->repeats ? "true" : "false"},
      {"keeps_last", signature.keeps_last() ? "true" : "false"},
      {"num_inputs", std::to_string(inputs.size())},
      {"inputs", size_list(inputs)},
      {"num_outputs", std::to_string(outputs.size())},
      {"outputs", size_list(outputs)},
      {"plain_up_to", std::to_string(plain.up_to_lanes)},
      {"plain_beyond_cache", plain.beyond_cache ? "true" : "false"},
      // The library has the plain function; nothing is compiled again.
      {"plain_declaration", plain.any() ? template_declaration(signature) + "\n" +
                                              instantiations(signature, request.options.scalars, "extern ")
                                        : ""},
      {"plain_call",
       call_with(name, signature, entries("in", inputs.size()), entries("out", outputs.size()))},
      // The arrays of one block; `rows` of a packed form are its own outputs.
      {"call",
       call_with(name, called, array_starts("in", called.inputs()), array_starts("rows", called.outputs()))}};
  if (function.batch_form) add_spread(kernel, function.batch_form->dense_sizes, values);
  return file_text(request, "batch/kernel.ipp", std::move(values),
                   {{"num_rows", "featherline::batch::sum(outputs, num_outputs)"},
                    {"spread_type", ""},
                    {"spread", ""},
                    {"further_rows", ""}});
}

std::string names(const std::vector<Parameter>& list) {
  return "{" + join(each(list, [](const Parameter& p) { return p.name; }), ", ") + "}";
}

std::string run_call(const Signature& signature, const char* stride) {
  return wrap_statement("featherline::batch::run<S>(detail::" + signature.name + "_block" +
                            names(signature.by_value()) + ", {" + names(signature.inputs()) + ", " +
                            names(signature.outputs()) + ", count, " + stride +
                            (signature.of({ParameterKind::steps}).empty() ? "" : ", N") + "}, options);",
                        "  ");
}

std::string dispatch_file(const FileSource& source) {
  const Request& request = source.request;
  const Signature signature = batch_signature(*source.function, *request.tree);
  const std::string head =
      wrap_statement("void " + signature.name + "(" + parameter_list(signature, "S") + ") {", "");
  return file_text(request, "batch/dispatch.cpp",
                   {{"file", file_label(request, *source.function)},
                    {"head", head},
                    {"call", run_call(signature, "0")},
                    {"call_soa", run_call(signature, "featherline::batch::stride(count, options)")},
                    {"instantiations", instantiations(signature, request.options.scalars)}});
}

template <const WideSet& set>
std::string wide_file(const FileSource& source) {
  const Request& request = source.request;
  const std::string block = function_name(*source.function) + "_block";
  const auto instantiation = [&](const std::string& scalar) {
    return wrap_statement(fmt::format("template void run_wide<{0}, {1}, {2}>(const {2}&, const Job<{1}>&, "
                                      "std::ptrdiff_t, std::ptrdiff_t);",
                                      set.tag, scalar, block),
                          "");
  };
  return file_text(request, "batch/wide.cpp",
                   {{"set", set.stem},
                    {"file", file_label(request, *source.function)},
                    {"block", block},
                    {"instantiations", join(each(request.options.scalars, instantiation), "\n")}});
}

/// The packed form that the kernel calls.
std::string packed_definition_file(const FileSource& source) {
  const LoweredFunction kernel = kernel_function(*source.function);
  return function_definition_file(source.request, kernel, facts(source.request, kernel));
}

/// Which functions of namespace batch call those above, and when.
std::string plain_call_lines(const Request& request) {
  std::vector<std::string> in_avx2, beyond_cache, lines;
  for (const LoweredFunction& function : request.functions) {
    const cost::PlainCalls plain = plain_calls(function);
    if (plain.up_to_lanes >= 4) in_avx2.push_back(function_name(function));
    if (plain.beyond_cache) beyond_cache.push_back(function_name(function));
  }
  const auto add = [&](const std::string& when, const std::vector<std::string>& names) {
    if (!names.empty()) lines.push_back(fill_lines(when + ": " + join(names, ", ") + ".", "/// ", "///   "));
  };
  add("- in vectors of AVX2, where lanes gain nothing", in_avx2);
  add("- where the results of a call pass 24 MB, which caches do not hold", beyond_cache);
  return join(lines, "\n");
}

/// A line that says where inputs that the user chose lie; nothing without them.
std::string chosen_inputs_in_batches(const model::Tree& tree) {
  std::vector<std::string> places;
  if (!tree.chosen.forces.empty()) places.push_back("fext at fext + k * 6 * num_external_forces");
  if (tree.chosen.num_parameters() > 0) places.push_back("p at p + k * num_parameters");
  if (places.empty()) return "";
  return fill_lines("Every state has its own chosen inputs, too: " + join(places, ", ") + ".", "/// ",
                    "/// ");
}

/// Namespace batch of the header.
std::string declarations(const Request& request) {
  const auto list = each(request.functions, [&](const LoweredFunction& function) {
    const Signature signature = batch_signature(function, *request.tree);
    return template_declaration(signature) + "\n" +
           instantiations(signature, request.options.scalars, "extern ");
  });
  return render(skeleton("batch/declarations"), {{"plain_calls", plain_call_lines(request)},
                                                 {"declarations", join(list, "\n\n")},
                                                 {"chosen_inputs", chosen_inputs_in_batches(*request.tree)}});
}

constexpr FileRule batch_files[] = {
    {Each::function, "NAME_batch_FUNCTION.ipp", kernel_file},
    {Each::function, "NAME_batch_FUNCTION.cpp", dispatch_file},
    {Each::function, "NAME_batch_FUNCTION_avx2.cpp", wide_file<avx2>},
    {Each::function, "NAME_batch_FUNCTION_avx512.cpp", wide_file<avx512>},
    {Each::packed_kernel, "NAME_FUNCTION.ipp", packed_definition_file},
};

}  // namespace

const Binding batches{
    .name = "batch",
    .option = "batch",
    .files = batch_files,
    .header_includes = [](const Request&) { return std::string("#include <featherline/batch.hpp>"); },
    .header_declarations = declarations};

}  // namespace featherline::emit
