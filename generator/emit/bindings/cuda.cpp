// NAME::cuda of `--cuda`: every function for many states on a device, one thread a state, or one for each of its equal
// limbs. What a thread does stands in featherline/cuda; the texts here are the straight lines, a kernel for each scalar
// and layout, and the functions that launch them.
#include "emit/bindings/bindings.hpp"
#include "emit/identifiers.hpp"
#include "emit/kernel_printer.hpp"
#include "support/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace featherline::emit {
namespace {

/// The function as devices compute it.
LoweredFunction on_device(const LoweredFunction& function) {
  return {.spec = function.spec, .kernel = function.device_form->kernel};
}

/// Every number is an array with an entry a state.
std::vector<Signature> signatures_of(const LoweredFunction& function, const model::Tree& tree) {
  std::vector<Signature> signatures = make_signatures(on_device(function), tree);
  for (Signature& signature : signatures) {
    for (Parameter& p : signature.parameters) {
      if (p.is_number()) p.shape = {1};
    }
  }
  return signatures;
}

/// Statements of one straight line. Sines and cosines of an angle stand right before their first use.
class DeviceBody {
 public:
  explicit DeviceBody(const ir::Kernel& kernel)
      : kernel_(kernel),
        expressions_(kernel, LimbsOn::threads),
        angles_(kernel.angles()),
        defined_(angles_.size(), false) {}

  std::string print() {
    for (const ir::StraightLine* line : kernel_.straight_lines()) {
      for (const ir::Statement& statement : line->statements) print(statement);
    }
    std::string opening;
    for (const ir::Op op : usage_.functions) {
      const bool of_cuda = op == ir::Op::sqrt || op == ir::Op::atan;
      opening += fmt::format("    using featherline::{}{};\n", of_cuda ? "cuda::" : "", ir::name(op));
    }
    for (const int lanes : lanes_)
      opening += fmt::format("    using {} = featherline::cuda::Limbs<S, {}>;\n", value_type(lanes), lanes);
    if (has_angles(1)) opening += fmt::format("    S sn[{0}], cs[{0}];\n", angles_.size());
    for (const int lanes : lanes_) {  // one at most
      opening +=
          "    using featherline::cuda::by_limb, featherline::cuda::limb_entries, "
          "featherline::cuda::limb_sum;\n    using featherline::cuda::limb_value, featherline::cuda::put;\n";
      if (has_angles(lanes))
        opening += fmt::format("    {0} limb_sn[{1}], limb_cs[{1}];\n", value_type(lanes), angles_.size());
    }
    return opening + text_;
  }

 private:
  void print(const ir::Statement& statement) {
    if (statement.store < 0) {
      const std::string definition = expressions_.definition(statement.value, usage_);
      define_angles(statement.value);
      line("const " + type_of(statement.value) + " " + expressions_.name(statement.value) + " = " +
           definition + ";");
    } else {
      const ir::Store& store = kernel_.stores[index(statement.store)];
      const std::string value = expressions_.value(store.value, usage_);
      if (!kernel_.has_statement(store.value)) define_angles(store.value);
      const std::string& array = kernel_.output_or_local(store.buffer).name;
      if (store.stride == 0)
        line(fmt::format("{}[{}] = {};", array, store.entry, value));
      else
        line(fmt::format("put<{}>({}, {}, {}, {}({}));", kernel_.graph[store.value].lanes, array, store.entry,
                         store.stride, type_of(store.value), value));
    }
  }

  /// Of what is printed with `id`.
  void define_angles(ir::NodeId id) {
    const ir::Node& node = kernel_.graph[id];
    if (ir::is_trigonometric(node.op)) return define_angle(node.a);
    for (const ir::NodeId operand : ir::Operands(node)) {
      if (ir::is_trigonometric(kernel_.graph[operand].op) || !kernel_.has_statement(operand))
        define_angles(operand);
    }
  }

