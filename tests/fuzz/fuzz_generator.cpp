/// Fuzz target of the whole way: bytes -> robot -> read, build, plan, lower, judge by the interpreter, emit. Besides
/// crashes, hangs and sanitizer reports it stops at an InternalError, at emitted numbers that are not finite, and at
/// two runs that differ. With FEATHERLINE_SHOW_ROBOT set it prints each robot and what became of it. The bytes choose
/// among parts of robots, so that nearly every input gets behind the reader.
#include "catalog/functions.hpp"
#include "formats/reader.hpp"
#include "pipeline.hpp"
#include "robot.hpp"
#include "support/diagnostic.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

namespace {

using namespace featherline;

/// Reads choices from the front of the bytes. Behind the end every choice is the first.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  int below(int count) {
    if (used_ == size_) return 0;
    return data_[used_++] % count;
  }
  template <std::size_t n>
  const char* of(const char* const (&list)[n]) {
    return list[below(static_cast<int>(n))];
  }
  /// Once in `count` times.
  bool rarely(int count) { return below(count) == count - 1; }

 private:
  const std::uint8_t* data_;
  std::size_t size_, used_ = 0;
};

constexpr const char* lengths[] = {"0", "0.1", "-0.3", "1", "0.25", "1e-7", "12", "-1e3"};
constexpr const char* angles[] = {"0",   "1.5707963267948966", "-1.5708", "3.141592653589793", "0.3", "-2",
                                  "1e-9"};
constexpr const char* axes[] = {"0 0 1", "1 0 0", "0 -1 0", "1 1 1", "0.6 0 0.8", "0 1e-9 1"};
constexpr const char* masses[] = {"1", "0", "0.001", "25", "1e4", "1e-9"};
constexpr const char* moments[] = {"0.01", "0", "0.5", "1e-5", "30"};
/// A type, and what stands in the joint for a type that URDF lacks.
struct JointKind {
  const char *type, *extension;
};
constexpr JointKind kinds[] = {{"revolute", ""},
                               {"continuous", ""},
                               {"prismatic", ""},
                               {"fixed", ""},
                               {"floating", ""},
                               {"planar", ""},
                               {"floating", "<featherline_joint type=\"spherical\"/>"},
                               {"continuous", "<featherline_joint type=\"cylindrical\"/>"},
                               {"prismatic", "<featherline_joint type=\"helical\" pitch=\"0.02\"/>"},
                               {"continuous", "<featherline_joint type=\"universal\" axis2=\"0 1 0\"/>"}};

std::string triple(Choices& choose, bool turn) {
  std::string text;
  for (int k = 0; k < 3; ++k)
    text += (k > 0 ? " " : "") + std::string(turn ? choose.of(angles) : choose.of(lengths));
  return text;
}

std::string origin(Choices& choose) {
  if (choose.rarely(4)) return "";
  const std::string xyz = triple(choose, false);
  return "<origin xyz=\"" + xyz + "\" rpy=\"" + triple(choose, true) + "\"/>";
}

std::string link(Choices& choose, int k) {
  std::string text = "<link name=\"l" + std::to_string(k) + "\">";
  if (!choose.rarely(5)) {
    text += "<inertial>" + origin(choose) + "<mass value=\"" + choose.of(masses) + "\"/><inertia";
    const std::string moment = choose.of(moments);  // the same three, so that they can be those of a body
    for (const char* entry : {"ixx", "iyy", "izz"}) text += std::string(" ") + entry + "=\"" + moment + "\"";
    for (const char* entry : {"ixy", "ixz", "iyz"}) text += std::string(" ") + entry + "=\"0\"";
    text += "/></inertial>";
  }
  return text + "</link>";
}

/// The joint to link k, from any link before it.
std::string joint(Choices& choose, int k) {
  const JointKind& kind = kinds[choose.below(std::size(kinds))];
  const std::string type = kind.type, name = std::to_string(k);
  std::string text = "<joint name=\"j" + name + "\" type=\"" + type + "\">" + kind.extension;
  text += "<parent link=\"l" + std::to_string(choose.below(k)) + "\"/><child link=\"l" + name + "\"/>" +
          origin(choose);
  if (type != "fixed" && type != "floating") text += std::string("<axis xyz=\"") + choose.of(axes) + "\"/>";
  if (type == "revolute" || type == "prismatic")
    text += "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>";
  if (choose.rarely(4)) text += "<dynamics damping=\"0.2\" friction=\"0.1\"/>";
  if (k > 1 && choose.rarely(5))
    text += "<mimic joint=\"j" + std::to_string(k - 1) + "\" multiplier=\"-2\" offset=\"0.1\"/>";
  return text + "</joint>";
}

std::string robot_text(Choices& choose) {
  const int links = 2 + choose.below(4);
  std::string text = "<robot name=\"fuzz\">" + link(choose, 0);
  for (int k = 1; k < links; ++k) text += link(choose, k) + joint(choose, k);
  return text + "</robot>";
}

void require(bool condition, const std::string& promise) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

void check_files(const Emission& emission) {
  require(!emission.files.empty(), "there are files");
  for (const emit::File& file : emission.files) {
    for (const char* word : {" nan", " inf", "(nan", "(inf", "-nan", "-inf"})
      require(file.content.find(word + std::string(",")) == std::string::npos &&
                  file.content.find(word + std::string(")")) == std::string::npos &&
                  file.content.find(word + std::string(";")) == std::string::npos,
              file.relative_name + " has a number that is not finite");
  }
}

void generate(const std::string& text, const Options& options) {
  Diagnostics findings;
  const description::Description description = formats::read_string(text, "fuzz.urdf", findings);
  stop_on_errors(findings);
  const Robot robot = build_robot(description, options, findings);
  constexpr int most_coordinates = 8;  // under sanitizers second derivatives of more take seconds
  if (robot.tree.nv > most_coordinates) return;
  const Emission first = emit_robot(robot, options), second = emit_robot(robot, options);
  check_files(first);
  for (std::size_t k = 0; k < first.files.size(); ++k)
    require(first.files[k].content == second.files[k].content, "two runs emit the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choose(data, size);
  const auto& functions = catalog::functions();
  Options options;
  const auto& function =
      functions[static_cast<std::size_t>(choose.below(static_cast<int>(functions.size())))];
  options.functions = {function.name};
  options.build.floating_base = choose.below(2) == 1;
  options.build.mimic_independent = choose.rarely(4);
  options.lanes = !choose.rarely(4);
  if (choose.rarely(4)) options.parameters = {"gravity"};
  const std::string text = robot_text(choose);
  const bool show = std::getenv("FEATHERLINE_SHOW_ROBOT") != nullptr;
  if (show) std::printf("%s: %s\n", function.name.c_str(), text.c_str());
  try {
    generate(text, options);
    if (show) std::puts("is emitted");
  } catch (const InputError& error) {  // says what is wrong with the robot
    if (show) std::puts(error.what());
  } catch (const UsageError& error) {
    if (show) std::puts(error.what());
  }
  return 0;
}
