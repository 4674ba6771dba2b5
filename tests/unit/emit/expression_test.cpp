#include "emit/expression.hpp"

#include "emit/kernel_printer.hpp"
#include "support/diagnostic.hpp"

#include <doctest/doctest.h>

using namespace featherline;
using ir::NodeId;
using ir::Op;

namespace {

/// A kernel of one straight line over x[3] -> y[...] in which every operation is printed inside its user, except
/// those given a statement with define().
class Builder {
 public:
  Builder() {
    kernel_.name = "f";
    kernel_.inputs = {{"x", 3}};
  }

  ir::Graph& graph() { return kernel_.graph; }
  NodeId x(int entry) { return graph().input(0, entry); }
  NodeId node(Op op, NodeId a, NodeId b = ir::no_node) { return graph().node(op, a, b); }

  void define(NodeId id) {
    line_.statements.push_back({id, -1});
    defined_.push_back(id);
  }
  void store(NodeId id) {
    const int entry = static_cast<int>(kernel_.stores.size());
    kernel_.stores.push_back({0, entry, id});
    line_.statements.push_back({id, entry});
  }
  void angle(NodeId id) { angles_.push_back(id); }

  ir::Kernel take() {
    kernel_.outputs = {{"y", static_cast<int>(kernel_.stores.size())}};
    kernel_.inlined.assign(graph().size(), true);
    for (const NodeId id : defined_) kernel_.inlined[id] = false;
    if (!angles_.empty()) kernel_.steps.emplace_back(ir::SinCos{angles_});
    kernel_.steps.emplace_back(line_);
    return std::move(kernel_);
  }

 private:
  ir::Kernel kernel_;
  ir::StraightLine line_;
  std::vector<NodeId> angles_, defined_;
};

std::string body(Builder& builder) { return emit::print_kernel(builder.take(), "f").body; }

}  // namespace

TEST_CASE("parentheses keep the tree and no more") {
  Builder b;
  const NodeId x0 = b.x(0), x1 = b.x(1), x2 = b.x(2);
  b.store(b.node(Op::sub, x0, b.node(Op::sub, x1, x2)));
  b.store(b.node(Op::sub, b.node(Op::sub, x0, x1), x2));
  b.store(b.node(Op::mul, x2, b.node(Op::add, x0, x1)));
  b.store(b.node(Op::div, x0, b.node(Op::mul, x1, x2)));
  b.store(b.node(Op::div, b.node(Op::div, x0, x1), x2));
  b.store(b.node(Op::neg, b.node(Op::add, x0, x1)));
  b.store(b.node(Op::sub, x0, b.node(Op::neg, x1)));
  b.store(b.node(Op::neg, b.node(Op::neg, x1)));
  const std::string text = body(b);
  CHECK(text.find("y[0] = x[0] - (x[1] - x[2]);") != std::string::npos);
  CHECK(text.find("y[1] = x[0] - x[1] - x[2];") != std::string::npos);
  CHECK(text.find("(x[0] + x[1])") != std::string::npos);
  CHECK(text.find("y[3] = x[0] / (x[1] * x[2]);") != std::string::npos);
  CHECK(text.find("y[4] = x[0] / x[1] / x[2];") != std::string::npos);
  CHECK(text.find("y[5] = -(x[0] + x[1]);") != std::string::npos);
  CHECK(text.find("y[6] = x[0] - (-x[1]);") != std::string::npos);
  CHECK(text.find("y[7] = -(-x[1]);") != std::string::npos);
}

