#include "cli/inspect.hpp"
#include "model/joint_type.hpp"

#include <fmt/format.h>

namespace featherline::cli {
namespace {

/// Text for a Graphviz HTML-like label.
std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// A name without its surrounding quotes; control characters stay escaped.
std::string label_text(const std::string& name) {
  const std::string text = quoted(name);
  return escape_html(text.substr(1, text.size() - 2));
}

std::string merged_rows(const std::vector<const model::Link*>& links, std::size_t first) {
  std::string rows;
  for (std::size_t k = first; k < links.size(); ++k) {
    rows +=
        fmt::format("<br/><font point-size=\"9\" color=\"#5f6b7a\">+ {}</font>", label_text(links[k]->name));
  }
  return rows;
}

const char* colour(model::JointType type) {
  switch (type) {
    case model::JointType::revolute:
    case model::JointType::continuous:
      return "#2563a8";
    case model::JointType::prismatic:
      return "#b3541e";
    case model::JointType::floating:
      return "#6b4fa0";
    default:
      return "#2f7d4f";
  }
}

}  // namespace

std::string inspect_dot(const Robot& robot) {
  const model::Tree& tree = robot.tree;
  const auto links = links_by_body(tree);
  std::string text = "digraph robot {\n";
  text += "  graph [rankdir=LR, ranksep=0.6, nodesep=0.25, fontname=\"Helvetica\"];\n";
  text +=
      "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f6f8\", color=\"#9aa5b1\", "
      "fontname=\"Helvetica\", fontsize=11];\n";
  text += "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n";
  text += fmt::format("  label=<{}: nq {}, nv {}>;\n", label_text(tree.name), tree.nq, tree.nv);
  text +=
      fmt::format("  world [label=<<b>world</b>{}>, fillcolor=\"#e3e8ee\"];\n", merged_rows(links.back(), 0));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Body& body = tree.bodies[i];
    text += fmt::format("  body{} [label=<<b>{}</b><br/>{:.4g} kg{}>];\n", i, label_text(body.name),
                        body.inertia.mass, merged_rows(links[i], 1));
  }
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const model::Joint& joint = tree.bodies[i].joint;
    const int parent = tree.bodies[i].parent;
    const std::string from = parent < 0 ? "world" : fmt::format("body{}", parent);
    text += fmt::format("  {} -> body{} [label=<{}<br/>{} v[{}]>, color=\"{}\"];\n", from, i,
                        label_text(joint.name), model::name(joint.type), index_range(joint.idx_v, joint.nv),
                        colour(joint.type));
    if (joint.mimics >= 0) {
      text += fmt::format(
          "  body{} -> body{} [style=dashed, constraint=false, label=\"mimic\", color=\"#9aa5b1\"];\n",
          joint.mimics, i);
    }
  }
  return text + "}\n";
}

}  // namespace featherline::cli
