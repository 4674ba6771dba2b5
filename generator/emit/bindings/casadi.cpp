// External functions of CasADi: NAME_casadi.c, and a C function for it beside each template. What the file does with
// its tables stands in its template.
#include "emit/bindings/bindings.hpp"
#include "emit/bindings/casadi_patterns.hpp"
#include "emit/identifiers.hpp"
#include "support/index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace featherline::emit {
namespace {

using catalog::Argument;
using catalog::Companions;
using catalog::DerivativeBlock;
using Strings = std::vector<std::string>;

const DerivativeBlock* find_block(const Companions& companions, const Argument& output,
                                  const Argument& input) {
  const auto found = std::ranges::find_if(companions.blocks, [&](const DerivativeBlock& b) {
    return b.output == output.name && b.input == input.name;
  });
  return found == companions.blocks.end() ? nullptr : &*found;
}

/// Whether there are derivatives by the input: then those that the table does not have are zero.
bool is_known(const Companions& companions, const Argument& input) {
  return std::ranges::count(companions.blocks, input.name, &DerivativeBlock::input) > 0;
}

std::string core(const Request& request, const std::string& function) {
  return emitted_name(request.name) + "_casadi_" + function;
}

const char* const arrays = "(const double* const* in, double* const* out)";

/// The text of NAME_casadi.c.
class CasadiFile {
 public:
  explicit CasadiFile(const Request& request) : request_(request), robot_(request) {}

  std::string text();

 private:
  std::string array_of(const std::string& type, const std::string& prefix, const std::string& values);
  std::string ints(const std::vector<int>& values) {
    return array_of("int", "numbers", fmt::format("{}", fmt::join(values, ", ")));
  }
  /// A Call of the function `of`, with the inputs that `function` and the weights of its outputs give.
  std::string call(const std::string& function, const std::string& of, std::string_view renamed = {});
  std::string call_of_binding(const Companions& companions);
  Companions companions_of(const std::string& function) const;
  Pattern by_input(const Companions& companions, const Argument& output, const Argument& input) const;
  /// Inputs that no user chose.
  std::size_t num_own(const std::string& function) const {
    return robot_.functions().at(function)->spec->inputs.size();
  }
  void statement(const std::string& text) { text_ += wrap_statement(text, "") + "\n"; }
  void add_function(const std::string& function);
  /// One symbol: names and patterns of inputs, then of outputs.
  void add_symbol(const std::string& prefix, const char* kind, const std::string& function);
  void add_derivatives(const std::string& function, const Companions& companions);
  void add_second(const std::string& function, const Companions& companions);

  void in(const std::string& name, const Pattern& p) { add(name, p), ++num_in_; }
  void out(const std::string& name, const Pattern& p) { add(name, p), ++num_out_; }
  void add(const std::string& name, const Pattern& p) {
    names_.push_back(string_literal(name));
    patterns_.push_back(array_of("casadi_int", "pattern", p.numbers()));
  }
  /// The inputs of all derivatives: those of the function, and its outputs, which are not read.
  void begin_derivative(const std::string& function) {
    for (const Argument& a : robot_.inputs(function)) in(a.name, robot_.whole(a));
    for (const Argument& a : robot_.outputs(function)) {
      const Pattern p = robot_.whole(a);
      in("out_" + a.name, Pattern::of(p.rows, p.columns, false));
    }
  }

