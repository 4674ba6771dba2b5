#include "passes/simplify.hpp"

#include "ir/interpreter.hpp"
#include "ir/kernel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace featherline::ir;
using namespace featherline::passes;

namespace {

/// A function of eight inputs made of random operations; every fourth value is stored, some negated.
Kernel random_function(unsigned seed, int operations) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  Kernel f;
  f.name = "random";
  f.inputs = {{"x", 8}};
  f.outputs = {{"y", operations}};
  std::vector<Scalar> values;
  for (int i = 0; i < 8; ++i) values.push_back(f.input(0, i));
  for (int i = 0; i < operations; ++i) {
    const Scalar a = values[below(values.size())], b = values[below(values.size())];
    const Scalar scaled = Scalar(0.25 + 0.25 * static_cast<double>(below(8))) * a;
    const std::vector<Scalar> choices{a + b,      a - b,      -a - b,         a * sin(b),
                                      cos(a) * b, scaled - b, sin(a) * cos(b)};
    values.push_back(choices[below(choices.size())]);
    if (below(2) == 0) f.name_value(below(2) == 0 ? values.back() : -values.back(), "value");
    f.store(0, i,
            below(4) == 0 ? -values.back()
            : i % 4 == 0  ? values.back()
                          : Scalar(static_cast<double>(i)));
  }
  return f;
}

void check_same_values(const Kernel& before, const Kernel& after) {
  std::vector<double> x{0.3, -1.2, 0.7, 2.1, -0.4, 1.1, 0.9, -0.8};
  x.resize(static_cast<std::size_t>(before.inputs.front().size));
  const auto y = evaluate(before, {x}).front(), z = evaluate(after, {x}).front();
  for (std::size_t i = 0; i < y.size(); ++i)
    CHECK(std::abs(y[i] - z[i]) <= 1e-12 * std::max(1.0, std::abs(y[i])));
}

Scalar x(Kernel& f, int i) { return f.input(0, i); }

Kernel three_inputs() {
  Kernel f;
  f.inputs = {{"x", 4}};
  f.outputs = {{"y", 2}};
  return f;
}

}  // namespace

TEST_CASE("every pass keeps the meaning of random functions and never adds operations") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Kernel f = random_function(seed, 60);
    for (const auto pass : {order_as_kept, remove_dead_code, round_constants, share_sines, factor_products,
                            mirror_limbs, sink_negations, prefer_positive_names}) {
      const Kernel g = pass(f);
      check_same_values(f, g);
      CHECK(count_cost(g).flops <= count_cost(f).flops);
    }
  }
}

namespace {

// Recursion as deep needs more than the 8 MB of a stack, if a call takes 32 bytes or more.
#ifdef FEATHERLINE_TEST_SANITIZED
constexpr int long_chain = 50'000;
#else
constexpr int long_chain = 400'000;
#endif

/// y = -(... (x0 - x1 + x2 + x3 + x1 + ...)): a negation in front of sums that are used once each.
Kernel chain_of_sums() {
  Kernel f = three_inputs();
  Scalar sum = x(f, 0) - x(f, 1);
  for (int k = 0; k < long_chain; ++k) sum = sum + x(f, 1 + k % 3);
  f.store(0, 0, -sum);
  f.store(0, 1, x(f, 0));
  return f;
}

/// Sums of neighbours in lanes, the last ones first, so that the signs of each are known by those of the one before.
Kernel chain_of_neighbours(int length) {
  Kernel f;
  f.inputs = {{"x", 2 * (length + 1)}};
  f.outputs = {{"y", 2 * length}};
  std::vector<Scalar> values;
  for (int k = 0; k <= length; ++k) values.push_back(sqrt(f.gather(0, {2 * k, 2 * k + 1})) * 1.5);
  for (int k = length; k > 0; --k) {
    const auto i = static_cast<std::size_t>(k);
    const Scalar sum = values[i] + values[i - 1];
    f.scatter(0, {2 * k - 2, 2 * k - 1}, sum);
  }
  return f;
}

}  // namespace

