// NAME::prepare: functions that bring code and outputs of others into the caches.
#include "emit/function_files.hpp"

#include <featherline/prepare.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace featherline::emit {
namespace {

/// "const S*, Link, S*": types alone.
std::string types(const Signature& signature) {
  return argument_list(signature, [](const Parameter& p) { return type_of(p, "S"); });
}

/// The same with defaults.
std::string parameters(const Signature& signature) {
  return argument_list(signature, [](const Parameter& p) { return type_of(p, "S") + default_argument(p); });
}

std::string line(const std::string& statement) { return wrap_statement(statement, "  ") + "\n"; }

/// By name, the code for so many angles of the function, and of its internal functions.
std::map<std::string, int> sincos_codes(const ir::Kernel& kernel) {
  std::map<std::string, int> codes;
  if (kernel.num_angles() > 0) codes["sincos"] = kernel.num_angles();
  for (const ir::Kernel* body : kernel.bodies()) {
    if (body->num_angles() > 0) codes["sincos_of_" + body->name] = body->num_angles();
  }
  return codes;
}

/// Statements that read the code.
std::string touch_code(const LoweredFunction& function) {
  std::vector<std::string> codes{"code"};
  if (function.kernel.walk() != nullptr) codes.emplace_back("steps");
  for (const auto& [code, angles] : sincos_codes(function.kernel)) codes.push_back(code);
  std::string text;
  for (const std::string& code : codes)
    text += line("featherline::touch_code<detail::" + function_name(function) + "_" + code + ", S>();");
  return text;
}

std::string touch_outputs(const Signature& signature, const catalog::Sizes& sizes) {
  std::string text;
  for (const Parameter& output : signature.outputs())
    text += line(fmt::format("featherline::touch<{}>({});", output.shape.size(sizes), output.name));
  return text;
}

/// Statements that read the tables of the panels that a kernel calls; KernelPrinter::use_table() gives their names. Of
/// AxisTables the compiler leaves next to nothing in memory.
std::string touch_tables(const ir::Kernel& kernel, const std::string& name) {
  std::vector<std::string> tables;
  for (const ir::Call* call : kernel.calls()) {
    if (call->panels)
      tables.push_back(fmt::format("    featherline::panels::touch_table<detail::{}_panels, S>();\n", name));
    if (call->body) tables.push_back(touch_tables(*call->body, name + "_" + call->body->name));
  }
  std::ranges::sort(tables);
  tables.erase(std::ranges::unique(tables).begin(), tables.end());
  return join(tables, "");
}

/// Calls the function, whose results are forgotten. Nothing if there are none: a robot that cannot move has Jacobians
/// without columns. If there are too many, reads the tables instead.
std::string call(const Signature& signature, const catalog::Sizes& sizes, const LoweredFunction& function,
                 const std::string& robot) {
  std::int64_t end = 0;
  const std::string arguments = argument_list(signature, [&](const Parameter& p) {
    if (p.kind == ParameterKind::steps) return p.name + " < 1 ? 0 : 1";  // there is room for one
    if (p.kind != ParameterKind::output) return p.name;
    const std::int64_t begin = end;
    end += p.shape.size(sizes);
    return begin == 0 ? std::string("results") : fmt::format("results + {}", begin);
  });
  if (end == 0) return {};
  const bool may_be_large = end * std::int64_t{sizeof(double)} > std::int64_t{most_result_bytes};
  const std::string tables = may_be_large ? touch_tables(function.kernel, function_name(function)) : "";
  return fmt::format("  if constexpr (featherline::prepare_calls<S, {0}>) {{\n    S results[{0}] = {{}};\n",
                     end) +
         wrap_statement(
             "featherline::as_called(::" + robot + "::" + signature.name + "<S>)(" + arguments + ");",
             "    ") +
         (tables.empty() ? "\n  }\n" : "\n  } else {\n" + tables + "  }\n");
}

}  // namespace

std::string code_number(const std::string& robot, const std::string& code) {
  std::uint32_t hash = 2166136261U;  // FNV-1a
  for (const char c : robot + "::" + code) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return std::to_string(hash & 0x7fffffffU);  // assemblers print it as an int
}

std::string prepare_declarations(const Request& request) {
  const auto declared = [](const Signature& signature) {
    return "template <class S>\n" +
           wrap_statement("void " + signature.name + "(" + parameters(signature) + ");", "");
  };
  return join(each(make_signatures(request), declared), "\n\n");
}