  void define_angle(ir::NodeId angle) {
    const auto k = static_cast<std::size_t>(std::ranges::find(angles_, angle) - angles_.begin());
    if (defined_.at(k)) return;
    defined_[k] = true;
    line(fmt::format("featherline::cuda::sincos({0}({1}), {2}sn[{3}], {2}cs[{3}]);", type_of(angle),
                     expressions_.angle(k, usage_).front(), kernel_.graph[angle].lanes > 1 ? "limb_" : "",
                     k));
    Usage named;
    for (const ir::Op op : {ir::Op::sin, ir::Op::cos}) {
      const ir::NodeId id = kernel_.graph.find(op, angle);
      if (id != ir::no_node && !expressions_.name(id).empty()) named.values.insert(id);
    }
    const std::string names = expressions_.angle_names(k, named);
    if (!names.empty()) line(names + ";");
  }

  /// "S", or "L4" of a number that differs between limbs.
  std::string type_of(ir::NodeId id) {
    const int lanes = kernel_.graph[id].lanes;
    if (lanes > 1) lanes_.insert(lanes);
    return value_type(lanes);
  }
  bool has_angles(int lanes) const {
    return std::ranges::any_of(angles_, [&](ir::NodeId k) { return kernel_.graph[k].lanes == lanes; });
  }

  void line(const std::string& statement) { text_ += wrap_statement(statement, "    ") + "\n"; }