TEST_CASE("chains of 400,000 operations need no deep stack") {
  for (const auto pass : {order_as_kept, remove_dead_code, round_constants, share_sines, factor_products,
                          mirror_limbs, sink_negations, prefer_positive_names}) {
    const Kernel f = chain_of_sums();
    CHECK(count_cost(pass(f)).flops <= count_cost(f).flops);
  }
  const Kernel lanes = chain_of_neighbours(long_chain / 4);
  CHECK(count_cost(mirror_limbs(lanes)).flops <= count_cost(lanes).flops);
}

namespace {

/// Sums of products of a function with lanes, or of one lane of it.
struct LaneFunction {
  int lanes;
  int only;  ///< the lane that is computed as a scalar; -1: all of them, with lanes

  Scalar gather(Kernel& f, int first) const {
    if (only >= 0) return f.input(0, first + only);
    std::vector<int> entries;
    for (int k = 0; k < lanes; ++k) entries.push_back(first + k);
    return f.gather(0, entries);
  }
  Scalar numbers(Kernel& f, std::mt19937& random) const {
    std::vector<double> values;
    for (int k = 0; k < lanes; ++k) values.push_back(0.5 * static_cast<double>(random() % 5) - 1.0);
    return only >= 0 ? Scalar(values[static_cast<std::size_t>(only)]) : lane_numbers(f.graph, values);
  }
  void store(Kernel& f, int first, const Scalar& x) const {
    for (int k = 0; k < lanes; ++k) {
      if (only < 0 || only == k) f.store(0, first + k, only < 0 ? lane(x, k) : x);
    }
  }

  Kernel make(unsigned seed) const {
    std::mt19937 random(seed);
    Kernel f;
    f.inputs = {{"x", 4 * lanes}};
    f.outputs = {{"y", 20 * lanes}};
    std::vector<Scalar> values;
    for (int i = 0; i < 3; ++i) values.push_back(gather(f, i * lanes));
    values.push_back(f.input(0, 3 * lanes));
    for (int i = 0; i < 20; ++i) {
      const Scalar a = values[random() % values.size()], b = values[random() % values.size()];
      const Scalar c = numbers(f, random);
      const std::vector<Scalar> choices{a + b,      a * b - c,   c * a - b,     -a - c * b,
                                        a * sin(b), c * (c + a), cos(a) + c * b};
      values.push_back(choices[random() % choices.size()]);
      store(f, i * lanes, values.back());
    }
    return f;
  }
};

}  // namespace

TEST_CASE("lanes compute what as many scalar functions compute, before and after every pass") {
  constexpr int lanes = 3;
  std::vector<double> x;
  for (int i = 0; i < 4 * lanes; ++i) x.push_back(0.37 * i - 1.9);
  for (unsigned seed = 0; seed < 100; ++seed) {
    Kernel f = LaneFunction{lanes, -1}.make(seed);
    for (const auto pass :
         {order_as_kept, remove_dead_code, share_sines, factor_products, mirror_limbs, sink_negations}) {
      f = pass(f);
      const auto y = evaluate(f, {x}).front();
      for (int k = 0; k < lanes; ++k) {
        const auto z = evaluate(LaneFunction{lanes, k}.make(seed), {x}).front();
        for (int i = k; i < 20 * lanes; i += lanes) {
          const auto e = static_cast<std::size_t>(i);
          CHECK(std::abs(y[e] - z[e]) <= 1e-12 * std::max(1.0, std::abs(z[e])));
        }
      }
    }
  }
}

namespace {

/// The same two values, their parts created in the one order or the other: what a compiler may do with operands.
Kernel two_values(bool left_first) {
  Kernel f;
  f.inputs = {{"x", 4}};
  f.outputs = {{"y", 3}};
  f.graph.merges_reversed_differences = false;
  const auto product = [&](int a, int b) { return f.input(0, a) * f.input(0, b); };
  Scalar left, right;
  for (const bool make_left : {left_first, !left_first}) {
    if (make_left) {
      left = product(0, 1) - f.input(0, 2);
    } else {
      right = f.input(0, 2) - product(1, 0);
    }
  }
  f.keep(left + right * f.input(0, 3));
  f.store(0, 1, sin(f.input(0, 3)) * left);
  f.store(0, 0, left + right * f.input(0, 3));
  f.store(0, 2, right);
  return f;
}

}  // namespace

