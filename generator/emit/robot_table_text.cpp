// The tables of the robot that loops of the runtime read (ir/robot_tables.hpp, ir/kernel.hpp).
#include "emit/function_files.hpp"
#include "emit/identifiers.hpp"
#include "emit/text.hpp"

#include <fmt/format.h>

#include <span>

namespace featherline::emit {
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