TEST_CASE("labels name values; the others are t1, t2, ... in order, and nothing clashes") {
  Builder b;
  const NodeId sum = b.node(Op::add, b.x(0), b.x(1));
  const NodeId product = b.node(Op::mul, sum, b.x(2));
  const NodeId square = b.node(Op::mul, product, product), other = b.node(Op::mul, product, sum);
  const NodeId last = b.node(Op::add, square, other);
  b.graph().set_name(sum, "w2_z");
  b.graph().set_name(square, "t1");
  b.graph().set_name(other, "v3_x");
  b.graph().set_name(last, "x");
  for (const NodeId id : {sum, product, square, other, last}) b.define(id);
  b.store(last);
  const std::string text = body(b);
  CHECK(text ==
        "  const S w2_z = x[0] + x[1];\n"
        "  const S t2 = w2_z * x[2];\n"
        "  const S t1 = t2 * t2;\n"
        "  const S v3_x = t2 * w2_z;\n"
        "  const S x_2 = t1 + v3_x;\n"
        "  y[0] = x_2;");
}

TEST_CASE("equal quantities are one value, which tells its other names") {
  Builder b;
  const NodeId sum = b.node(Op::add, b.x(0), b.x(1));
  for (const char* name : {"w2_z", "w3_z", "w2_z", "neg_u/1"}) b.graph().set_name(sum, name);
  b.define(sum);
  b.store(sum);
  CHECK(body(b) ==
        "  const S w2_z = x[0] + x[1];  // also w3_z, neg_u_1\n"
        "  y[0] = w2_z;");
}

TEST_CASE("without a label: a hint, the entry, minus another name, or a part of what it is used in") {
  Builder b;
  const NodeId sum = b.node(Op::add, b.x(0), b.x(1)), stored = b.node(Op::mul, sum, b.x(2));
  const NodeId minus = b.node(Op::neg, stored), square = b.node(Op::mul, minus, stored);
  const NodeId quotient = b.node(Op::div, square, b.x(2));
  const NodeId xx = b.node(Op::mul, quotient, b.x(0)), xy = b.node(Op::mul, quotient, b.x(1));
  b.graph().set_hint(sum, "y_2");
  b.graph().set_name(xx, "neg_J3_xx");
  b.graph().set_name(xy, "J3_xy");
  for (const NodeId id : {sum, stored, minus, square, quotient, xx, xy}) b.define(id);
  b.store(stored);
  b.store(b.node(Op::add, xx, xy));
  CHECK(body(b) ==
        "  const S y_2 = x[0] + x[1];\n"
        "  const S y_0 = y_2 * x[2];\n"
        "  const S neg_y_0 = -y_0;\n"
        "  const S J3_part = neg_y_0 * y_0;\n"
        "  const S J3_part_2 = J3_part / x[2];\n"
        "  const S neg_J3_xx = J3_part_2 * x[0];\n"
        "  const S J3_xy = J3_part_2 * x[1];\n"
        "  y[0] = y_0;\n"
        "  y[1] = neg_J3_xx + J3_xy;");
}

TEST_CASE("sections are announced once, in comments nobody can leave") {
  Builder b;
  b.graph().begin_section("link 1 \"a\"\nint injected;\\");
  const NodeId sum = b.node(Op::add, b.x(0), b.x(1));
  b.graph().begin_section("link 2");
  const NodeId product = b.node(Op::mul, sum, sum);
  b.define(sum);
  b.define(product);
  b.store(sum);
  b.store(product);
  CHECK(body(b) ==
        "  // ---- link 1 \"a\"_int injected;| ----\n"
        "  const S y_0 = x[0] + x[1];\n"
        "  // ---- link 2 ----\n"
        "  const S y_1 = y_0 * y_0;\n"
        "  // ---- link 1 \"a\"_int injected;| ----\n"
        "  y[0] = y_0;\n"
        "  // ---- link 2 ----\n"
        "  y[1] = y_1;");
}