std::string code_definitions(const Request& request, const LoweredFunction& function, int code_bytes) {
  // A call out of cold caches, in us, of a function that reads no line ahead, and of one that does (AMD EPYC): ur5
  // rnea_derivatives (7 KB) 1.9, 2.0; hyq rnea_derivatives (16 KB) 4.3, 4.0; talos_reduced aba (45 KB) 7.5, 5.8; on a
  // Xeon hyq regressor (13 KB) 7.5, 6.3. Warm it takes a fifth to a third longer (with its results 80 %).
  constexpr int least_bytes = 12 * 1024;
  const bool ahead = request.options.goal() == Goal::latency && code_bytes >= least_bytes;
  const std::string robot = emitted_name(request.name);
  const std::string name = function_name(function);
  const auto code = [&](const char* what, const std::string& number) {
    return fmt::format("FEATHERLINE_CODE({}_{}, {}, {});\n", name, what, number,
                       ahead && what == std::string("code"));
  };
  std::string text = code("code", code_number(robot, name));
  if (function.kernel.walk() != nullptr) text += code("steps", code_number(robot, "steps"));
  for (const auto& [name_of_code, angles] : sincos_codes(function.kernel))
    text += code(name_of_code.c_str(), std::to_string(angles));
  return text;
}

std::string ahead_of_stores(const Request& request, const LoweredFunction& function) {
  // A call out of cold caches, in us, without and with (Xeon, g++): regressor of hyq (19 KB) 6.3, 5.5, of baxter (29 KB)
  // 10.6, 7.5 (both read their code first), of simple_humanoid (84 KB) 21.3, 17.8; its mass_matrix (10 KB) 7.0, 5.7,
  // rnea_derivatives (20 KB) 17.0, 14.6, aba_derivatives (29 KB) 35.4, 36.9. Larger outputs were not tried.
  constexpr std::int64_t least_numbers = 256, most_numbers = 16 * 1024;
  if (request.options.goal() != Goal::latency || function.spec->repeats) return {};
  const catalog::Sizes sizes = catalog::sizes_of(*request.tree);
  const Signature signature = make_signatures(function, *request.tree).front();
  std::int64_t numbers = 0;
  for (const Parameter& output : signature.outputs()) numbers += output.shape.size(sizes);
  if (numbers < least_numbers || numbers > most_numbers) return {};
  std::vector<std::string> lines;
  for (const Parameter& output : signature.outputs()) {
    const std::int64_t size = output.shape.size(sizes);
    if (size > 0) lines.push_back(fmt::format("  featherline::touch_results<{}>({});", size, output.name));
  }
  return join(lines, "\n");
}

std::string prepare_definitions(const Request& request, const LoweredFunction& function) {
  const catalog::Sizes sizes = catalog::sizes_of(*request.tree);
  const auto definition = [&](const Signature& signature) {
    const std::string called = call(signature, sizes, function, emitted_name(request.name));
    const std::string list = called.empty() ? types(signature) : parameter_list(signature, "S");
    return "template <class S>\n" + wrap_statement("void " + signature.name + "(" + list + ") {", "") + "\n" +
           touch_code(function) + (called.empty() ? "" : called + touch_outputs(signature, sizes)) + "}";
  };
  return join(each(make_signatures(function, *request.tree), definition), "\n\n");
}

namespace {

/// "{1, 2, 3}"
std::string braced(const std::vector<std::string>& entries) { return "{" + join(entries, ", ") + "}"; }
template <class... Numbers>
std::string row(Numbers... numbers) {
  return braced({std::to_string(numbers)...});
}

/// Numbers of tables are of any scalar.
std::string real(double value) { return "Real(" + literal(value) + ")"; }
std::string reals(std::span<const double> numbers) { return braced(each(numbers, real)); }

std::string constant(const std::string& declaration, const std::string& values) {
  return wrap_statement(declaration + " = " + values + ";", "  ") + "\n";
}

template <class List, class Text>
std::string table(const std::string& type_and_name, const List& list, const Text& text) {
  return constant("static constexpr " + type_and_name + "[]", braced(each(list, text)));
}

std::string real_table(const std::string& name_and_size, const std::string& values) {
  return constant("template <class Real> static constexpr Real " + name_and_size, values);
}

std::string motion_name(kinematics::Motion motion) {
  const char* names[] = {"turn", "slide", "screw", "planar", "spherical", "floating"};
  return std::string("Motion::") + names[static_cast<int>(motion)];
}

}  // namespace