TEST_CASE("the order of the nodes does not depend on the order in which operands were evaluated") {
  const Kernel f = two_values(true), g = two_values(false);
  CHECK(dump(f) != dump(g));
  CHECK(dump(order_as_kept(f)) == dump(order_as_kept(g)));
  check_same_values(f, order_as_kept(f));
}

TEST_CASE("dead code goes") {
  Kernel f = three_inputs();
  const Scalar dead = x(f, 0) * x(f, 1);
  f.store(0, 0, x(f, 0) + x(f, 2));
  const Kernel g = remove_dead_code(f);
  CHECK(g.graph.size() < f.graph.size());
  CHECK(g.graph.find(Op::mul, 0, 1) == no_node);
  CHECK(dead.id() < f.graph.size());
}

TEST_CASE("a common factor of two products used once is taken out") {
  Kernel f = three_inputs();
  f.store(0, 0, x(f, 0) * x(f, 1) - x(f, 0) * x(f, 2));
  CHECK(count_cost(f).flops == 3);
  CHECK(count_cost(factor_products(f)).flops == 2);
}

TEST_CASE("a common factor is taken out wherever it stands in the two products") {
  // The operands of a product are in the order of their creation: x0 x1, never x1 x0.
  const int places[][4] = {{0, 1, 0, 2}, {1, 2, 0, 1}, {0, 1, 1, 2}, {0, 2, 1, 2}};
  for (const int sign : {1, -1}) {
    for (int k = 0; k < 4; ++k) {
      CAPTURE(sign);
      CAPTURE(k);
      Kernel f = three_inputs();
      for (int i = 0; i < 4; ++i) x(f, i);
      const int* i = places[k];
      const Scalar left = x(f, i[0]) * x(f, i[1]), right = x(f, i[2]) * x(f, i[3]);
      f.store(0, 0, sign > 0 ? left + right : left - right);
      CHECK(count_cost(factor_products(f)).flops == 2);
      check_same_values(f, factor_products(f));
    }
  }
}

TEST_CASE("every pass keeps quotients and roots") {
  Kernel f = three_inputs();
  f.store(0, 0, -(x(f, 0) - x(f, 1)) / (x(f, 2) * x(f, 2)));
  f.store(0, 1, -(Scalar(1.0) / sqrt(x(f, 3) * x(f, 3) + Scalar(1.0))));
  for (const auto pass :
       {remove_dead_code, round_constants, factor_products, sink_negations, prefer_positive_names})
    check_same_values(f, pass(f));
}

TEST_CASE("the sine of an entry that is a lane of another angle is taken from there") {
  Kernel f;
  f.inputs = {{"x", 4}};
  f.outputs = {{"y", 4}};
  f.scatter(0, {0, 1}, sin(f.gather(0, {0, 1})));
  f.store(0, 2, sin(x(f, 1)));
  f.store(0, 3, sin(x(f, 2)));
  const auto sines = [](const Kernel& kernel) {
    int count = 0;
    for (NodeId id = 0; id < kernel.graph.size(); ++id) count += kernel.graph[id].op == Op::sin;
    return count;
  };
  const Kernel g = remove_dead_code(share_sines(f));
  CHECK(sines(f) == 3);
  CHECK(sines(g) == 2);
  check_same_values(f, g);
}

TEST_CASE("a product used elsewhere is not factored: nothing would be saved") {
  Kernel f = three_inputs();
  const Scalar shared = x(f, 0) * x(f, 1);
  f.store(0, 0, shared + x(f, 0) * x(f, 2));
  f.store(0, 1, shared);
  CHECK(count_cost(factor_products(f)).flops == count_cost(f).flops);
}

TEST_CASE("negations sink into differences and constants") {
  Kernel f = three_inputs();
  f.store(0, 0, -(x(f, 0) - x(f, 1)));
  f.store(0, 1, -(Scalar(3.0) * x(f, 2) + x(f, 3)));
  CHECK(count_cost(f).flops == 2 + 3);
  const Kernel g = sink_negations(f);
  CHECK(count_cost(g).flops == 1 + 2);
  check_same_values(f, g);
}