TEST_CASE("a sweep is announced before its sections, long titles go on in the next line") {
  Builder b;
  b.graph().begin_section("body 1", "motion");
  const NodeId sum = b.node(Op::add, b.x(0), b.x(1));
  b.graph().begin_section("body 2 " + std::string(90, 'n') + " joint", "motion");
  const NodeId product = b.node(Op::mul, sum, sum);
  b.graph().begin_section("factor");
  const NodeId square = b.node(Op::mul, product, product);
  for (const NodeId id : {sum, product, square}) b.define(id);
  b.store(square);
  CHECK(body(b) ==
        "  // ==== motion ====\n"
        "  // ---- body 1 ----\n"
        "  const S y_0_part = x[0] + x[1];\n"
        "  // ---- body 2 " +
            std::string(90, 'n') +
            "\n"
            "  //      joint ----\n"
            "  const S y_0_part_2 = y_0_part * y_0_part;\n"
            "  // ---- factor ----\n"
            "  const S y_0 = y_0_part_2 * y_0_part_2;\n"
            "  y[0] = y_0;");
}

TEST_CASE("sines and cosines with a label have names") {
  Builder b;
  b.angle(b.x(0));
  b.angle(b.x(1));
  const NodeId s0 = b.node(Op::sin, b.x(0)), c0 = b.node(Op::cos, b.x(0)), c1 = b.node(Op::cos, b.x(1));
  b.graph().set_name(s0, "s_elbow/left");
  b.graph().set_name(c0, "c_elbow/left");
  b.graph().set_name(c1, "c_wrist");
  b.store(b.node(Op::mul, s0, c1));
  CHECK(body(b) ==
        "  S sn[2], cs[2];\n"
        "  featherline::sincos<2>(x, sn, cs);\n"
        "  const S &s_elbow_left = sn[0];\n"
        "  const S &c_wrist = cs[1];\n"
        "  y[0] = s_elbow_left * c_wrist;");
}

TEST_CASE("what is stored is told by name, above the line where there is no room") {
  Builder b;
  b.store(b.x(0));
  b.store(b.x(1));
  const emit::EntryNames names = [](int output, int entry) {
    return entry == 0 ? "elbow " + std::to_string(output) : std::string(100, 'n');
  };
  CHECK(emit::print_kernel(b.take(), "f", names).body ==
        "  y[0] = x[0];  // elbow 0\n"
        "  // " +
            std::string(100, 'n') +
            "\n"
            "  y[1] = x[1];");
}

TEST_CASE("consecutive angles are read in place") {
  Builder b;
  b.angle(b.x(1));
  b.angle(b.x(2));
  b.store(b.node(Op::add, b.node(Op::sin, b.x(1)), b.node(Op::cos, b.x(2))));
  CHECK(body(b) ==
        "  S sn[2], cs[2];\n"
        "  featherline::sincos<2>(x + 1, sn, cs);\n"
        "  y[0] = sn[0] + cs[1];");
}

TEST_CASE("computed angles are gathered, down to the inputs") {
  Builder b;
  const NodeId angle =
      b.node(Op::add, b.node(Op::mul, b.graph().constant(2.0), b.x(0)), b.graph().constant(-0.5));
  b.angle(angle);
  b.store(b.node(Op::sin, angle));
  const std::string text = body(b);
  CHECK(text.find("  const S angle[1] = {") == 0);
  CHECK(text.find("S(2.0)") != std::string::npos);
  CHECK(text.find("S(-0.5)") != std::string::npos);
  CHECK(text.find("featherline::sincos<1>(angle, sn, cs);\n  y[0] = sn[0];") != std::string::npos);
}

TEST_CASE("constants and zeros are stored, unused inputs are known") {
  Builder b;
  b.store(b.graph().constant(0.0));
  b.store(b.graph().constant(-1.5));
  const emit::PrintedKernel printed = emit::print_kernel(b.take(), "f");
  CHECK(printed.body == "  y[0] = S(0.0);\n  y[1] = S(-1.5);");
  CHECK(printed.usage.inputs.empty());
  CHECK(printed.usage.written == std::set<int>{0});
}

TEST_CASE("functions are looked up beside the scalar") {
  Builder b;
  b.store(b.node(Op::sqrt, b.x(0)));
  CHECK(body(b) == "  using std::sqrt;\n  y[0] = sqrt(x[0]);");
  Builder c;
  c.store(c.node(Op::atan, c.x(0)));
  CHECK(body(c) == "  using std::atan;\n  y[0] = atan(x[0]);");
}