  const ir::Kernel& kernel_;
  ExpressionPrinter expressions_;
  std::vector<ir::NodeId> angles_;
  std::vector<bool> defined_;
  std::set<int> lanes_;
  std::string text_;
  Usage usage_;
};

std::string without_last_line_end(std::string text) {
  if (!text.empty()) text.pop_back();
  return text;
}

/// Stores of zeros: those that every call needs, or those that callers may leave out. Equal entries of several arrays
/// follow each other, because compilers keep the product of entry and stride for the next one.
std::string zero_stores(const ir::Kernel& kernel, bool once) {
  std::set<std::pair<int, int>> zeros;
  for (const ir::Clear* clear : kernel.clears()) {
    if (clear->once != once) continue;
    for (const int entry : clear->entries) zeros.emplace(entry, clear->buffer);
  }
  std::string text;
  for (const auto& [entry, buffer] : zeros)
    text += fmt::format("    {}[{}] = S(0);\n", kernel.output_or_local(buffer).name, entry);
  return text;
}

std::string compute_head(const ir::Kernel& kernel) {
  std::vector<std::string> list = each(
      kernel.inputs, [&](const ir::Buffer& input) { return "[[maybe_unused]] const In& " + input.name; });
  for (const ir::Buffer& output : kernel.outputs)
    list.push_back("[[maybe_unused]] const Out& " + output.name);
  return "  template <class S, class In, class Out>\n" +
         wrap_statement("FEATHERLINE_INLINE static void compute(" + join(list, ", ") + ") {", "  ");
}

std::string buffer_names(const std::vector<ir::Buffer>& buffers) {
  return join(each(buffers, [](const ir::Buffer& b) { return b.name; }), ", ");
}

std::string sizes(const std::vector<ir::Buffer>& buffers) {
  return "{" + join(each(buffers, [](const ir::Buffer& b) { return std::to_string(b.size); }), ", ") + "}";
}

/// What a rollout reads before its first step, and what it does in each: the force of the step comes from its array.
void add_steps(const ir::Kernel& kernel, bool keeps_last, std::vector<Replacement>& values) {
  std::string before, body, calls, after;
  const auto of_step = [](int size) { return fmt::format("at, {0} * job.steps, {0} * n", size); };
  for (std::size_t k = 0; k < kernel.inputs.size(); ++k) {
    const auto& [name, size, columns] = kernel.inputs[k];
    before += fmt::format("    S {}[{}];\n", name, size);
    const bool each_step = name == "tau";
    (each_step ? body : before) +=
        fmt::format("    {}featherline::cuda::fetch<{}>({}, job.in[{}], {});\n", each_step ? "  " : "", size,
                    name, k, each_step ? of_step(size) : fmt::format("at, {}, 0", size));
    calls += (calls.empty() ? "" : ", ") + ("static_cast<const S*>(" + name + ")");
  }
  for (const ir::Buffer& output : kernel.outputs) {
    before += fmt::format("    S {}[{}];\n", output.name, output.size);
    calls += ", static_cast<S*>(" + output.name + ")";
  }
  body += wrap_statement("compute<S>(" + calls + ");", "      ") + "\n";
  for (std::size_t k = 0; k < kernel.outputs.size(); ++k) {
    const auto& [name, size, columns] = kernel.outputs[k];
    const std::string& state = kernel.inputs[k].name;
    if (keeps_last) {
      body += fmt::format("      featherline::cuda::copy<{}>({}, {});\n", size, name, state);
      after += fmt::format("    featherline::cuda::keep<{0}>({1}, {1}, job.out[{2}], at, {0}, 0);\n", size,
                           state, k);
    } else {
      body += fmt::format("      featherline::cuda::keep<{}>({}, {}, job.out[{}], {});\n", size, name, state,
                          k, of_step(size));
    }
  }
  values.emplace_back("step_loads", without_last_line_end(before));
  values.emplace_back("step_body", without_last_line_end(body));
  values.emplace_back("step_end", without_last_line_end(after));
}

/// Of one state.
std::string who_computes(int limbs) {
  if (limbs == 1) return "One thread computes one state.";
  return fmt::format("{} limbs of a state are on threads of their own.", limbs);
}

std::string device_file(const FileSource& source) {
  const Request& request = source.request;
  const LoweredFunction function = on_device(*source.function);
  const ir::Kernel& kernel = function.kernel;
  const std::vector<Signature> signatures = signatures_of(*source.function, *request.tree);
  const bool has_dense = signatures.size() > 1, repeats = function.spec->repeats;
  const ir::Cost cost = ir::count_cost(kernel);
  std::vector<Replacement> values{
      {"version_check", version_check()},
      {"function", signatures.back().name},
      {"dense", signatures.front().name},
      {"formulation", comment_safe(kernel.formulation)},
      {"flops", std::to_string(cost.flops)},
      {"sincos", std::to_string(cost.sincos)},
      {"repeats", repeats ? "true" : "false"},
      {"alive", std::to_string(source.function->device_form->most_alive)},
      {"limbs", std::to_string(kernel.graph.max_lanes())},
      {"threads", who_computes(kernel.graph.max_lanes())},
      {"num_inputs", std::to_string(kernel.inputs.size())},
      {"num_outputs", std::to_string(kernel.outputs.size())},
      {"inputs", sizes(kernel.inputs)},
      {"outputs", sizes(kernel.outputs)},
      {"head", compute_head(kernel)},
      {"body", without_last_line_end(zero_stores(kernel, false) + DeviceBody(kernel).print())},
      {"dense_head", has_dense ? compute_head(kernel) : ""},
      {"clears", without_last_line_end(zero_stores(kernel, true))},
      {"dense_call",
       wrap_statement(signatures.back().name + "::template compute<S>(" + buffer_names(kernel.inputs) + ", " +
                          buffer_names(kernel.outputs) + ");",
                      "    ")}};
  if (repeats)
    add_steps(kernel, signatures.back().keeps_last(), values);
  else
    values.insert(values.end(), {{"step_loads", ""}, {"step_body", ""}, {"step_end", ""}});
  return file_text(request, "cuda/function.ipp", std::move(values));
}

/// A signature of a function that launches, by layout.
struct Launch {
  const Request& request;
  const FunctionFacts& facts;
  Signature signature;
  std::string dense;  ///< the struct with all entries, where this one leaves zeros out
  bool by_element;

