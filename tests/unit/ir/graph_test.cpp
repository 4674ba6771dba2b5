#include "ir/graph.hpp"

#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

using namespace featherline::ir;

TEST_CASE("constants are shared by value, and minus zero is zero") {
  Graph g;
  CHECK(g.constant(1.5) == g.constant(1.5));
  CHECK(g.constant(-0.0) == g.constant(0.0));
  CHECK(g.constant(1.0) != g.constant(1.0 + 1e-16 * 3));
  CHECK(g.value(g.constant(-2.5)) == -2.5);
}

TEST_CASE("operands come before their users") {
  Graph g;
  const NodeId a = g.input(0, 0), b = g.input(0, 1);
  const NodeId sum = g.node(Op::add, a, b);
  CHECK(a < sum);
  CHECK(b < sum);
  CHECK(g.find(Op::add, a, b) == sum);
  CHECK(g.find(Op::mul, a, b) == no_node);
}

TEST_CASE("lanes are part of the type; a scalar goes with any") {
  Graph g;
  const NodeId x = g.input(0, 0);
  const NodeId four = g.constant(std::vector<double>{1.0, 2.0, 3.0, 4.0}), two = g.gather(0, {1, 2});
  CHECK(g[four].lanes == 4);
  CHECK(g[g.node(Op::mul, x, four)].lanes == 4);
  CHECK(g[g.lane_sum(four)].lanes == 1);
  CHECK(g[g.lane(two, 1)].lanes == 1);
  CHECK(g.lane_sum(x) == x);
  CHECK(g.lane(x, 3) == x);
  CHECK_THROWS_AS(g.node(Op::mul, two, four), featherline::InternalError);
  CHECK_THROWS_AS(g.node(Op::lane_sum, four), featherline::InternalError);
}

TEST_CASE("what is the same in all lanes is a scalar") {
  Graph g;
  CHECK(g.constant(std::vector<double>{2.0, 2.0}) == g.constant(2.0));
  CHECK(g.gather(0, {3, 3}) == g.input(0, 3));
  CHECK(g.gather(0, {3, 4}) == g.gather(0, {3, 4}));
  CHECK(g.gather(0, {3, 4}) != g.gather(1, {3, 4}));
}

TEST_CASE("the first name stays; numbers and inputs have none") {
  Graph g;
  const NodeId x = g.input(0, 0), y = g.node(Op::neg, x);
  g.set_name(y, "first");
  g.set_name(y, "second");
  g.set_name(x, "input");
  CHECK(g.node_name(y) == "first");
  CHECK(g.labels(y) == std::vector<std::string>{"first", "second"});
  CHECK(g.node_name(x).empty());
}

TEST_CASE("nodes remember the section they were made in") {
  Graph g;
  const NodeId x = g.input(0, 0);
  g.begin_section("link 1");
  const NodeId y = g.node(Op::neg, x);
  CHECK(g.sections()[g[x].section].empty());
  CHECK(g.sections()[g[y].section] == "link 1");
}
