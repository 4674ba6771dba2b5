/// Fuzz target: any bytes -> Description -> Tree -> messages. Besides crashes, hangs and sanitizer reports it stops at
/// a tree that breaks what the algorithms rely on.
#include "formats/reader.hpp"
#include "model/build_tree.hpp"
#include "support/diagnostic.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace featherline;

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

void check_messages(const Diagnostics& findings) {
  for (const Diagnostic& finding : findings.all()) {
    require(format(finding).find('\n') == std::string::npos, "a finding is one line");
    require(!finding.message.empty(), "a finding says something");
  }
  require(!format_json(findings).empty(), "findings become JSON");
}

bool is_finite(const model::Placement& X) { return X.R.allFinite() && X.p.allFinite(); }

void check_tree(const model::Tree& tree, const description::Description& robot) {
  require(tree.links.size() == robot.links.size(), "every link is in the tree");
  int index = 0;
  for (const model::Body& body : tree.bodies) {
    require(body.parent < index++, "parents come before children");
    require(is_finite(body.joint.placement) && body.inertia.J.allFinite() && body.inertia.h.allFinite(),
            "bodies are finite");
    require(body.joint.axis.allFinite() && std::abs(body.joint.axis.norm() - 1.0) < 1e-9,
            "axes are unit vectors");
    require(body.joint.idx_v >= 0 && body.joint.idx_v + body.joint.nv <= tree.nv, "velocities are inside v");
    require(body.joint.idx_q >= 0 && body.joint.idx_q + body.joint.nq <= tree.nq, "coordinates are inside q");
  }
  for (const model::Tendon& tendon : tree.tendons) {
    require(!tendon.ends.empty(), "tendons pull something");
    for (const model::TendonEnd& end : tendon.ends)
      require(end.idx_v >= 0 && end.idx_v < tree.nv && end.idx_q >= 0 && end.idx_q < tree.nq,
              "tendons end in coordinates");
  }
  for (const model::Link& link : tree.links) {
    require(link.body < static_cast<int>(tree.bodies.size()) && is_finite(link.placement),
            "links are placed");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics findings;
  const description::Description robot = formats::read_string(text, "fuzz.urdf", findings);
  check_messages(findings);
  if (findings.has_errors()) return 0;
  for (const bool floating : {false, true}) {
    model::BuildOptions options;
    options.floating_base = floating;
    options.mimic_independent = floating;
    options.joint_dynamics = floating ? model::JointDynamics::model : model::JointDynamics::armature;
    Diagnostics tree_findings;
    const model::UserTree tree = model::build_tree(robot, options, tree_findings);
    check_messages(tree_findings);
    if (!tree_findings.has_errors()) check_tree(tree, robot);
  }
  return 0;
}
