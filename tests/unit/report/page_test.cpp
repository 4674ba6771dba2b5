// The page of `inspect --format=html` as text. tests/browser opens it in a browser.
#include "../cli/run_featherline.hpp"
#include "report/report.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace featherline;
using test::contains;
using test::run_featherline;

namespace {

const std::string every_joint = "tests/browser/every_joint.urdf";

std::string page_of(const std::string& urdf, std::vector<std::string> flags = {}) {
  flags.insert(flags.begin(), {"inspect", urdf, "--format=html"});
  const test::Answer answer = run_featherline(flags);
  REQUIRE(answer.exit_code == 0);
  return answer.out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Json scene_of(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"robot\">";
  const std::size_t begin = page.find(start) + start.size();
  return read_json(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace

TEST_CASE("all our robots have a small page, with all names and no address of a network") {
  for (const auto& entry : std::filesystem::directory_iterator("robots")) {
    if (entry.path().extension() != ".urdf") continue;
    CAPTURE(entry.path().string());
    // One function, because generate and the tests of the matrices have the others.
    const std::string page = page_of(entry.path().string(), {"--functions", "rnea,mass_matrix"});
    CHECK(page.size() < 200'000);
    CHECK(page.rfind("<!DOCTYPE html>", 0) == 0);
    CHECK(contains(page, "default-src 'none'"));
    CHECK(count(page, "://") == 1);  // the name space of SVG, which nobody opens
    for (const char* before : {">", " ", "\"", ",", "(", "-"})
      CHECK_FALSE(contains(page, std::string(before) + "nan"));
    const auto described =
        read_json(run_featherline({"inspect", entry.path().string(), "--format=json"}).out);
    const Json scene = scene_of(page);
    REQUIRE(scene["bodies"].size() == described["bodies"].size());
    for (const Json& body : described["bodies"])
      CHECK(contains(page, ">" + body["joint"]["name"].get<std::string>()));
    for (const Json& link : described["links"]) CHECK(contains(page, ">" + link["name"].get<std::string>()));
  }
}

TEST_CASE("the same bytes in every run") {
  CHECK(page_of("robots/arm6.urdf") == page_of("robots/arm6.urdf"));
}

TEST_CASE("names are escaped in HTML and in the script's data") {
  const std::string page = page_of(every_joint, {"--functions", "gravity"});
  CHECK(count(page, "</script>") == 3);
  CHECK(count(page, "<script") == 3);
  CHECK_FALSE(contains(page, "<b id"));
  CHECK_FALSE(contains(page, "<img"));
  CHECK_FALSE(contains(page, "<!--"));
  CHECK(contains(page, "&lt;/script&gt;&lt;b id=&#39;hostile&#39;&gt;turn&lt;/b&gt;"));
  const Json scene = scene_of(page);
  CHECK(scene["bodies"][1]["joint"] == "</script><b id='hostile'>turn</b>");
  CHECK(scene["bodies"][1]["name"] == "a'b\\\"c&d<!--");
}

TEST_CASE("escaping") {
  CHECK(escape_html("<a href='x' b=\"y\">&amp;") == "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;amp;");
  CHECK(shown_name("arm \xC3\xA4") == "arm \xC3\xA4");
  CHECK(shown_name("two\nlines") == "two\\nlines");
  CHECK(shown_name(std::string(60, 'a') + std::string(60, 'b')) ==
        std::string(40, 'a') + "..." + std::string(20, 'b') + " (120 bytes)");
  const std::string json = print_script_json(Json{{"</script>", "<!-- & \xE2\x80\xA8 \xFF"}});
  CHECK(json.find_first_of("<>&") == std::string::npos);
  CHECK(std::all_of(json.begin(), json.end(), [](char c) { return c >= 0x20 && c < 0x7F; }));
  CHECK(read_json(json)["</script>"] == "<!-- & \xE2\x80\xA8 \xEF\xBF\xBD");
}

TEST_CASE("every joint type: motions, sliders, velocities") {
  const Json scene = scene_of(page_of(every_joint, {"--functions", "gravity"}));
  const auto motions = [&](const std::string& joint) {
    std::string text;
    for (const Json& body : scene["bodies"]) {
      if (body["joint"] != joint) continue;
      for (const Json& motion : body["motions"])
        text += motion["kind"].get<std::string>() + motion["q"].dump() + " ";
    }
    return text;
  };
  CHECK(motions("plane") == "slide0 slide1 turn2 ");
  CHECK(motions("ball") == "quaternion5 ");
  CHECK(motions("screw") == "screw9 ");
  CHECK(motions("sleeve") == "turn10 slide11 ");
  CHECK(motions("cross") == "turn12 turn13 ");
  CHECK(motions("loose") == "slide14 slide15 slide16 quaternion17 ");
  CHECK(motions("follower") == "turn4 ");
  CHECK(scene["velocities"].size() == scene["nv"]);
  // One for each entry of q, but three for four of a quaternion.
  CHECK(scene["sliders"].size() == scene["nq"].get<std::size_t>() - 2);
  for (const Json& slider : scene["sliders"]) {
    if (slider["q"] != 3) continue;
    CHECK(slider["lower"] == 0.2);
    CHECK(slider["upper"] == 1.4);
  }
}

TEST_CASE("tables: limits, couplings, impossible inertias, findings") {
  const std::string page = page_of(every_joint, {"--functions", "gravity"});
  CHECK(contains(page, "-2.5 × lift + 0.3"));
  CHECK(contains(page, "<b>⚠ no:</b> one principal moment is larger than the sum of the other two"));
  CHECK(contains(page, "every_joint.urdf:"));
  CHECK_FALSE(contains(page, "tests/browser/every_joint.urdf"));  // no folders
  CHECK(contains(page, "1 warning, 0 notes"));
}

TEST_CASE("findings of a kind stand on the page each by itself, too") {
  const std::string page = page_of("tests/errors/cases/warnings_of_a_kind.urdf", {"--functions", "gravity"});
  const test::Answer full =
      run_featherline({"inspect", "tests/errors/cases/warnings_of_a_kind.urdf", "--diagnostics", "full"});
  CHECK(count(page, "<li class=\"") + count(page, "<li>line ") ==
        count(full.err, ": warning: ") + count(full.err, ": note: "));
  CHECK(count(page, "<summary>each by itself</summary>") > 0);
}

TEST_CASE("functions that a robot cannot have are left out with a finding on the page") {
  cli::TemporaryFolder folder;
  const std::string file = (folder.path() / "light.urdf").string();
  test::write_text(file, R"(<robot name="light"><link name="a"/><link name="b"/>
    <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>)");
  const std::string page = page_of(file);
  CHECK(contains(page, "<code>rnea</code>"));
  CHECK_FALSE(contains(page, "<td>minv"));
  CHECK(contains(page, "the mass matrix is singular"));
}

TEST_CASE("frames and functions of the user") {
  const std::string page =
      page_of("robots/arm6.urdf", {"--frames", "tip=flange@0,0,0.1", "--functions", "frame_poses"});
  const Json scene = scene_of(page);
  REQUIRE(scene["frames"].size() == 1);
  CHECK(scene["frames"][0]["name"] == "tip");
  CHECK(contains(page, "<code>frame_poses</code>"));
  CHECK_FALSE(contains(page, "<code>rnea</code>"));
}

TEST_CASE("what is refused") {
  const test::Answer several =
      run_featherline({"inspect", test::planar3, "robots/arm6.urdf", "--format=html"});
  CHECK(several.exit_code == 2);
  CHECK(several.out.empty());
  CHECK(
      contains(several.err, "--format html makes one page, for one robot; 2 are given: run them one by one"));
  const test::Answer text = run_featherline({"inspect", test::planar3, "--functions", "rnea"});
  CHECK(text.exit_code == 2);
  CHECK(
      contains(text.err, "--functions of inspect is for --format html; add that, or leave --functions out"));
  const test::Answer missing = run_featherline({"inspect", "no/such.urdf", "--format=html"});
  CHECK(missing.exit_code == 1);
  CHECK(missing.out.empty());
  const test::Answer unknown = run_featherline({"inspect", test::planar3, "--format=htm"});
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.err, "did you mean \"html\"?"));
}

TEST_CASE("a trajectory: columns in any order, at most sixty states a second, and what is refused") {
  const cli::TemporaryFolder folder;
  const std::string file = (folder.path() / "log.csv").string(), arm = test::planar3;
  const auto run = [&](const std::string& text) {
    cli::write_files({{file, text}});
    return run_featherline({"inspect", arm, "--format=html", "--functions", "gravity", "--trajectory", file});
  };
  const auto part = [](const test::Answer& answer) {
    const std::string start = "<script type=\"application/json\" id=\"trajectory\">";
    const std::size_t begin = answer.out.find(start) + start.size();
    return answer.out.substr(begin, answer.out.find("</script>", begin) - begin);
  };
  const std::string names = "t,v:joint1,\"q:joint3\",q:joint1,q:joint2,tau:joint1\r\n";
  CHECK(part(run(names + "0,9,3,1,2,\n0.001,9,3,1,2,\n0.5,9,3.5,1e-3,-2,\n")) ==
        R"({"t":[0.0,0.5],"q":[[1.0,2.0,3.0],[0.001,-2.0,3.5]]})");
  CHECK(contains(page_of(arm, {"--functions", "gravity"}), "id=\"trajectory\">null<"));
  const auto refuses = [&](const std::string& text, const std::string& message) {
    const test::Answer answer = run(text);
    CAPTURE(answer.err);
    CHECK(answer.exit_code == 1);
    CHECK(answer.out.empty());
    CHECK(contains(answer.err, file + message));
  };
  refuses("", ": error: the trajectory has no state; give a file that save_csv()");
  refuses(names, ": error: the trajectory has no state");
  refuses("t,q:joint1,q:joint2\n0,1,2\n", ":1: error: there is no column \"q:joint3\"");
  refuses("q:joint1,q:joint2,q:joint3\n0,1,2\n", ":1: error: there is no column \"t\"");
  refuses("t,q:joint1,q:joint2,q:joint3,q:joint4\n0,1,2,3,4\n",
          ":1: error: the robot has no coordinate for the column \"q:joint4\"");
  refuses(names + "0,9,3,1,2,\n0.1,9,3,nan,2,\n",
          ":3: error: \"nan\" in the column \"q:joint1\" is not a finite number");
  refuses(names + "0,9,,1,2,\n", ":2: error: \"\" in the column \"q:joint3\" is not a finite number");
  refuses(names + "0,9,3,1,2\n", ":2: error: 5 columns where the first line names 6");
  refuses(names + "0.1,9,3,1,2,\n0.1,9,3,1,2,\n", ":3: error: t does not grow");
  const test::Answer missing =
      run_featherline({"inspect", arm, "--format=html", "--trajectory", "no/such.csv"});
  CHECK(missing.exit_code == 1);
  CHECK(contains(missing.err, ": error: the file cannot be read"));
  CHECK(run_featherline({"inspect", arm, "--trajectory", file}).exit_code == 2);
}

TEST_CASE("the tree: a chain stays in its column, branches move to the next one, long names are cut") {
  model::Tree tree;
  for (const int parent : {-1, 0, 1, 1}) {
    model::Body body;
    body.name = std::string(100, 'n') + "<";
    body.parent = parent;
    body.inertia.mass = 1.0;
    tree.bodies.push_back(body);
  }
  const std::string svg = report::tree_picture(tree);
  CHECK(count(svg, "<circle class=\"body\" cx=\"22\"") == 2);
  CHECK(count(svg, "<circle class=\"body\" cx=\"58\"") == 2);
  CHECK(contains(svg, "…<title>"));
  CHECK_FALSE(contains(svg, "n<"));
}