  const Request& request_;
  const CasadiPatterns robot_;
  std::map<std::string, std::string> arrays_;  ///< names by type and values
  std::string tables_, text_;
  Strings names_, patterns_;  ///< of the symbol that is being made
  int num_in_ = 0, num_out_ = 0, num_symbols_ = 0;
};

std::string CasadiFile::array_of(const std::string& type, const std::string& prefix,
                                 const std::string& values) {
  const auto [found, is_new] = arrays_.try_emplace(type + values, prefix + std::to_string(arrays_.size()));
  if (is_new)
    tables_ +=
        wrap_statement("static const " + type + " " + found->second + "[] = {" + values + "};", "") + "\n";
  return found->second;
}

std::string CasadiFile::call(const std::string& function, const std::string& of, std::string_view renamed) {
  if (!robot_.has(of)) return "{NULL, 0, 0, NULL, NULL}";
  const Arguments own = robot_.inputs(function), weighted = robot_.outputs(function);
  std::vector<int> from, sizes;
  for (const Argument& input : robot_.inputs(of)) {
    const auto place = [&](const Arguments& list, const std::string& name) {
      const auto found = std::ranges::find(list, name, &Argument::name);
      return found == list.end() ? -1 : static_cast<int>(found - list.begin());
    };
    int k = place(own, input.name);
    if (k < 0 && input.name == catalog::arguments::p.name) k = place(own, catalog::arguments::params.name);
    if (k < 0 && input.name == "w") k = place(own, std::string(renamed));
    if (k < 0 && input.name.starts_with("w")) {
      const int output = input.name == "w" ? 0 : place(weighted, input.name.substr(1));
      k = output < 0 ? -1 : static_cast<int>(own.size()) + output;
    }
    from.push_back(k);
  }
  for (const Argument& output : robot_.outputs(of)) sizes.push_back(robot_.size(output));
  return fmt::format("{{{}, {}, {}, {}, {}}}", core(request_, of), from.size(), sizes.size(), ints(from),
                     ints(sizes));
}

/// Its results are its blocks, one behind the other; behind them is room for those of the functions that it calls.
std::string CasadiFile::call_of_binding(const Companions& companions) {
  const Arguments own = robot_.inputs(std::string(companions.function)),
                  outputs = robot_.outputs(std::string(companions.function));
  const auto named = [](const Arguments& list, std::string_view name) {
    return *std::ranges::find(list, name, &Argument::name);
  };
  std::vector<int> from(own.size()), sizes;
  std::iota(from.begin(), from.end(), 0);
  for (const DerivativeBlock& b : companions.blocks)
    sizes.push_back(robot_.size(named(outputs, b.output)) * robot_.num_steps(named(own, b.input)));
  for (const std::string_view called : companions.of_binding) {
    int room = 0;
    for (const Argument& output : robot_.outputs(std::string(called))) room += robot_.size(output);
    sizes.push_back(room);
  }
  return fmt::format("{{{}_jacobians, {}, {}, {}, {}}}", companions.blocks.front().function.substr(1),
                     from.size(), sizes.size(), ints(from), ints(sizes));
}

/// None where a function that they need is not emitted. Blocks by the chosen parameters stand last.
Companions CasadiFile::companions_of(const std::string& function) const {
  const Companions* found = catalog::companions_of(function);
  if (found == nullptr || !catalog::have_companions(*found, robot_.tree())) return {};
  const bool all_there =
      std::ranges::all_of(
          found->blocks,
          [&](const DerivativeBlock& b) { return b.function.starts_with("@") || robot_.has(b.function); }) &&
      std::ranges::all_of(found->of_binding, [&](std::string_view f) { return robot_.has(f); });
  if (!all_there) return {};
  Companions all = *found;
  if (robot_.has(all.by_parameters))
    all.blocks.push_back({robot_.outputs(function).front().name, catalog::arguments::p.name,
                          all.by_parameters, all.parameters_array});
  return all;
}

void CasadiFile::add_symbol(const std::string& prefix, const char* kind, const std::string& function) {
  const int number = num_symbols_++;
  statement(fmt::format("static const char* const names{}[] = {{{}}};", number, join(names_, ", ")));
  statement(
      fmt::format("static const casadi_int* const patterns{}[] = {{{}}};", number, join(patterns_, ", ")));
  text_ += fmt::format("EXPORT({}{}_{}, {}, function_{}, {}, {}, {})\n", prefix, emitted_name(request_.name),
                       function, kind, function, number, num_in_, num_out_);
  names_.clear();
  patterns_.clear();
  num_in_ = num_out_ = 0;
}

void CasadiFile::add_function(const std::string& function) {
  const Companions companions = companions_of(function);
  const Arguments in_ = robot_.inputs(function), out_ = robot_.outputs(function);
  Strings calls, blocks, of_calls, unknown;
  std::vector<int> steps;
  unsigned positions = 0;
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (robot_.is_position(in_[i])) positions |= 1u << i;
    steps.push_back(robot_.num_steps(in_[i]));
    if (!is_known(companions, in_[i])) unknown.push_back(in_[i].name);
  }
  for (const Argument& output : out_) {
    for (const Argument& input : in_) {
      const DerivativeBlock* block = find_block(companions, output, input);
      if (block == nullptr) {
        blocks.emplace_back(is_known(companions, input) ? "{KNOWN_ZERO, 0}" : "{UNKNOWN, 0}");
        continue;
      }
      const std::string of(block->function);
      if (std::ranges::find(of_calls, of) == of_calls.end()) {
        calls.push_back(of.starts_with("@") ? call_of_binding(companions)
                                            : call(function, of, companions.renamed));
        of_calls.push_back(of);
      }
      const auto array = of.starts_with("@") ? block - companions.blocks.data() : robot_.array_in(*block);
      blocks.push_back(fmt::format("{{{}, {}}}", std::ranges::find(of_calls, of) - of_calls.begin(), array));
    }
  }
  const bool has_some = !companions.blocks.empty();
  text_ += "\n// " + function + "." +
           (unknown.empty() ? "" : " Without derivatives by " + join(unknown, ", ") + ".") + "\n";
  if (has_some) {
    statement("static const struct Call calls_" + function + "[] = {" + join(calls, ", ") + "};");
    statement("static const struct Block blocks_" + function + "[] = {" + join(blocks, ", ") + "};");
  }
  Strings more{call(function, function), ints(steps), std::to_string(calls.size()),
               has_some ? "calls_" + function : "NULL", has_some ? "blocks_" + function : "NULL"};
  for (const std::string_view of : {companions.product, companions.hessian, companions.mixed})
    more.push_back(call(function, std::string(of)));
  statement(fmt::format("static const struct Function function_{} = {{{}, {}, {}, {}u, {}, {}}};", function,
                        in_.size(), num_own(function), out_.size(), positions, unknown.empty() ? 0 : 1,
                        join(more, ", ")));
  for (const Argument& a : in_) in(a.name, robot_.whole(a));
  for (std::size_t k = 0; k < out_.size(); ++k) out(out_[k].name, robot_.output(function, k));
  add_symbol("", "evaluate", function);
  if (has_some) add_derivatives(function, companions);
}

