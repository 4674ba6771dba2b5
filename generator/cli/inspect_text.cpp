#include "cli/commands.hpp"
#include "cli/output_files.hpp"
#include "joints/joint_table.hpp"
#include "model/clusters.hpp"
#include "model/overview.hpp"
#include "support/index.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

namespace featherline::cli {
namespace {

/// Names in tables. The tree shows them longer.
constexpr std::size_t longest_name = 40;

std::string link_name(const model::Tree& tree, int link) { return in_quotes(tree.links[index(link)].name); }

/// The tables of a description. Where a name was cut, a line at the end says where to find it whole.
class Tables {
 public:
  void add(const std::string& title, const TextTable& table) {
    text_ += '\n' + title + '\n' + table.text();
    is_cut_ = is_cut_ || table.is_cut();
  }
  std::string text() const {
    return text_ + (is_cut_ ? "\n(names with ... are cut; --format=json has them whole)\n" : "");
  }

 private:
  std::string text_;
  bool is_cut_ = false;
};

/// What a mimic joint equals: ` = -0.5 * "driver" + 0.1`, without factors and offsets that do nothing.
std::string mimic_text(const model::Joint& joint, const model::Joint& driver) {
  const std::string factor = joint.multiplier == 1.0    ? ""
                             : joint.multiplier == -1.0 ? "-"
                                                        : fmt::format("{:.6g} * ", joint.multiplier);
  const std::string offset =
      joint.offset == 0.0 ? ""
                          : fmt::format(" {} {:.6g}", joint.offset < 0.0 ? '-' : '+', std::abs(joint.offset));
  return "= " + factor + without_middle(in_quotes(driver.name), longest_name) + offset;
}

void add_coordinates(const model::Tree& tree, Tables& tables) {
  TextTable table({right("q"), right("v"), left("joint", longest_name), left("type"), point("lower"),
                   point("upper"), point("velocity"), point("effort")});
  for (const model::Body& body : tree.bodies) {
    const model::Joint& joint = body.joint;
    std::vector<std::string> cells{model::index_range(joint.idx_q, joint.nq),
                                   model::index_range(joint.idx_v, joint.nv), in_quotes(joint.name),
                                   model::name(joint.type)};
    for (const double limit :
         {joint.limits.lower, joint.limits.upper, joint.limits.velocity, joint.limits.effort})
      cells.push_back(std::isfinite(limit) ? column_number(limit) : "-");
    if (joint.is_eliminated) {
      cells[0] = cells[1] = "-";
      cells.emplace_back("follows from a loop");
    } else if (joint.mimics >= 0) {
      cells.push_back(mimic_text(joint, tree.bodies[index(joint.mimics)].joint));
    }
    table.add(std::move(cells));
  }
  tables.add("coordinates (limits in rad, rad/s, N m; of sliding joints in m, m/s, N)", table);
}

void add_bodies(const model::Tree& tree, Tables& tables) {
  TextTable table({left("joint", longest_name), point("origin x"), point("y"), point("z [m]"),
                   point("axis x"), point("y"), point("z"), point("mass [kg]")});
  for (const model::Body& body : tree.bodies) {
    const model::Vector3 axis = body.joint.placement.R * body.joint.axis;
    std::vector<std::string> cells{in_quotes(body.joint.name)};
    for (const double number : body.joint.placement.p) cells.push_back(column_number(number));
    const bool has_axis = body.joint.row().needs(model::Direction::axis);
    for (const double number : axis) cells.push_back(has_axis ? column_number(number) : "-");
    cells.push_back(column_number(body.inertia.mass));
    table.add(std::move(cells));
  }
  tables.add("bodies (origin and axis in the parent's frame at zero; mass of all that is merged)", table);
}

void add_drives(const model::Tree& tree, Tables& tables) {
  TextTable table({left("joint", longest_name), left("drive, spring, further limits")});
  std::size_t count = 0;
  for (const model::Body& body : tree.bodies) {
    const std::string text = model::describe_drive(body.joint);
    if (!text.empty()) table.add({in_quotes(body.joint.name), text});
    count += text.empty() ? 0 : 1;
  }
  for (const model::Tendon& tendon : tree.tendons)
    table.add({"tendon " + in_quotes(tendon.name), model::describe_tendon(tree, tendon, in_quotes)});
  count += tree.tendons.size();
  if (count > 0) tables.add("drives and springs that count (--joint-dynamics), in SI units", table);
}

void add_rotors(const model::Tree& tree, Tables& tables) {
  if (tree.rotors.empty()) return;
  TextTable table({left("joint", longest_name), left("rotors")});
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const std::string text = model::describe_rotors(tree, static_cast<int>(i), in_quotes);
    if (!text.empty()) table.add({in_quotes(tree.bodies[i].joint.name), text});
  }
  tables.add("rotors, in SI units", table);
}

void add_positions(const model::Tree& tree, Tables& tables) {
  TextTable table({left("position", longest_name), left("q")});
  for (const model::NamedPosition& position : tree.positions)
    table.add({in_quotes(position.name), fmt::format("{:.6g}", fmt::join(position.q, " "))});
  if (!tree.positions.empty()) tables.add("positions that the file names", table);
}

void add_chosen_inputs(const model::Tree& tree, Tables& tables) {
  if (!tree.chosen.any()) return;
  TextTable table({left("numbers"), left("input"), left("unit")});
  for (std::size_t k = 0; k < tree.chosen.forces.size(); ++k) {
    const int first = model::force_entries * static_cast<int>(k);
    table.add({"fext[" + model::index_range(first, model::force_entries) + "]",
               "force on " + link_name(tree, tree.chosen.forces[k]), "N (3), N m (3), world axes"});
  }
  for (const model::Parameter& parameter : model::parameters(tree))
    table.add({"p[" + model::index_range(parameter.index, parameter.size()) + "]", in_quotes(parameter.name),
               parameter.unit});
  tables.add("chosen inputs (of the functions that depend on them)", table);
}

void add_chosen_frames(const model::Tree& tree, Tables& tables) {
  if (tree.frames.chosen.empty()) return;
  TextTable table({left("frame", longest_name), left("link", longest_name), point("x"), point("y"),
                   point("z [m]"), right("rows")});
  for (const model::ChosenFrame& frame : tree.frames.chosen) {
    std::vector<std::string> cells{in_quotes(frame.name), link_name(tree, frame.link)};
    for (const double number : frame.placement.p) cells.push_back(column_number(number));
    cells.push_back(model::index_range(frame.first_row, frame.num_rows()));
    table.add(std::move(cells));
  }
  tables.add("chosen frames (origin in the link), their rows " + model::describe(tree.frames.axes), table);
}

/// " along 0 0 1 of the world", of contacts that have an axis.
std::string along(const model::Constraint& constraint) {
  const model::ConstraintKind& kind = model::kind_of(constraint.type);
  if (!kind.is_contact || !kind.has_axis) return "";
  const model::Matrix3& axes =
      constraint.world_axes ? *constraint.world_axes : constraint.anchors.front().placement.R;
  const char* relation = constraint.type == model::ConstraintType::contact_normal ? "along" : "across";
  return fmt::format(" {} {} {} {} of the {}", relation, axes(0, 2), axes(1, 2), axes(2, 2),
                     constraint.world_axes ? "world" : "link");
}

void add_constraints(const model::Tree& tree, Tables& tables) {
  if (tree.constraints.count() == 0) return;
  TextTable table({left("constraint", longest_name), left("type"), left("links"), right("rows")});
  for (const model::Constraint& constraint : tree.constraints.all) {
    std::vector<std::string> links =
        each(constraint.anchors, [&](const model::Anchor& anchor) { return link_name(tree, anchor.link); });
    for (const auto& term : constraint.terms)
      links.push_back(in_quotes(tree.bodies[index(term.body)].joint.name));
    table.add({in_quotes(constraint.name), model::kind_of(constraint.type).name + along(constraint),
               join(links), model::index_range(constraint.first_row, constraint.num_rows())});
  }
  tables.add("constraints (rows of lambda)", table);
}

void add_clusters(const model::Tree& tree, Tables& tables) {
  if (!tree.clusters) return;
  TextTable table({left("loops"), left("independent joints"), left("joints that follow")});
  for (const model::Cluster& cluster : tree.clusters->all)
    table.add({join(cluster.loops), join(cluster.independent), join(cluster.dependent)});
  tables.add("clusters (joints that eliminated loops tie together)", table);
}

std::string heading(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const model::Masses mass = model::sum_masses(tree);
  const model::Joint* free = model::free_joint(tree);
  const std::string base =
      tree.floating_base ? "floating: the root link moves freely, q[0..6] is its pose and v[0..5] its "
                           "velocity in its own axes"
      : free != nullptr
          ? "fixed: the root link is the world, and joint " + in_quotes(free->name) + " moves freely in it"
          : "fixed: the root link is welded to the world; --base floating lets it move";
  return fmt::format(
      "robot {} ({})\n"
      "  sha256   {}\n"
      "  size     {} links, {} moving bodies, nq = {}, nv = {}\n"
      "  mass     {:.6g} kg in all: {:.6g} kg moving, {:.6g} kg welded to the world\n"
      "  base     {}\n"
      "  gravity  {:.6g} m/s^2 in world axes{}\n",
      in_quotes(tree.name), robot.description.file, robot.description.sha256, tree.links.size(),
      tree.bodies.size(), tree.nq, tree.nv, mass.moving + mass.welded_to_world, mass.moving,
      mass.welded_to_world, base, fmt::join(tree.gravity, " "),
      tree.chosen.gravity ? ", the default of p[0..2]" : "");
}

std::string indent(int depth) {
  // Beyond this the depth is a number, or a long chain's picture grows quadratically.
  constexpr int deepest = 30;
  if (depth <= deepest) return std::string(index(2 * depth), ' ');
  return fmt::format("{}({}) ", std::string(2 * deepest, ' '), depth);
}

std::string merged_text(const model::Tree& tree, const std::vector<const model::Link*>& links,
                        std::size_t first, const std::string& lead) {
  std::string text;
  for (std::size_t k = first; k < links.size(); ++k) {
    const std::string lock = model::describe_lock(tree, *links[k], in_quotes);
    text += fmt::format("{}+ {}{}{}\n", lead, in_quotes(links[k]->name), lock.empty() ? "" : "  <- ", lock);
  }
  return text;
}

std::string tree_text(const model::Tree& tree) {
  const auto links = model::links_by_body(tree);
  std::string text =
      fmt::format("\ntree (+ marks links that fixed{} joints merge into the one above)\n  world\n",
                  tree.locked.empty() ? "" : " and locked");
  text += merged_text(tree, links.back(), 0, "    ");
  for (const model::TreeLine& line : model::walk(tree)) {
    const model::Body& body = tree.bodies[index(line.body)];
    const std::string lead = "    " + indent(line.depth);
    const model::Joint& joint = body.joint;
    const std::string coordinates =
        joint.is_eliminated ? "follows from a loop"
                            : fmt::format("q[{}] v[{}]", model::index_range(joint.idx_q, joint.nq),
                                          model::index_range(joint.idx_v, joint.nv));
    text += fmt::format("{}{}  <- {} {}, {}\n", lead, in_quotes(body.name), model::name(joint.type),
                        in_quotes(joint.name), coordinates);
    text += merged_text(tree, links[index(line.body)], 1, lead + "  ");
  }
  return text;
}

std::string limbs_text(const model::Tree& tree) {
  std::string text;
  for (const model::LimbGroup& group : model::find_limb_groups(tree))
    text += "  " + model::describe_limbs(tree, group, in_quotes) + "\n";
  return text.empty() ? "" : "\nequal limbs (emitted code may compute them side by side)\n" + text;
}

}  // namespace

std::string inspect_text(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  Tables tables;
  add_coordinates(tree, tables);
  add_drives(tree, tables);
  add_rotors(tree, tables);
  add_bodies(tree, tables);
  add_positions(tree, tables);
  add_chosen_inputs(tree, tables);
  add_chosen_frames(tree, tables);
  add_constraints(tree, tables);
  add_clusters(tree, tables);
  return heading(robot) + tree_text(tree) + limbs_text(tree) + tables.text();
}

}  // namespace featherline::cli
