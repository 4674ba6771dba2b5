#include "emit/identifiers.hpp"

#include "emit/emit.hpp"

#include <doctest/doctest.h>

#include <set>

using featherline::emit::identifier;
using featherline::emit::Namer;

TEST_CASE("good names stay as they are") {
  for (const char* name : {"upper_arm", "LF_HFE", "UR5", "link1", "x"})
    CHECK(identifier(name, "link") == name);
}

TEST_CASE("foreign characters become single underscores, none in front, none doubled") {
  CHECK(identifier("left-arm.link 2", "link") == "left_arm_link_2");
  CHECK(identifier("__a__b__", "link") == "a_b");
  CHECK(identifier("_Reserved", "link") == "Reserved");
  CHECK(identifier("a\"; system(\"x\");//", "link") == "a_system_x");
  CHECK(identifier("bra\xC3\xA7o", "link") == "bra_o");
}

TEST_CASE("names without a letter fall back") {
  CHECK(identifier("", "robot") == "robot");
  CHECK(identifier("\xE6\x9C\xBA", "robot") == "robot");
  CHECK(identifier("3dof", "robot") == "robot_3dof");
  CHECK(identifier("\n\t", "link") == "link");
}

TEST_CASE("keywords, library names and macros give way") {
  CHECK(identifier("double", "link") == "double_link");
  CHECK(identifier("std", "robot") == "std_robot");
  CHECK(identifier("sincos", "robot") == "sincos_robot");
  CHECK(identifier("NULL", "link") == "NULL_link");
  CHECK(identifier("M_PI", "link") == "M_PI_link");
  CHECK(identifier("detail", "robot") == "detail_robot");
  CHECK(featherline::emit::emitted_name("featherline") == "featherline_robot");
}

TEST_CASE("long names are cut and told apart by a hash") {
  const std::string a(10000, 'a');
  const std::string b = a + "b";
  CHECK(identifier(a, "link").size() == 64);
  CHECK(identifier(a, "link") != identifier(b, "link"));
  CHECK(identifier(a, "link") == identifier(a, "link"));
  const std::string underscores = std::string(54, 'a') + "_" + std::string(100, 'b');
  CHECK(identifier(underscores, "link").find("__") == std::string::npos);
}

TEST_CASE("a namer never gives a name twice") {
  Namer namer("link");
  std::set<std::string> given;
  for (const char* name : {"a", "a", "a_2", "a b", "a_b", "a-b", "a", "", "", "\xC3\xA9", "t1"}) {
    CHECK(given.insert(namer.take(name)).second);
  }
  CHECK(given.count("a") == 1);
  CHECK(given.count("a_2") == 1);
  CHECK(namer.take_temporary() == "t2");
}

TEST_CASE("reserved names are not given out") {
  Namer namer("value");
  namer.reserve("tau");
  CHECK(namer.take("tau") == "tau_2");
}

TEST_CASE("no enumerator has the name of one of the header's constants") {
  featherline::model::UserTree tree;
  for (const char* name :
       {"nq", "nv", "num_links", "num_joints", "joints", "joint_names", "link_names", "arm"}) {
    featherline::model::Link link;
    link.name = name;
    tree.links.push_back(link);
  }
  const std::vector<std::string> names = featherline::emit::link_enumerators(tree);
  CHECK(names.back() == "arm");
  for (std::size_t i = 0; i + 1 < names.size(); ++i) CHECK(names[i] == tree.links[i].name + "_2");
}