/// Of the Jacobian, as callers see it.
Pattern CasadiFile::by_input(const Companions& companions, const Argument& output,
                             const Argument& input) const {
  const DerivativeBlock* block = find_block(companions, output, input);
  const int rows = robot_.size(output), columns = robot_.num_steps(input);
  return robot_.seen(input, block != nullptr ? robot_.block(*block, rows, columns)
                                             : Pattern::of(rows, columns, !is_known(companions, input)));
}

void CasadiFile::add_derivatives(const std::string& function, const Companions& companions) {
  const Arguments in_ = robot_.inputs(function), out_ = robot_.outputs(function);
  begin_derivative(function);
  for (const Argument& output : out_) {
    for (const Argument& input : in_) {
      out("jac_" + output.name + "_" + input.name, by_input(companions, output, input));
    }
  }
  add_symbol("jac_", "jacobian", function);
  begin_derivative(function);
  for (const Argument& input : in_) in("fwd_" + input.name, robot_.change(input));
  for (std::size_t k = 0; k < out_.size(); ++k) out("fwd_" + out_[k].name, robot_.output(function, k));
  add_symbol("fwd1_", "forward", function);
  begin_derivative(function);
  for (std::size_t k = 0; k < out_.size(); ++k) in("adj_" + out_[k].name, robot_.output(function, k));
  for (const Argument& input : in_) out("adj_" + input.name, robot_.change(input));
  add_symbol("adj1_", "adjoint", function);
  if (robot_.has(companions.hessian) && robot_.has(companions.product) &&
      (num_own(function) <= 2 || robot_.has(companions.mixed)))
    add_second(function, companions);
}

/// See adjoint_jacobian() of the template.
void CasadiFile::add_second(const std::string& function, const Companions& companions) {
  const Arguments in_ = robot_.inputs(function);
  const Argument& output = robot_.outputs(function).front();
  const int nv = robot_.tree().nv;
  const std::size_t own = num_own(function);
  const Pattern H = robot_.stored(std::string(companions.hessian), 0, 2 * nv, 2 * nv);
  const auto half = [&](int row, int column) { return H.block(row * nv, column * nv, nv, nv); };
  const auto by_q = [&](const Pattern& steps) { return robot_.seen(in_[0], steps); };
  Pattern qq = by_q(by_q(half(0, 0)).transposed());
  robot_.fill_blocks_of_quaternions(qq);
  begin_derivative(function);
  in("adj_" + output.name, robot_.whole(output));
  for (const Argument& a : in_) in("out_adj_" + a.name, Pattern::of(robot_.num_columns(a), 1, false));
  const Pattern vq = by_q(half(1, 0));
  const Pattern D = own > 2 ? by_q(robot_.stored(std::string(companions.mixed), 0, nv, nv)) : Pattern{};
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const std::string of = "jac_adj_" + in_[i].name + "_";
    for (std::size_t k = 0; k < in_.size(); ++k) {
      Pattern p = Pattern::of(robot_.num_columns(in_[i]), robot_.num_columns(in_[k]), i >= own || k >= own);
      if (i + k == 0) p = qq;
      if (i == 1 && k == 1) p = half(1, 1);
      if (i + k == 1) p = i == 1 ? vq : vq.transposed();
      if (i + k == 2 && i != 1 && own > 2) p = i == 2 ? D : D.transposed();
      out(of + in_[k].name, p);
    }
    out(of + "out_" + output.name, Pattern::of(robot_.num_columns(in_[i]), nv, false));
    out(of + "adj_" + output.name, by_input(companions, output, in_[i]).transposed());
  }
  add_symbol("jac_adj1_", "adjoint_jacobian", function);
}

