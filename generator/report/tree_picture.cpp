#include "report/report.hpp"

#include "joints/page/joint_kind.hpp"
#include "model/overview.hpp"
#include "support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace featherline::report {
namespace {

// Lengths in pixels.
constexpr int row_height = 44, column_width = 36, margin = 22, text_width = 380, mass_width = 190,
              merged_width = 300;
constexpr double smallest_radius = 3.5, largest_radius = 13.0;

/// At most `length` characters, with an ellipsis in the place of what is cut off.
std::string cut(const std::string& text, int length) {
  std::size_t end = 0;
  for (int count = 0; end < text.size(); ++count) {
    if (count + 1 == length && end + 1 < text.size()) return text.substr(0, end) + "…";
    end += std::max<std::size_t>(utf8_length(std::string_view(text).substr(end)), 1);
  }
  return text;
}

/// Where a body stands. Row 0 is the world's.
struct Place {
  int row = 0, column = 0;
  double x() const { return margin + column * column_width; }
  double y() const { return row_height / 2.0 + row * row_height; }
};

class TreePicture {
 public:
  explicit TreePicture(const model::Tree& tree)
      : tree_(tree), links_(links_by_body(tree)), places_(tree.bodies.size() + 1), children_(places_.size()) {
    for (const model::Body& body : tree.bodies) {
      ++children_[slot(body.parent)];
      heaviest_ = std::max(heaviest_, body.inertia.mass);
    }
    int row = 0;
    for (const model::TreeLine& line : walk(tree)) {
      const std::size_t parent = slot(tree.bodies[slot(line.body)].parent);
      places_[slot(line.body)] = {++row, places_[parent].column + (children_[parent] > 1 ? 1 : 0)};
      last_column_ = std::max(last_column_, places_[slot(line.body)].column);
    }
  }

  std::string svg() const {
    std::string lines, rows = world();
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      lines += way(i);
      rows += row(i);
    }
    const double width = text_x() + text_width + mass_width + merged_width;
    const std::size_t height = places_.size() * row_height;
    return fmt::format(
        "<svg class=\"tree\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"The kinematic tree; the table of joints has the same as text\">\n{2}{3}</svg>\n",
        width, height, lines, rows);
  }

 private:
  /// Of a body, or of the world behind all bodies, as in links_by_body().
  std::size_t slot(int body) const { return body < 0 ? tree_.bodies.size() : static_cast<std::size_t>(body); }
  double text_x() const { return margin * 2.0 + last_column_ * column_width; }

  double share(double mass) const { return std::max(mass, 0.0) / std::max(heaviest_, 1e-300); }

  std::string world() const {
    const Place& at = places_.back();
    return fmt::format("<rect class=\"world\" x=\"{}\" y=\"{}\" width=\"16\" height=\"16\"/>\n", at.x() - 8,
                       at.y() - 8) +
           text(text_x(), at.y() + 5, "name", "world", "world") + merged(links_.back(), 0, at.y());
  }

  /// The line from the parent, with the joint's symbol on it.
  std::string way(std::size_t i) const {
    const model::Joint& joint = tree_.bodies[i].joint;
    const Place &from = places_[slot(tree_.bodies[i].parent)], &to = places_[i];
    const bool same_column = from.column == to.column;
    constexpr int corner = 10;
    std::string line = fmt::format("<path class=\"way\" d=\"M{} {}V{}", from.x(), from.y(),
                                   same_column ? to.y() : to.y() - corner);
    if (!same_column) line += fmt::format("q0 {0} {0} {0}H{1}", corner, to.x());
    line += "\"/>\n";
    const double x = same_column ? to.x() : (from.x() + to.x()) / 2.0;
    const double y = same_column ? to.y() - row_height / 2.0 : to.y();
    return line + joint_symbol(kind_of(joint), x, y) + "\n";
  }

  /// The area of the disc follows the mass.
  std::string row(std::size_t i) const {
    const model::Body& body = tree_.bodies[i];
    const model::Joint& joint = body.joint;
    const Place& at = places_[i];
    std::string under = shown_name(joint.name) + " · " + model::name(joint.type);
    const std::string axis = axis_text(joint);
    if (!axis.empty()) under += " " + axis;
    if (joint.is_eliminated)
      under += " · follows from a loop";
    else if (joint.mimics >= 0)
      under += " · follows " + shown_name(tree_.bodies[slot(joint.mimics)].joint.name);
    else
      under += fmt::format(" · q[{}] v[{}]", model::index_range(joint.idx_q, joint.nq),
                           model::index_range(joint.idx_v, joint.nv));
    return fmt::format("<circle class=\"body\" cx=\"{}\" cy=\"{}\" r=\"{:.4g}\"/>\n", at.x(), at.y(),
                       std::max(smallest_radius, largest_radius * std::sqrt(share(body.inertia.mass)))) +
           text(text_x(), at.y() - 2, "name", shown_name(body.name), shown_name(body.name)) +
           text(text_x(), at.y() + 14, "under", under, under) + mass(body.inertia.mass, at.y()) +
           merged(links_[i], 1, at.y());
  }

  /// A bar and the number.
  std::string mass(double mass, double y) const {
    const double x = text_x() + text_width;
    const double length = share(mass) * 90.0;
    return fmt::format("<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{:.4g}\" height=\"8\"/>\n", x, y - 4,
                       length) +
           text(x + 8.0 + length, y + 4, "under", fmt::format("{:.4g} kg", mass), "");
  }

  /// Links that fixed joints merge into the body.
  std::string merged(const std::vector<const model::Link*>& links, std::size_t first, double y) const {
    std::string all;
    for (std::size_t k = first; k < links.size(); ++k)
      all += (k == first ? "+ " : ", ") + shown_name(links[k]->name);
    if (all.empty()) return "";
    return text(text_x() + text_width + mass_width, y + 4, "under", all, all, merged_width);
  }

  /// Text that is cut to its column; `title` is what a pointer over it shows.
  static std::string text(double x, double y, const char* css_class, const std::string& what,
                          const std::string& title, int width = text_width) {
    const int characters = width / (std::string_view(css_class) == "name" ? 9 : 7);
    const std::string shown = cut(what, characters);
    return fmt::format("<text class=\"{}\" x=\"{:.5g}\" y=\"{}\">{}{}</text>\n", css_class, x, y,
                       escape_html(shown),
                       shown == title || title.empty() ? "" : "<title>" + escape_html(title) + "</title>");
  }

  const model::Tree& tree_;
  std::vector<std::vector<const model::Link*>> links_;
  std::vector<Place> places_;  ///< by slot
  std::vector<int> children_;  ///< by slot
  double heaviest_ = 0.0;
  int last_column_ = 0;
};

}  // namespace

std::string tree_picture(const model::Tree& tree) { return TreePicture(tree).svg(); }

}  // namespace featherline::report
