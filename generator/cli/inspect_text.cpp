#include "cli/inspect_text.hpp"

#include "model/joint_table.hpp"
#include "model/limb_names.hpp"
#include "support/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace featherline::cli {
namespace {

/// Width in characters, not in bytes, because names may hold any UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// A table for a terminal. Every column is as wide as its widest cell, so joint names may have any length.
class TextTable {
 public:
  enum class Side { left, right };

  /// The headings, and the side to which each column is aligned.
  struct Column {
    std::string heading;
    Side side = Side::left;
  };
  explicit TextTable(std::vector<Column> columns);

  /// Adds a row with one cell for each column. Further cells follow the last column without alignment.
  void add(std::vector<std::string> cells);

  /// The headings and the rows. Each line begins with two spaces, and two spaces separate the columns.
  std::string text() const;

 private:
  std::string line(const std::vector<std::string>& cells) const;

  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<std::string>> rows_;
};

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_) widths_.push_back(width(column.heading));
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t k = 0; k < std::min(cells.size(), widths_.size()); ++k)
    widths_[k] = std::max(widths_[k], width(cells[k]));
  rows_.push_back(std::move(cells));
}

std::string TextTable::line(const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::size_t column_width = k < columns_.size() ? widths_[k] : 0;
    const std::string padding(column_width - std::min(column_width, width(cells[k])), ' ');
    const bool right = k < columns_.size() && columns_[k].side == Side::right;
    text += "  " + (right ? padding + cells[k] : cells[k] + padding);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string TextTable::text() const {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string text = line(headings);
  for (const std::vector<std::string>& row : rows_) text += line(row);
  return text;
}

std::string vector_text(const model::Vector3& v) {
  return fmt::format("{:.6g} {:.6g} {:.6g}", v.x(), v.y(), v.z());
}

std::string limit_text(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"; }

std::string heading(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const Masses mass = sum_masses(tree);
  std::string text = fmt::format("robot {} ({})\n", quoted(tree.name), robot.description.file);
  text += fmt::format("  sha256   {}\n", robot.description.sha256);
  text += fmt::format("  size     {} links, {} moving bodies, nq = {}, nv = {}\n", tree.links.size(),
                      tree.bodies.size(), tree.nq, tree.nv);
  text += fmt::format("  mass     {:.6g} kg in all: {:.6g} kg moving, {:.6g} kg welded to the world\n",
                      mass.moving + mass.welded_to_world, mass.moving, mass.welded_to_world);
  text += fmt::format("  base     {}\n", describe_base(tree));
  text += fmt::format("  gravity  {} m/s^2 in world axes{}\n", vector_text(tree.gravity),
                      tree.chosen.gravity ? ", the default of p[0..2]" : "");
  return text;
}

std::string indent(int depth) {
  constexpr int deepest =
      30;  // beyond that the depth is a number, or a long chain's picture grows quadratically
  if (depth <= deepest) return std::string(static_cast<std::size_t>(2 * depth), ' ');
  return fmt::format("{}({}) ", std::string(2 * deepest, ' '), depth);
}

std::string merged_text(const std::vector<const model::Link*>& links, std::size_t first,
                        const std::string& lead) {
  std::string text;
  for (std::size_t k = first; k < links.size(); ++k)
    text += fmt::format("{}+ {}\n", lead, quoted(links[k]->name));
  return text;
}

std::string tree_text(const model::Tree& tree) {
  const auto links = links_by_body(tree);
  std::string text = "\ntree (+ marks links that fixed joints merge into the one above)\n  world\n";
  text += merged_text(links.back(), 0, "    ");
  for (const TreeLine& line : walk(tree)) {
    const model::Body& body = tree.bodies[static_cast<std::size_t>(line.body)];
    const std::string lead = "    " + indent(line.depth);
    text +=
        fmt::format("{}{}  <- {} {}, q[{}] v[{}]\n", lead, quoted(body.name), model::name(body.joint.type),
                    quoted(body.joint.name), index_range(body.joint.idx_q, body.joint.nq),
                    index_range(body.joint.idx_v, body.joint.nv));
    text += merged_text(links[static_cast<std::size_t>(line.body)], 1, lead + "  ");
  }
  return text;
}

constexpr auto left = TextTable::Side::left, right = TextTable::Side::right;

std::string coordinate_table(const model::Tree& tree) {
  TextTable table({{"q", right},
                   {"v", right},
                   {"joint", left},
                   {"type", left},
                   {"lower", right},
                   {"upper", right},
                   {"velocity", right},
                   {"effort", right}});
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    std::vector<std::string> cells{index_range(joint.idx_q, joint.nq), index_range(joint.idx_v, joint.nv),
                                   quoted(joint.name), model::name(joint.type)};
    for (const double limit :
         {joint.limits.lower, joint.limits.upper, joint.limits.velocity, joint.limits.effort})
      cells.push_back(limit_text(limit));
    if (joint.mimics >= 0) {
      const model::Joint& driver = tree.bodies[static_cast<std::size_t>(joint.mimics)].joint;
      cells.push_back(
          fmt::format("= {:.6g} * {} + {:.6g}", joint.multiplier, quoted(driver.name), joint.offset));
    }
    table.add(std::move(cells));
  }
  return "\ncoordinates (SI units, radians)\n" + table.text();
}

std::string frame_table(const model::Tree& tree) {
  TextTable table({{"joint", left},
                   {"origin x", right},
                   {"y", right},
                   {"z [m]", right},
                   {"axis x", right},
                   {"y", right},
                   {"z", right},
                   {"mass [kg]", right}});
  for (const model::Body& body : tree.bodies) {
    const model::Vector3 origin = body.joint.placement.p, axis = body.joint.placement.R * body.joint.axis;
    std::vector<std::string> cells{quoted(body.joint.name)};
    for (const double number :
         {origin.x(), origin.y(), origin.z(), axis.x(), axis.y(), axis.z(), body.inertia.mass})
      cells.push_back(fmt::format("{:.6g}", number));
    table.add(std::move(cells));
  }
  return "\nbodies (origin and axis in the parent's frame at zero; mass of all that is merged)\n" +
         table.text();
}

std::string chosen_inputs_table(const model::Tree& tree) {
  if (!tree.chosen.any()) return "";
  TextTable table({{"numbers", left}, {"input", left}, {"unit", left}});
  for (std::size_t k = 0; k < tree.chosen.forces.size(); ++k) {
    const int first = model::force_entries * static_cast<int>(k);
    table.add({"fext[" + index_range(first, model::force_entries) + "]",
               "force on " + quoted(tree.links[static_cast<std::size_t>(tree.chosen.forces[k])].name),
               "N (3), N m (3), world axes"});
  }
  for (const model::Parameter& parameter : model::parameters(tree))
    table.add({"p[" + index_range(parameter.index, parameter.size()) + "]", quoted(parameter.name),
               parameter.unit});
  return "\nchosen inputs (of the functions that depend on them)\n" + table.text();
}

std::string chosen_frames_table(const model::Tree& tree) {
  if (tree.frames.chosen.empty()) return "";
  TextTable table(
      {{"frame", left}, {"link", left}, {"x", right}, {"y", right}, {"z", right}, {"rows", left}});
  for (const model::ChosenFrame& frame : tree.frames.chosen) {
    std::vector<std::string> cells{quoted(frame.name),
                                   quoted(tree.links[static_cast<std::size_t>(frame.link)].name)};
    for (const double number : frame.placement.p) cells.push_back(fmt::format("{:.6g}", number));
    cells.push_back(index_range(frame.first_row, frame.num_rows()));
    table.add(std::move(cells));
  }
  return "\nchosen frames (origin in the link), their rows " + model::describe(tree.frames.axes) + "\n" +
         table.text();
}

std::string constraints_table(const model::Tree& tree) {
  if (tree.constraints.count() == 0) return "";
  TextTable table({{"constraint", left}, {"type", left}, {"links", left}, {"rows", right}});
  for (const model::Constraint& constraint : tree.constraints.all) {
    std::string links;
    for (const model::Anchor& anchor : constraint.anchors)
      links += (links.empty() ? "" : ", ") + quoted(tree.links[static_cast<std::size_t>(anchor.link)].name);
    table.add({quoted(constraint.name), model::kind_of(constraint.type).name, links,
               index_range(constraint.first_row, constraint.num_rows())});
  }
  return "\nconstraints (rows of lambda)\n" + table.text();
}

std::string limbs_text(const model::Tree& tree) {
  std::string text;
  for (const model::LimbGroup& group : model::find_limb_groups(tree))
    text += "  " + model::describe_limbs(tree, group, [](const std::string& name) { return quoted(name); }) +
            "\n";
  return text.empty() ? "" : "\nequal limbs (emitted code may compute them side by side)\n" + text;
}

}  // namespace

std::string describe_base(const model::Tree& tree) {
  if (tree.floating_base) {
    return "floating: the root link moves freely, q[0..6] is its pose and v[0..5] its velocity in its own "
           "axes";
  }
  return "fixed: the root link is welded to the world; --base floating lets it move";
}

std::string inspect_text(const Robot& robot) {
  return heading(robot) + tree_text(robot.tree) + limbs_text(robot.tree) + coordinate_table(robot.tree) +
         frame_table(robot.tree) + chosen_inputs_table(robot.tree) + chosen_frames_table(robot.tree) +
         constraints_table(robot.tree);
}

}  // namespace featherline::cli
