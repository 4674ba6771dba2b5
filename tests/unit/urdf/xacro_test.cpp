// Files of xacro, by a stub in place of the tool (xacro_stub.sh).
#include "formats/reader.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace featherline;
using description::Description;

namespace {

class XacroFiles {
 public:
  XacroFiles() {
    std::filesystem::create_directories(folder);
    use("tests/unit/urdf/xacro_stub.sh");
    write("a part.xacro", "<link name=\"hand\"><inertial><mass value=\"$(arg mass)\"/></inertial></link>\n");
    write("arm.urdf.xacro",
          "<robot name=\"$(arg name)\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n"
          "<xacro:include filename=\"a part.xacro\"/>\n</robot>\n");
  }
  ~XacroFiles() {
    unsetenv("FEATHERLINE_XACRO");
    std::filesystem::remove_all(folder);
  }
  static void use(const char* tool) { setenv("FEATHERLINE_XACRO", tool, 1); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

  /// What was found stands in `said`, without the folder's name.
  Description read(const std::string& name, const std::string& arguments) {
    Diagnostics findings;
    Description robot =
        formats::read_file((folder / name).string(), findings, formats::UnknownWords::refused, arguments);
    said = format_text(findings);
    const std::string prefix = folder.string() + "/";
    for (std::size_t at = 0; (at = said.find(prefix)) != said.npos;) said.erase(at, prefix.size());
    return robot;
  }

  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "featherline xacro test";
  std::string said;
};

}  // namespace

TEST_CASE_FIXTURE(XacroFiles,
                  "a file of xacro is expanded, with its arguments, and depends on what xacro read") {
  const Description robot = read("arm.urdf.xacro", "name:=left_arm mass:=2.5");
  CHECK(robot.name == "left_arm");
  REQUIRE(robot.links.size() == 1);
  CHECK(robot.links[0].inertial->mass == 2.5);
  CHECK(robot.other_files == std::vector<std::string>{(folder / "a part.xacro").string()});
  CHECK(robot.file == (folder / "arm.urdf.xacro").string());
  INFO(said);
  CHECK(said.find("arm.urdf.xacro: note: lines are those of the expanded text, which `xacro arm.urdf.xacro > "
                  "arm.urdf` writes") != said.npos);
  std::filesystem::rename(folder / "arm.urdf.xacro", folder / "arm.urdf");
  CHECK(read("arm.urdf", "name:=arm mass:=1").links.size() == 1);  // its text says what it is
}

TEST_CASE_FIXTURE(XacroFiles, "errors are those of xacro") {
  read("arm.urdf.xacro", "name:=arm");
  CHECK(said ==
        "arm.urdf.xacro: error: xacro failed: error: Undefined substitution argument; when processing file: "
        "arm.urdf.xacro; correct the file, or what --xacro-args gives it\n");
}

TEST_CASE_FIXTURE(XacroFiles, "without the tool, what is left for it is an error") {
  use("/nowhere/xacro");
  read("arm.urdf.xacro", "");
  CHECK(said ==
        "arm.urdf.xacro:1: error: <robot name=\"$(arg name)\">: this is a xacro file, not yet a URDF; run "
        "`xacro "
        "arm.urdf.xacro > arm.urdf` and give its result\n");
}

TEST_CASE_FIXTURE(XacroFiles, "arguments for xacro need a file for it; an expanded one is none") {
  write("arm.urdf",
        "<robot name=\"a\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"/></robot>");
  use("false");  // is not called
  read("arm.urdf", "");
  CHECK(said.find("error") == said.npos);
  read("arm.urdf", "a:=1");
  CHECK(said.find("arm.urdf: error: --xacro-args is given, and this is no file for xacro; leave it out") !=
        said.npos);
}