TEST_CASE("limbs that mirror each other are computed without signs") {
  Kernel f;
  f.inputs = {{"x", 8}};
  f.outputs = {{"y", 4}};
  const Scalar sign = lane_numbers(f.graph, {1.0, -1.0, 1.0, -1.0}),
               three = lane_numbers(f.graph, {3.0, -3.0, 3.0, -3.0}), left = f.gather(0, {0, 1, 2, 3}),
               right = f.gather(0, {4, 5, 6, 7});
  const Scalar odd = sign * left, product = odd * right;
  f.name_value(product, "w");
  f.scatter(0, {0, 1, 2, 3}, (product - three * left) * odd);
  const Kernel g = mirror_limbs(f);
  CHECK(count_cost(f).flops == 5);
  CHECK(count_cost(g).flops == 4);
  check_same_values(f, g);
  const std::vector<bool> live = live_nodes(g);
  bool is_named = false;
  for (NodeId id = 0; id < g.graph.size(); ++id) {
    is_named = is_named || g.graph.node_name(id) == "mir_w";
    CHECK(!(live[id] && g.graph.is_constant(id) && g.graph[id].lanes > 1));
  }
  CHECK(is_named);
  REQUIRE(g.mirrored.count("mir_w") == 1);
  CHECK(g.mirrored.at("mir_w") == std::vector<int>{1, 3});
  CHECK(sink_negations(g).mirrored == g.mirrored);
}

TEST_CASE("a negation of a value that is used elsewhere stays") {
  Kernel f = three_inputs();
  const Scalar difference = x(f, 0) - x(f, 1);
  f.store(0, 0, -difference);
  f.store(0, 1, difference);
  CHECK(count_cost(sink_negations(f)).flops == 2);
}

TEST_CASE("constants lose what rounding left, and nothing else") {
  Kernel f = three_inputs();
  f.store(0, 0, Scalar(0.1 + 0.2) * x(f, 0) + Scalar(1.0 / 3.0));
  const Kernel g = round_constants(f);
  std::vector<double> constants;
  for (NodeId id = 0; id < g.graph.size(); ++id)
    if (g.graph.is_constant(id)) constants.push_back(g.graph.value(id));
  CHECK(constants == std::vector<double>{0.3, 1.0 / 3.0});
}

TEST_CASE("constants that cancel leave nothing") {
  CHECK((Scalar(0.1 + 0.2) - Scalar(0.3)).is_zero());
  CHECK((Scalar(0.0153) - Scalar(0.0149)).value() == 0.0004);
}

TEST_CASE("a name loses its minus where signs can move for free") {
  Kernel f = three_inputs();
  const Scalar w = Scalar(2.0) * x(f, 0), y = x(f, 1) - w * x(f, 2);
  f.name_value(-w, "w");  // is what y subtracts a multiple of
  f.store(0, 0, y);
  const Kernel g = prefer_positive_names(f);
  CHECK(count_cost(g).flops == count_cost(f).flops);
  check_same_values(f, g);
  std::vector<std::string> names;
  for (NodeId id = 0; id < g.graph.size(); ++id)
    if (!g.graph.node_name(id).empty()) names.push_back(g.graph.node_name(id));
  CHECK(names == std::vector<std::string>{"w"});
}

TEST_CASE("a name keeps its minus where it would cost an operation") {
  Kernel f = three_inputs();
  const Scalar product = x(f, 0) * x(f, 1);
  f.name_value(-product, "w");
  f.store(0, 0, product + x(f, 2));
  CHECK(prefer_positive_names(f).graph.node_name(product.id()) == "neg_w");
}

TEST_CASE("names and sections survive a pass") {
  Kernel f = three_inputs();
  f.graph.begin_section("link 1");
  const Scalar sum = x(f, 0) + x(f, 1);
  f.name_value(sum, "w1_x");
  f.store(0, 0, sum);
  const Kernel g = remove_dead_code(f);
  CHECK(g.graph.node_name(g.stores.front().value) == "w1_x");
  CHECK(g.graph.sections()[g.graph[g.stores.front().value].section] == "link 1");
}