std::string table_text(const ir::AxisTable& table, const std::string& name, const std::string& code) {
  std::string rows;
  for (const AxisInfo& axis : table.axes)
    rows += "      " + row(axis.idx_v, axis.parent, axis.first, axis.count) + ",\n";
  const auto run = [](const RowRun& r) { return row(r.body, r.first, r.count); };
  const std::string runs =
      table.runs.empty()
          ? ""
          : fmt::format("  static constexpr bool free_base = {};\n  static constexpr int num_bodies = {};\n",
                        table.free_base, table.num_bodies) +
                emit::table("featherline::RowRun runs", table.runs, run);
  return fmt::format(R"(/// The tree as featherline/{}.hpp walks it.
struct {} : {} {{
  static constexpr int nv = {}, num_axes = {}, max_path = {};
  static constexpr bool coupled = {};
  static constexpr featherline::AxisInfo axes[] = {{
      // idx_v, parent, first, count
{}  }};
  /// Of coupled mimic joints, otherwise 1.
{}{}}};
)",
                     table.runs.empty() ? "vector_loops" : "regressor", name, code, table.nv, table.num_axes,
                     table.max_path, table.coupled, rows,
                     real_table("multipliers[]", reals(table.multipliers)), runs);
}

std::string table_text(const ir::PanelTable& t, const std::string& name, const std::string& code) {
  std::string text =
      fmt::format(R"(/// The robot as featherline/panels.hpp reads it.
struct {} : {} {{
  static constexpr int nv = {}, num_slots = {}, num_bodies = {}, num_roots = {}, max_places = {};
  static constexpr int all_begin = {}, all_end = {};
  static constexpr bool floating = {}, single_axes = {}, turns_only = {}, placements_vary = {};
)",
                  name, code, t.nv, t.num_slots, t.num_bodies, t.num_roots, t.max_places, t.all_begin,
                  t.all_end, t.floating, t.single_axes, t.turns_only, t.placements_vary);
  const auto number = [](int x) { return std::to_string(x); };
  const auto body = [](const PanelBody& b) { return row(b.parent, b.first, b.last, b.placement); };
  const auto segment = [](const PanelSegment& s) {
    return row(s.first, s.count, s.row, s.above_begin, s.above_end, s.below_begin, s.below_end);
  };
  const auto range = [](const PanelRange& r) { return row(r.first, r.count, r.row); };
  // Zeros behind the slots need no text.
  const auto first = [](const std::vector<double>& values, int count) {
    return reals(std::span(values).first(static_cast<std::size_t>(count)));
  };
  const auto inertia = [&](const auto& values) { return first(values, t.num_slots + (t.floating ? 1 : 0)); };
  text += table("featherline::PanelBody bodies", t.bodies, body) + table("int parents", t.parents, number) +
          table("int coordinates", t.coordinates, number);
  if (!t.single_axes)
    text += table("int joints", t.joints, number) + table("int directions", t.directions, number);
  text += table("featherline::PanelSegment segments", t.segments, segment) +
          table("featherline::PanelRange ranges", t.ranges, range) +
          real_table("placements[][12]", braced(each(t.placements, reals)));
  if (!t.turns_only)
    text += real_table(fmt::format("turns[{}]", t.turns.size()), first(t.turns, t.num_slots)) +
            real_table(fmt::format("slides[{}]", t.slides.size()), first(t.slides, t.num_slots));
  return text +
         real_table(fmt::format("inertias[10][{}]", t.inertias.front().size()),
                    braced(each(t.inertias, inertia))) +
         "};\n";
}

std::vector<Replacement> walk_tables(const ir::LinkWalk& walk, const model::Tree& tree) {
  const auto body = [](const kinematics::BodyInfo<double>& b) {
    return fmt::format("      {{{}, {}, {}, {}, {}, {}, {}}},", b.run, b.idx_v, motion_name(b.motion),
                       b.angle_entry, real(b.angle_offset), real(b.multiplier), real(b.pitch));
  };
  const auto run = [](const kinematics::RunInfo& r) { return row(r.first, r.parent); };
  const std::vector<std::string> enumerators = link_enumerators(tree);
  std::vector<std::string> links;
  for (const kinematics::LinkInfo<double>& link : walk.links) {
    const std::string values =
        fmt::format("{{{}, {}, {}, {}}},", link.body, link.at_body, reals(link.R_BL), reals(link.p_BL));
    links.push_back("      // " + enumerators[links.size()] + "\n" + wrap_statement(values, "      "));
  }
  const std::string runs = walk.runs.empty() ? "{{}}" : braced(each(walk.runs, run));
  return {{"nv", std::to_string(walk.nv)},
          {"num_bodies", std::to_string(walk.bodies.size())},
          {"max_path", std::to_string(walk.max_path)},
          {"max_runs", std::to_string(walk.max_runs)},
          {"plain_angles", walk.plain_angles() ? "true" : "false"},
          {"motions", fmt::format("0x{:x}", walk.motions())},
          {"coupled", walk.coupled() ? "true" : "false"},
          {"bodies", walk.bodies.empty() ? "      {}" : join(each(walk.bodies, body), "\n")},
          {"runs",
           wrap_statement("static constexpr featherline::kinematics::RunInfo runs[] = " + runs + ";", "  ")},
          {"links", join(links, "\n")}};
}

}  // namespace featherline::emit
