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

TEST_CASE("lanes are part of the type") {
  Graph g;
  const NodeId x = g.input(0, 0);
  const NodeId lanes = g.constant(std::vector<double>{1.0, 2.0, 3.0, 4.0});
  CHECK(g[lanes].lanes == 4);
  CHECK_THROWS_AS(g.node(Op::mul, x, lanes), featherline::InternalError);
  CHECK_THROWS_AS(g.node(Op::broadcast, x), featherline::InternalError);
  const NodeId product = g.node(Op::mul, g.broadcast(x, 4), lanes);
  CHECK(g[product].lanes == 4);
  CHECK(g[g.lane_sum(product)].lanes == 1);
  CHECK(g.broadcast(x, 1) == x);
  CHECK_THROWS_AS(g.broadcast(lanes, 4), featherline::InternalError);
}

TEST_CASE("the first name stays; constants and inputs have none") {
  Graph g;
  const NodeId x = g.input(0, 0), y = g.node(Op::neg, x);
  g.set_name(y, "first");
  g.set_name(y, "second");
  g.set_name(x, "input");
  CHECK(g.node_name(y) == "first");
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