TEST_CASE("several parts exchange values through one workspace and take what they use") {
  Builder b;
  const NodeId sum = b.node(Op::add, b.x(0), b.x(1));
  const NodeId product = b.node(Op::mul, sum, sum);
  b.define(sum);
  b.define(product);
  b.store(product);
  ir::Kernel kernel = b.take();
  ir::StraightLine &first = std::get<ir::StraightLine>(kernel.steps.front()), second;
  second.loads = {{sum, 0}};
  second.statements.assign(first.statements.begin() + 1, first.statements.end());
  first.statements.resize(1);
  first.saves = {{sum, 0}};
  kernel.steps.emplace_back(second);
  kernel.workspace_size = 1;
  const emit::PrintedKernel printed = emit::print_kernel(kernel, "f");
  CHECK(printed.body ==
        "  S ws[1];  // values that cross from one part to another\n"
        "  detail::f_part1(x, ws);\n"
        "  detail::f_part2(ws, y);");
  CHECK(printed.internal ==
        "template <class S>\n"
        "FEATHERLINE_NOINLINE void f_part1(const S* FEATHERLINE_RESTRICT x, S* FEATHERLINE_RESTRICT ws) {\n"
        "  featherline::code_begins<detail::f_code, S>();\n"
        "  const S y_0_part = x[0] + x[1];\n"
        "  ws[0] = y_0_part;\n"
        "  featherline::code_ends<detail::f_code, S>();\n"
        "}\n"
        "\n"
        "template <class S>\n"
        "FEATHERLINE_NOINLINE void f_part2(S* FEATHERLINE_RESTRICT ws, S* FEATHERLINE_RESTRICT y) {\n"
        "  featherline::code_begins<detail::f_code, S>();\n"
        "  const S y_0_part = ws[0];\n"
        "  const S y_0 = y_0_part * y_0_part;\n"
        "  y[0] = y_0;\n"
        "  featherline::code_ends<detail::f_code, S>();\n"
        "}\n");
}

TEST_CASE("broken kernels are refused") {
  Builder undefined;
  const NodeId sum = undefined.node(Op::add, undefined.x(0), undefined.x(1));
  undefined.store(undefined.node(Op::mul, sum, sum));
  ir::Kernel kernel = undefined.take();
  kernel.inlined[sum] = false;
  CHECK_THROWS_AS(emit::print_kernel(kernel, "f"), InternalError);

  Builder missing_angle;
  missing_angle.store(missing_angle.node(Op::sin, missing_angle.x(0)));
  CHECK_THROWS_AS(body(missing_angle), InternalError);
}

TEST_CASE("lanes: constants and inputs lane by lane, sines from their place, scalars beside them") {
  Builder b;
  const NodeId gathered = b.graph().gather(0, {0, 2}), sine = b.node(Op::sin, gathered);
  const NodeId scaled = b.node(Op::mul, gathered, b.graph().constant(std::vector<double>{0.5, 2.0}));
  const NodeId sum = b.node(Op::add, b.node(Op::mul, sine, scaled), b.node(Op::sub, b.x(1), b.x(0)));
  b.angle(b.x(1));
  b.angle(gathered);
  b.define(sum);
  b.store(b.graph().lane(sum, 1));
  b.store(b.graph().lane_sum(sum));
  CHECK(body(b) ==
        "  using L2 = featherline::Lanes<S, 2>;\n"
        "  const L2 lanes_1{S(0.5), S(2.0)};\n"
        "  const S angle[3] = {x[1], x[0], x[2]};\n"
        "  S sn[3], cs[3];\n"
        "  featherline::sincos<3>(angle, sn, cs);\n"
        "  const L2 t1 = L2::load(sn + 1) * (L2{x[0], x[2]} * lanes_1) + S(x[1] - x[0]);\n"
        "  y[0] = t1[1];\n"
        "  y[1] = lane_sum(t1);");
}
