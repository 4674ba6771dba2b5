// NAME::batch of `--batch`: every function for many states at once, in the lanes of featherline/batch. A file for each
// function and instruction set, so that they compile side by side and a program need not link what it leaves out.
#include "emit/bindings/bindings.hpp"
#include "emit/constants.hpp"
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "emit/signature.hpp"
#include "emit/text.hpp"

#include <map>

namespace featherline::emit {
namespace {

/// How the numbers of all outputs lie in the lanes of a packed form: its numbers, then a zero, then the opposites
/// of some.
class SpreadRows {
 public:
  /// `dense_sizes` are those of the outputs of the dense function.
  SpreadRows(const LoweredFunction& packed, const std::vector<int>& dense_sizes);

  int count() const { return num_packed_ + 1 + static_cast<int>(negatives_.size()); }
  /// The table spread[] and row(), members of a kernel.
  std::string table() const;
  /// Statements that fill the rows behind the packed ones.
  std::string further_rows() const;

 private:
  int negative(int row);

  int num_packed_ = 0;
  std::vector<int> rows_;
  std::map<int, int> negatives_;  ///< packed row -> row of its opposite
};

SpreadRows::SpreadRows(const LoweredFunction& packed, const std::vector<int>& dense_sizes) {
  for (const ir::Buffer& p : packed.kernel.outputs) num_packed_ += p.size;
  int first = 0;
  for (std::size_t o = 0; o < dense_sizes.size(); ++o) {
    std::vector<int> rows(static_cast<std::size_t>(dense_sizes[o]), num_packed_);
    for (const passes::PackedEntry& entry : packed.packed_maps->at(o)) {
      const int row = first + entry.packed_index;
      rows.at(static_cast<std::size_t>(entry.dense_index)) = entry.negated ? negative(row) : row;
    }
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    first += packed.kernel.outputs[o].size;
  }
}

std::string SpreadRows::table() const {
  std::string list;
  for (const int row : rows_) list += std::to_string(row) + ", ";
  const char* type = count() < 65536 ? "unsigned short" : "int";
  return "  /// The lanes of each number, zeros and opposites behind those that are computed.\n  static "
         "constexpr " +
         std::string(type) + " spread[] = {\n" + fill_lines(list, "      ", "      ") +
         "};\n  [[gnu::always_inline]] static constexpr int row(int i) { return spread[i]; }";
}

std::string SpreadRows::further_rows() const {
  std::string text = "    rows[" + std::to_string(num_packed_) + "] = S(0.0);";
  std::map<int, int> by_row;
  for (const auto& [source, row] : negatives_) by_row.emplace(row, source);
  for (const auto& [row, source] : by_row) {
    text += "\n    rows[" + std::to_string(row) + "] = -rows[" + std::to_string(source) + "];";
  }
  return text;
}

int SpreadRows::negative(int row) {
  return negatives_.emplace(row, num_packed_ + 1 + static_cast<int>(negatives_.size())).first->second;
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
  signature.parameters.insert(signature.parameters.begin(), {ParameterKind::count, "count"});
  signature.parameters.push_back({ParameterKind::options, "options"});
  return signature;
}

std::string size_list(const std::vector<Parameter>& list) {
  std::vector<std::string> sizes;
  for (const Parameter& p : list) sizes.push_back(p.shape.expression());
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

/// The call of the function on the arrays of one block; `rows` of a packed form are its own outputs.
std::string kernel_call(const std::string& robot, const Signature& called) {
  const std::vector<std::string> inputs = array_starts("in", called.inputs());
  const std::vector<std::string> outputs = array_starts("rows", called.outputs());
  std::size_t i = 0, o = 0;
  const std::string arguments = argument_list(called, [&](const Parameter& p) {
    return p.kind == ParameterKind::input    ? inputs[i++]
           : p.kind == ParameterKind::output ? outputs[o++]
                                             : p.name;
  });
  return wrap_statement("::" + robot + "::" + called.name + "(" + arguments + ");", "    ");
}

/// ", num_bodies = 7": sizes that only some functions have.
std::string further_size_members(const LoweredFunction& function, const model::Tree& tree) {
  std::string text;
  for (const auto& [name, value] : further_sizes({function.spec}, tree))
    text += ", " + name + " = " + std::to_string(value);
  // Headers have the number of links in any case.
  if (catalog::has_size(*function.spec, catalog::Dimension::Of::num_links))
    text += ", num_links = " + std::to_string(tree.links.size());
  return text;
}

/// call() of a kernel: the plain function on the arrays of one state. The library has it; nothing is compiled again.
std::string plain_call(const std::string& robot, const Signature& plain) {
  std::size_t i = 0, o = 0;
  const std::string arguments = argument_list(plain, [&](const Parameter& p) {
    return p.kind == ParameterKind::input    ? "in[" + std::to_string(i++) + "]"
           : p.kind == ParameterKind::output ? "out[" + std::to_string(o++) + "]"
                                             : p.name;
  });
  return "  template <class T>\n  void call(const T* const* in, T* const* out) const {\n" +
         wrap_statement("::" + robot + "::" + plain.name + "(" + arguments + ");", "    ") + "\n  }\n";
}

std::string plain_declaration(const Request& request, const Signature& plain) {
  return "\nnamespace " + emitted_name(request.name) + " {\n\n" + template_declaration(plain) + "\n" +
         instantiations(plain, request.options.scalars, "extern ") + "\n\n}  // namespace " +
         emitted_name(request.name) + "\n";
}

std::string kernel_file(const FileSource& source) {
  const Request& request = source.request;
  const LoweredFunction& function = *source.function;
  const std::string name = emitted_name(request.name);
  const Signature signature = make_signature(function, *request.tree);
  const LoweredFunction kernel = kernel_function(function);
  const std::vector<Parameter> inputs = signature.inputs(), outputs = signature.outputs();
  std::string num_rows = "featherline::batch::sum(outputs, num_outputs)";
  std::string row = "  [[gnu::always_inline]] static constexpr int row(int i) { return i; }", further_rows;
  if (function.batch_form) {
    const SpreadRows spread(kernel, function.batch_form->dense_sizes);
    num_rows = std::to_string(spread.count());
    row = spread.table();
    further_rows = spread.further_rows();
  }
  const cost::PlainCalls plain = source.function_facts->plain_calls.value();
  return render(skeleton("batch/kernel.ipp"),
                {{"banner", banner(request)},
                 {"name", name},
                 {"function", signature.name},
                 {"definitions", file_label(request, kernel)},
                 {"members", kernel_members(signature)},
                 {"nq", std::to_string(request.tree->nq)},
                 {"nv", std::to_string(request.tree->nv)},
                 {"further_sizes", further_size_members(function, *request.tree)},
                 {"num_inputs", std::to_string(inputs.size())},
                 {"inputs", size_list(inputs)},
                 {"num_outputs", std::to_string(outputs.size())},
                 {"outputs", size_list(outputs)},
                 {"num_rows", num_rows},
                 {"row", row},
                 {"plain_up_to", std::to_string(plain.up_to_lanes)},
                 {"plain_beyond_cache", plain.beyond_cache ? "true" : "false"},
                 {"plain_declaration", plain.any() ? plain_declaration(request, signature) : ""},
                 {"plain_call", plain.any() ? plain_call(name, signature) : ""},
                 {"call", kernel_call(name, make_signature(kernel, *request.tree))},
                 {"further_rows", further_rows}});
}

std::string names(const std::vector<Parameter>& list) {
  std::vector<std::string> texts;
  for (const Parameter& p : list) texts.push_back(p.name);
  return "{" + join(texts, ", ") + "}";
}

std::string run_call(const Signature& signature, const char* stride) {
  return wrap_statement("featherline::batch::run<S>(detail::" + signature.name + "_block" +
                            names(signature.by_value()) + ", {" + names(signature.inputs()) + ", " +
                            names(signature.outputs()) + ", count, " + stride + "}, options);",
                        "  ");
}

std::string dispatch_file(const FileSource& source) {
  const Request& request = source.request;
  const Signature signature = batch_signature(*source.function, *request.tree);
  const std::string head =
      wrap_statement("void " + signature.name + "(" + parameter_list(signature, "S") + ") {", "");
  return render(skeleton("batch/dispatch.cpp"),
                {{"banner", banner(request)},
                 {"name", emitted_name(request.name)},
                 {"file", file_label(request, *source.function)},
                 {"head", head},
                 {"call", run_call(signature, "0")},
                 {"call_soa", run_call(signature, "featherline::batch::stride(count, options)")},
                 {"instantiations", instantiations(signature, request.options.scalars)}});
}

template <const WideSet& set>
std::string wide_file(const FileSource& source) {
  const Request& request = source.request;
  const std::string block = function_name(*source.function) + "_block";
  std::vector<std::string> lines;
  for (const std::string& scalar : request.options.scalars) {
    lines.push_back(wrap_statement("template void run_wide<" + std::string(set.tag) + ", " + scalar + ", " +
                                       block + ">(const " + block + "&, const Job<" + scalar +
                                       ">&, std::ptrdiff_t, std::ptrdiff_t);",
                                   ""));
  }
  return render(skeleton("batch/wide.cpp"), {{"banner", banner(request)},
                                             {"set", set.stem},
                                             {"name", emitted_name(request.name)},
                                             {"file", file_label(request, *source.function)},
                                             {"block", block},
                                             {"instantiations", join(lines, "\n")}});
}

/// The packed form that the kernel calls.
std::string packed_definition_file(const FileSource& source) {
  const LoweredFunction kernel = kernel_function(*source.function);
  return function_definition_file(source.request, kernel, facts(source.request, kernel));
}

std::string includes(const Request&) { return "#include <featherline/batch.hpp>"; }

/// Which functions of namespace batch call those above.
std::string plain_call_lines(const Request& request) {
  std::string text;
  const auto add = [&](const std::string& when, const auto& holds) {
    std::vector<std::string> names;
    for (const LoweredFunction& function : request.functions) {
      if (holds(plain_calls(function))) names.push_back(function_name(function));
    }
    if (!names.empty()) text += "\n" + fill_lines(when + ": " + join(names, ", ") + ".", "/// ", "///   ");
  };
  add("- in vectors of AVX2, where lanes gain nothing",
      [](const cost::PlainCalls& plain) { return plain.up_to_lanes >= 4; });
  add("- where the results of a call pass 24 MB, which caches do not hold",
      [](const cost::PlainCalls& plain) { return plain.beyond_cache; });
  if (text.empty()) return text;
  return "\n/// Compiled for the vectors that are chosen (-march=native), these call the function above for "
         "one state "
         "after\n/// the other, if states lie one after the other:" +
         text;
}

/// Namespace batch of the header.
std::string declarations(const Request& request) {
  std::vector<std::string> list;
  for (const LoweredFunction& function : request.functions) {
    const Signature signature = batch_signature(function, *request.tree);
    list.push_back(template_declaration(signature) + "\n" +
                   instantiations(signature, request.options.scalars, "extern "));
  }
  return render(skeleton("batch/declarations"), {{"plain_calls", plain_call_lines(request)},
                                                 {"declarations", join(list, "\n\n")},
                                                 {"chosen_inputs", chosen_inputs_in_batches(*request.tree)}});
}

constexpr FileRule files[] = {
    {Each::function, "NAME_batch_FUNCTION.ipp", kernel_file},
    {Each::function, "NAME_batch_FUNCTION.cpp", dispatch_file},
    {Each::function, "NAME_batch_FUNCTION_avx2.cpp", wide_file<avx2>},
    {Each::function, "NAME_batch_FUNCTION_avx512.cpp", wide_file<avx512>},
    {Each::packed_kernel, "NAME_FUNCTION.ipp", packed_definition_file},
};

}  // namespace

extern const Binding batches;
const Binding batches{.name = "batch",
                      .option = "batch",
                      .files = files,
                      .header_includes = includes,
                      .header_declarations = declarations};

}  // namespace featherline::emit
