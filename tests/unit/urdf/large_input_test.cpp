#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <string>

using namespace featherline;

/// Sizes far beyond any robot: each must end in an answer, soon, and without deep recursion.
namespace {

#ifdef FEATHERLINE_TEST_SANITIZED
constexpr int many = 10000;
constexpr std::size_t megabytes = 1'000'000;
#else
constexpr int many = 100000;
constexpr std::size_t megabytes = 2'500'000;
#endif

/// Checks at the end of its scope that the work took seconds of processor time; quadratic work takes minutes.
class SecondsOfWork {
 public:
  SecondsOfWork() = default;
  ~SecondsOfWork() { CHECK(static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC < 20.0); }
  SecondsOfWork(const SecondsOfWork&) = delete;
  SecondsOfWork& operator=(const SecondsOfWork&) = delete;

 private:
  std::clock_t start_ = std::clock();
};

std::string chain(int links, const char* type) {
  std::string text = "<robot name='chain'>\n<link name='l0'/>\n";
  for (int i = 1; i < links; ++i) {
    const std::string name = std::to_string(i);
    text += "<link name='l" + name +
            "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
            "izz='1'/></inertial></link>\n<joint name='j" +
            name + "' type='" + type +
            "'><origin xyz='0 0 0.1'/>"
            "<parent link='l" +
            std::to_string(i - 1) + "'/><child link='l" + name + "'/><axis xyz='0 0 1'/></joint>\n";
  }
  return text + "</robot>\n";
}

std::string repeated(const std::string& part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

Diagnostics findings_about(const std::string& text) {
  Diagnostics findings;
  const auto robot = formats::read_string(text, "large.urdf", findings);
  if (!findings.has_errors()) model::build_tree(robot, {}, findings);
  return findings;
}

}  // namespace

TEST_CASE("a chain of 100,000 links becomes a tree, moving or welded") {
  const SecondsOfWork work;
  for (const char* type : {"continuous", "fixed"}) {
    Diagnostics findings;
    const auto robot = formats::read_string(chain(many, type), "chain.urdf", findings);
    INFO(type, "\n", format_text(findings).substr(0, 2000));
    REQUIRE_FALSE(findings.has_errors());
    CHECK(robot.links.size() == many);
    const auto tree = model::build_tree(robot, {}, findings);
    CHECK_FALSE(findings.has_errors());
    CHECK(tree.nv == (type == std::string("fixed") ? 0 : many - 1));
  }
}

TEST_CASE("a loop of 100,000 links is reported once") {
  const SecondsOfWork work;
  std::string text = chain(many, "continuous");
  text.replace(text.find("</robot>"), 9,
               "<joint name='back' type='fixed'><parent link='l" + std::to_string(many - 1) +
                   "'/><child link='l0'/></joint></robot>");
  const Diagnostics findings = findings_about(text);
  CHECK(findings.count(Severity::error) == 1);
}

TEST_CASE("a mimic circle of 100,000 joints is reported once") {
  const SecondsOfWork work;
  std::string text = "<robot name='r'><link name='l0'/>";
  for (int i = 1; i < many; ++i) {
    const std::string name = std::to_string(i), next = std::to_string(i + 1 == many ? 1 : i + 1);
    text += "<link name='l" + name + "'/><joint name='j" + name +
            "' type='continuous'><parent link='l0'/><child link='l" + name +
            "'/><axis xyz='1 0 0'/><mimic joint='j" + next + "'/></joint>";
  }
  const Diagnostics findings = findings_about(text + "</robot>");
  CHECK(findings.count(Severity::error) == 1);
}

TEST_CASE("megabytes of anything end in an answer") {
  const SecondsOfWork work;
  const std::string parts[] = {"<link/>",
                               "<link name='a'/>",
                               "<joint name='a' type='fixed'><parent link='a'/><child link='a'/></joint>",
                               "<unknown a='1'/>",
                               "<a>",
                               "</a>",
                               "&amp;",
                               "<!a>",
                               "<!---->",
                               "<",
                               " ",
                               "<![CDATA[]]>",
                               "<link name='a'><inertial><mass value='x'/></inertial></link>",
                               "<gazebo><a><b/></a></gazebo>"};
  for (const std::string& part : parts) {
    INFO(part);
    const Diagnostics findings = findings_about("<robot name='r'>" + repeated(part, megabytes) + "</robot>");
    CHECK(findings.has_errors());
    CHECK(findings.all().size() <= 3 * Diagnostics::most_kept);
  }
}

TEST_CASE("megabytes in one attribute, one name, one list of attributes") {
  const SecondsOfWork work;
  const std::string begin = "<robot name='r'><link name='a'/>";
  CHECK(findings_about("<robot name='" + std::string(megabytes, 'n') + "'></robot>").has_errors());
  CHECK(findings_about(begin + "<joint name='j' type='" + std::string(megabytes, 't') + "'/></robot>")
            .has_errors());
  CHECK(findings_about(begin + "<link name='b'><inertial><origin xyz='" + repeated("1 ", megabytes) +
                       "'/></inertial></link></robot>")
            .has_errors());
  std::string attributes;
  for (int i = 0; attributes.size() < megabytes; ++i) attributes += " a" + std::to_string(i) + "='1'";
  CHECK(findings_about(begin + "<link" + attributes + "/></robot>").has_errors());
}