  std::string parameters(const std::string& scalar, bool defaults) const {
    std::string list = "std::ptrdiff_t count, " + parameter_list(signature, scalar) +
                       ", cudaStream_t stream" + (defaults ? " = nullptr" : "");
    if (by_element) list += std::string(", std::ptrdiff_t stride") + (defaults ? " = 0" : "");
    return list;
  }
  std::string declaration() const {
    return "template <class S>\n" +
           wrap_statement("cudaError_t " + signature.name + "(" + parameters("S", true) + ");", "");
  }
  /// The kernel's name: arm_cuda_rnea_float, arm_cuda_soa_rnea_float.
  std::string kernel(const std::string& scalar) const {
    return emitted_name(request.name) + "_cuda_" + (by_element ? "soa_" : "") + signature.name + "_" + scalar;
  }
  /// Of all kernels, where there are several.
  std::vector<DeviceLaunch> in_turn(const std::string& scalar) const {
    const auto found = facts.in_turn.find(scalar);
    return by_element && found != facts.in_turn.end() ? found->second : std::vector<DeviceLaunch>{};
  }
  /// What it runs. Rows that go through shared memory hold all entries, zeros included.
  std::string function(const std::string& scalar) const {
    const std::string scope = emitted_name(request.name) + "::cuda::detail::", own = scope + signature.name;
    if (by_element || dense == signature.name) return "(" + own + ")";
    return fmt::format("(featherline::cuda::Rows<{}, {}, {}>)", scope + dense, own, scalar);
  }
};

std::vector<Launch> launches(const FileSource& source, bool by_element) {
  std::vector<Launch> list;
  const Request& request = source.request;
  for (std::size_t k = 0; k < request.functions.size(); ++k) {
    if (!request.functions[k].device_form) continue;
    const std::vector<Signature> signatures = signatures_of(request.functions[k], *request.tree);
    for (const Signature& signature : signatures)
      list.push_back({request, source.facts[k], signature, signatures.front().name, by_element});
  }
  return list;
}

std::string name_list(const std::vector<Parameter>& list) {
  return "{" + join(each(list, [](const Parameter& p) { return p.name; }), ", ") + "}";
}

std::string kernel_line(const std::string& name, const std::string& function, bool by_element,
                        const std::string& scalar) {
  return fmt::format("FEATHERLINE_CUDA_KERNEL({}, {}, {}, {})\n", name, function, by_element, scalar);
}
std::string products(const Request& request, const std::string& scalar) {
  return emitted_name(request.name) + "_cuda_soa_" + products_kernel + "_" + scalar;
}

/// The kernels, and functions that give them by their scalar.
std::string kernels(const FileSource& source) {
  const Request& request = source.request;
  std::string text;
  for (const bool by_element : {false, true}) {
    for (const Launch& launch : launches(source, by_element)) {
      for (const std::string& scalar : request.options.scalars) {
        if (launch.in_turn(scalar).empty())
          text += kernel_line(launch.kernel(scalar), launch.function(scalar), by_element, scalar);
        else if (!launch.signature.keeps_zeros)
          text += kernel_line(products(request, scalar),
                              fmt::format("(featherline::cuda::AccelerationProducts<{}>)", request.tree->nv),
                              true, scalar);
      }
    }
  }
  for (const std::string& scalar : request.options.scalars) {
    for (const bool to_elements : {false, true})
      text += kernel_line(fmt::format("{}_cuda_{}_{}", emitted_name(request.name),
                                      to_elements ? "to_elements" : "to_rows", scalar),
                          "(featherline::cuda::Transposition)", to_elements, scalar);
  }
  return without_last_line_end(text);
}

/// Calls of the functions, then the launch of the products.
std::string calls_in_turn(const Launch& launch, const std::vector<DeviceLaunch>& launches,
                          const std::string& scalar) {
  std::string text =
      fmt::format("    kernel = reinterpret_cast<const void*>(&{});\n    cudaError_t error = cudaSuccess;\n",
                  products(launch.request, scalar));
  for (const DeviceLaunch& part : launches) {
    const std::string list = join(part.inputs, ", ") + ", " + join(part.outputs, ", ");
    const std::string call = part.function == products_kernel
                                 ? fmt::format("featherline::cuda::launch_products<{}>(kernel, count, {}",
                                               launch.request.tree->nv, list)
                                 : fmt::format("soa::{}<S>(count, {}", part.function, list);
    text += wrap_statement("if (error == cudaSuccess) error = " + call + ", stream, stride);", "    ") + "\n";
  }
  return text + "    return error;";
}

std::string definition(const Launch& launch) {
  const Signature& s = launch.signature;
  const std::string robot = emitted_name(launch.request.name),
                    steps = s.of({ParameterKind::steps}).empty() ? "1" : "N";
  const auto each_scalar = [&](const auto& text) {
    return join(each(launch.request.options.scalars, text), "\n");
  };
  const std::string choice = each_scalar([&](const std::string& scalar) {
    const std::vector<DeviceLaunch> in_turn = launch.in_turn(scalar);
    return fmt::format("  if constexpr (sizeof(S) == sizeof({}))", scalar) +
           (in_turn.empty()
                ? fmt::format("\n    kernel = reinterpret_cast<const void*>(&{});", launch.kernel(scalar))
                : " {\n" + calls_in_turn(launch, in_turn, scalar) + "\n  }");
  });
  return "template <class S>\n" +
         wrap_statement("cudaError_t " + s.name + "(" + launch.parameters("S", false) + ") {", "") +
         "\n  const void* kernel = nullptr;\n" + choice + "\n" +
         wrap_statement(
             fmt::format("return featherline::cuda::launch(kernel, "
                         "featherline::cuda::Staging<detail::{0}, S>::block, "
                         "detail::{0}::threads, featherline::cuda::Job<S, {1}, {2}>{{{7}, {3}, "
                         "{4}, {5}, {6}}}, stream);",
                         s.name, s.inputs().size(), s.outputs().size(),
                         launch.by_element ? "stride == 0 ? count : stride" : "0", steps,
                         name_list(s.inputs()), name_list(s.outputs()),
                         s.outputs().front().has_steps() ? "count > 0 && N < 1 ? 0 : count" : "count"),
             "  ") +
         "\n}\n" + each_scalar([&](const std::string& scalar) {
           const std::string types = argument_list(s, [&](const Parameter& p) { return type_of(p, scalar); });
           return wrap_statement(
               fmt::format("template cudaError_t {}<{}>(std::ptrdiff_t, {}, cudaStream_t{});", s.name, scalar,
                           types, launch.by_element ? ", std::ptrdiff_t" : ""),
               "");
         });
}

std::string declarations(const FileSource& source, bool by_element) {
  return join(each(launches(source, by_element), [](const Launch& launch) { return launch.declaration(); }),
              "\n\n");
}
std::string definitions(const FileSource& source, bool by_element) {
  return join(each(launches(source, by_element), definition), "\n\n");
}

/// A comment with the functions that devices do not run; empty if there are none.
std::string left_out(const Request& request) {
  std::vector<std::string> list;
  for (const LoweredFunction& function : request.functions) {
    if (!function.device_form) list.push_back(function_name(function));
  }
  if (list.empty()) return {};
  return fill_lines("Not here, because they take a link, need routines of the runtime or are packed: " +
                        join(list, ", ") + ".",
                    "/// ", "/// ");
}

std::string header(const FileSource& source) {
  const Request& request = source.request;
  return file_text(request, "cuda/robot_cuda.hpp",
                   {{"scalars", join(request.options.scalars, " and ")},
                    {"left_out", left_out(request)},
                    {"declarations", declarations(source, false)},
                    {"declarations_soa", declarations(source, true)}});
}

std::string kernel_source(const FileSource& source) {
  const Request& request = source.request;
  std::set<std::string> includes;
  for (const LoweredFunction& function : request.functions) {
    if (function.device_form)
      includes.insert("#include \"" + emitted_name(request.name) + "_cuda_" + file_label(request, function) +
                      ".ipp\"");
  }
  return file_text(request, "cuda/robot_cuda.cu",
                   {{"includes", join({includes.begin(), includes.end()}, "\n")},
                    {"kernels", kernels(source)},
                    {"definitions", definitions(source, false)},
                    {"definitions_soa", definitions(source, true)},
                    {"between_layouts", join(each(request.options.scalars,
                                                  [&](const std::string& scalar) {
                                                    return fmt::format("FEATHERLINE_CUDA_LAYOUTS({}, {})",
                                                                       emitted_name(request.name), scalar);
                                                  }),
                                             "\n")}});
}

constexpr FileRule cuda_files[] = {
    {Each::robot, "NAME_cuda.hpp", header},
    {Each::robot, "NAME_cuda.cu", kernel_source},
    {Each::device, "NAME_cuda_FUNCTION.ipp", device_file},
};

}  // namespace

const Binding cuda{.name = "cuda", .option = "cuda", .files = cuda_files};

}  // namespace featherline::emit