std::string CasadiFile::text() {
  Strings prototypes, free_joints;
  int largest = std::max(robot_.tree().nq, robot_.tree().nv);
  std::vector<int> rate_of(index(robot_.tree().nq), -1);
  for (const auto& [function, lowered] : robot_.functions()) {
    prototypes.push_back("void " + core(request_, function) + arrays + ";");
    for (const Argument& a : robot_.inputs(function)) largest = std::max(largest, robot_.size(a));
    add_function(function);
  }
  for (const model::Body& body : robot_.tree().bodies) {
    const model::Joint& joint = body.joint;
    if (joint.mimics >= 0) continue;
    for (int k = 0; k < joint.nq && joint.row().steps_add(); ++k)
      rate_of[index(joint.idx_q + k)] = joint.idx_v + k;
    if (joint.row().steps_add()) continue;
    const char* kind = joint.row().quaternion() < 0 ? "PLANAR" : joint.row().travels() ? "FLOATING" : "BALL";
    free_joints.push_back(fmt::format("{{{}, {}, {}}}", kind, joint.idx_q, joint.idx_v));
  }
  const auto frame = [](const model::ChosenFrame& f) {
    return fmt::format("{{{}, {}}}", f.first_row, f.point ? 0 : 1);
  };
  const bool has_poses = !companions_of("frame_poses").blocks.empty();
  const std::string nothing = "0";
  return file_text(request_, "casadi/robot_casadi.c",
                   {{"prototypes", join(prototypes, "\n")},
                    {"nq", std::to_string(robot_.tree().nq)},
                    {"nv", std::to_string(robot_.tree().nv)},
                    {"num_free", std::to_string(free_joints.size())},
                    {"tangent", robot_.tangent() ? "1" : "0"},
                    {"largest_input", std::to_string(largest)},
                    {"free_joints", free_joints.empty() ? "{0, 0, 0}" : join(free_joints, ", ")},
                    {"rate_of", rate_of.empty() ? nothing : fmt::format("{}", fmt::join(rate_of, ", "))},
                    {"step", companions_of("step").blocks.empty() ? "" : "step"},
                    {"pose_rows", has_poses ? join(each(robot_.tree().frames.chosen, frame), ", ") : ""},
                    {"num_frames", std::to_string(robot_.sizes().num_frames)},
                    {"num_frame_rows", std::to_string(robot_.sizes().num_frame_rows)},
                    {"functions", tables_ + text_}});
}

std::string casadi_file(const FileSource& source) { return CasadiFile(source.request).text(); }

std::string core_function(const Request& request, const LoweredFunction& function) {
  if (!CasadiPatterns::is_exported(function)) return {};
  int in = 0, out = 0;
  const std::string name = emitted_name(request.name),
                    list = argument_list(make_signature(function, *request.tree), [&](const Parameter&p) {
                      return p.kind == ParameterKind::input
                                 ? fmt::format("in[{}]{}", in++, p.is_number() ? "[0]" : "")
                                 : fmt::format("out[{}]", out++);
                    });
  return "\n// For " + name + "_casadi.c.\nextern \"C\" void " + core(request, function.spec->name) + arrays +
         " {\n" + wrap_statement("::" + name + "::" + function.spec->name + "<double>(" + list + ");", "  ") +
         "\n}\n";
}

constexpr FileRule casadi_files[] = {{Each::robot, "NAME_casadi.c", casadi_file}};

}  // namespace

const Binding casadi{
    .name = "casadi", .option = "casadi", .files = casadi_files, .source_functions = core_function};

}  // namespace featherline::emit
