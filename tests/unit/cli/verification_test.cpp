// Nothing is written that disagrees with the reference solver.
#include "passes/simplify.hpp"
#include "pipeline.hpp"
#include "run_featherline.hpp"
#include "support/as_emitted.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <regex>
#include <string>

namespace verification_test {

using namespace featherline;
using test::contains;

namespace {

struct Link {
  double mass, distance, moment;  ///< of the centre of mass from the joint, and about it
};

/// Joints about z, `length` apart along x.
std::string chain(const std::vector<Link>& links, double length) {
  std::string text = "<robot name='chain'><link name='base'/>";
  std::string parent = "base";
  for (std::size_t k = 0; k < links.size(); ++k) {
    const Link& l = links[k];
    text += fmt::format(
        "<link name='l{0}'><inertial><origin xyz='{1} 0 0'/><mass value='{2}'/>"
        "<inertia ixx='{3}' iyy='{3}' izz='{3}' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
        "<joint name='j{0}' type='continuous'><parent link='{4}'/><child link='l{0}'/>"
        "<origin xyz='{5} 0 0'/><axis xyz='0 0 1'/></joint>\n",
        k, l.distance, l.mass, l.moment, parent, k == 0 ? 0.0 : length);
    parent = "l" + std::to_string(k);
  }
  return text + "</robot>";
}

class Folder {
 public:
  test::Answer generate(const std::string& urdf, const std::vector<std::string>& more) const {
    const auto file = folder_.path() / "chain.urdf";
    test::write_text(file, urdf);
    std::vector<std::string> arguments{"generate", file, "-o", output()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::run_featherline(arguments);
  }
  std::string output() const { return folder_.path() / "out"; }

 private:
  cli::TemporaryFolder folder_;
};

// Three joints in a plane that move a point mass, which has two degrees of freedom: of M all but a ten millionth is
// singular, and every way to divide by it loses more than six digits.
const std::string nearly_redundant = chain({{1e-7, 0.5, 1e-7}, {1e-7, 0.5, 1e-7}, {1.0, 0.5, 1e-7}}, 1.0);

/// Minus the last node that is computed.
class NegateLast : public passes::Rewriter {
 public:
  using Rewriter::Rewriter;

 private:
  ir::Scalar rewrite(ir::NodeId id) override {
    return id == source().stores.back().value ? -rebuild(id) : rebuild(id);
  }
};

}  // namespace

TEST_CASE("the report shows the error of every function") {
  const test::Answer answer =
      Folder().generate(chain({{1.0, 0.2, 0.1}, {1.0, 0.2, 0.1}}, 0.5), {"--functions", "rnea,aba"});
  CHECK(answer.exit_code == 0);
  for (const std::string function : {"rnea", "aba"}) {
    CAPTURE(function);
    std::smatch found;  // flops, sincos, statements, ns, cold, stack, code, error
    const std::regex row("\n *" + function + " +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +\\d+ +([0-9.e+-]+) ");
    REQUIRE(std::regex_search(answer.out, found, row));
    const double error = std::stod(found[1]);
    CHECK(error > 0.0);
    CHECK(error <= 1e-10);
  }
}

TEST_CASE("a function that disagrees is traced again in plainer frames") {
  const cli::TemporaryFolder folder;
  const std::string file = folder.path() / "chain.urdf";
  test::write_text(file, chain({{1.0, 0.2, 0.1}, {1.0, 0.2, 0.1}}, 0.5));
  Diagnostics findings;
  const Robot robot = read_robot(file, {}, findings);
  Options options = test::only({"rnea"});
  Observer observer;
  int traced = 0;
  observer.tamper = [&](const ir::Kernel& function) {
    return ++traced == 1 ? NegateLast(function).run() : function;
  };
  const Emission emission = emit_robot(robot, options, observer);
  CHECK(traced == 2);
  CHECK(*emission.facts.front().error <= 1e-10);

  // Wrong every time: nothing is emitted.
  observer.tamper = [](const ir::Kernel& function) { return NegateLast(function).run(); };
  CHECK_THROWS_AS(emit_robot(robot, options, observer), InputError);
}

TEST_CASE("where no formulation agrees nothing is written, and the joints are named") {
  const Folder folder;
  const test::Answer answer = folder.generate(nearly_redundant, {"--functions", "rnea,aba"});
  CHECK(answer.exit_code == 1);
  CAPTURE(answer.err);
  CHECK(contains(answer.err, "chain.urdf:2: error: "));
  CHECK(contains(answer.err, "aba"));
  CHECK_FALSE(contains(answer.err, "rnea ("));
  CHECK(contains(answer.err, "\"j0\", \"j1\", \"j2\""));
  CHECK(contains(answer.err, "--no-verify"));
  CHECK_FALSE(std::filesystem::exists(folder.output()));
}

TEST_CASE("--no-verify takes functions as they are") {
  const test::Answer answer = Folder().generate(nearly_redundant, {"--functions", "rnea,aba", "--no-verify"});
  CHECK(answer.exit_code == 0);
  CHECK(contains(answer.out, "        -  "));  // in the column of the errors
}

TEST_CASE(
    "formulations for joints with coordinates of their own are refused where the first joint is mimicked") {
  std::string coupled = chain({{1.0, 0.2, 0.1}, {1.0, 0.2, 0.1}}, 0.5);
  const std::size_t end = coupled.rfind("<axis");
  coupled.insert(end, "<mimic joint='j0' multiplier='0.5'/>");
  const test::Answer by_choice = Folder().generate(coupled, {"--functions", "minv,aba"});
  CHECK_MESSAGE(by_choice.exit_code == 0, by_choice.err);
  const test::Answer forced =
      Folder().generate(coupled, {"--functions", "minv", "--formulation", "minv=AZA columns"});
  CHECK(forced.exit_code == 2);
  CHECK(
      contains(forced.err,
               "\"AZA columns\" cannot compute minv: it needs a coordinate for each joint, and joint \"j1\" "
               "mimics \"j0\" (--mimic independent gives it its own); there are \"sparse factor\""));
}

}  // namespace verification_test
