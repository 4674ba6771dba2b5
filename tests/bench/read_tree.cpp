#include "read_tree.hpp"

#include <stdexcept>

#include "model/build_tree.hpp"
#include "urdf/reader.hpp"

namespace featherline::bench {

model::UserTree read_tree(const std::string& urdf, bool floating_base) {
  Diagnostics findings;
  const urdf::Description description = urdf::read_file(urdf, findings);
  model::BuildOptions options;
  options.floating_base = floating_base;
  options.mimic_independent = true;
  options.snap_tolerance =
      0.0;  // as the generator reads it: quarter turns are made exact function by function
  if (findings.has_errors()) throw std::runtime_error{"cannot read " + urdf};
  model::UserTree tree = model::build_tree(description, options, findings);
  if (findings.has_errors()) throw std::runtime_error{"cannot build a tree from " + urdf};
  return tree;
}

}  // namespace featherline::bench
