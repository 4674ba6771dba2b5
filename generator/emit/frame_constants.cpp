#include "emit/constants.hpp"

#include "emit/identifiers.hpp"
#include "emit/text.hpp"
#include "support/index.hpp"

namespace featherline::emit {
namespace {

std::vector<std::string> frame_enumerators(const model::Tree& tree) {
  Namer namer("frame");
  for (const std::string& constant : header_constants()) namer.reserve(constant);
  std::vector<std::string> names;
  for (const model::ChosenFrame& frame : tree.frames.chosen) names.push_back(namer.take(frame.name));
  return names;
}

std::string frame_rows(const model::Tree& tree) {
  std::vector<std::string> rows;
  for (const model::ChosenFrame& frame : tree.frames.chosen)
    rows.push_back("{" + string_literal(frame.name) + ", " + std::to_string(frame.link) + ", " +
                   std::to_string(frame.first_row) + ", " + std::to_string(frame.num_rows()) + "}");
  return array_body(rows, "{}");
}

}  // namespace

std::string frames_include(const model::Tree& tree) {
  return tree.frames.chosen.empty() ? "" : "#include <featherline/frame_info.hpp>";
}

std::string frame_constants(const model::Tree& tree) {
  if (tree.frames.chosen.empty()) return "";
  return "\n\ninline constexpr int num_frames = " +
         std::to_string(static_cast<int>(tree.frames.chosen.size())) +
         ";      ///< that were chosen\ninline constexpr int num_frame_rows = " +
         std::to_string(tree.frames.num_rows()) +
         ";  ///< of their velocities: six a frame, three if position-only\n\n"
         "/// The chosen frames; the value is the index in frames.\nenum class Frame {\n  " +
         join(frame_enumerators(tree), ",\n  ") +
         ",\n};\n\n/// Their velocities, accelerations and Jacobians are meant " +
         model::describe(tree.frames.axes) +
         ".\ninline constexpr featherline::ReferenceFrame frame_axes = featherline::ReferenceFrame::" +
         model::name_of(tree.frames.axes) + ";\ninline constexpr featherline::FrameInfo frames[] = {\n" +
         "    // name, link, first row, rows\n" + frame_rows(tree) + "\n};";
}

Json to_json(const model::Placement& placement) {
  // No minus zeros.
  const model::Matrix3 R = placement.R.array() + 0.0;
  const model::Vector3 p = placement.p.array() + 0.0;
  return Json{{"p", {p.x(), p.y(), p.z()}}, {"R", std::vector<double>(R.data(), R.data() + R.size())}};
}

void add_frames(const model::Tree& tree, Json& manifest) {
  if (tree.frames.chosen.empty()) return;
  manifest["frame_axes"] = model::name_of(tree.frames.axes);
  manifest["frames"] = Json::array();
  for (const model::ChosenFrame& frame : tree.frames.chosen) {
    Json entry{{"name", frame.name}, {"link", tree.links[index(frame.link)].name}};
    entry.update(to_json(frame.placement));
    entry["first_row"] = frame.first_row;
    entry["rows"] = frame.num_rows();
    manifest["frames"].push_back(std::move(entry));
  }
}

std::string c_frames(const model::Tree& tree, const std::string& name) {
  if (tree.frames.chosen.empty()) return "";
  const std::vector<std::string> enumerators = frame_enumerators(tree);
  std::vector<std::string> entries;
  for (std::size_t k = 0; k < enumerators.size(); ++k) {
    entries.push_back("  " + name + "_POSE_OF_" + enumerators[k] + " = " +
                      std::to_string(static_cast<int>(k)));
    entries.push_back("  " + name + "_ROW_OF_" + enumerators[k] + " = " +
                      std::to_string(tree.frames.chosen[k].first_row));
  }
  return render(
      skeleton("c/frames.h"),
      {{"name", name}, {"axes", model::describe(tree.frames.axes)}, {"entries", join(entries, ",\n")}});
}

std::string c_frame_getters(const model::Tree& tree, const std::string& name) {
  if (tree.frames.chosen.empty()) return "";
  std::vector<std::string> names, links, rows, counts;
  for (const model::ChosenFrame& frame : tree.frames.chosen) {
    names.push_back(string_literal(frame.name));
    links.push_back(std::to_string(frame.link));
    rows.push_back(std::to_string(frame.first_row));
    counts.push_back(std::to_string(frame.num_rows()));
  }
  return render(skeleton("c/frames.cpp"), {{"name", name},
                                           {"count", std::to_string(static_cast<int>(names.size()))},
                                           {"rows", std::to_string(tree.frames.num_rows())},
                                           {"names", array_body(names, "\"\"")},
                                           {"axes", std::to_string(static_cast<int>(tree.frames.axes))},
                                           {"links", join(links, ", ")},
                                           {"num_rows", join(counts, ", ")},
                                           {"first_rows", join(rows, ", ")}});
}

}  // namespace featherline::emit
