#include "urdf/checks.hpp"

namespace featherline::urdf {

void check(const Description& description, Diagnostics& diagnostics) {
  check_names(description, diagnostics);
  check_structure(description, diagnostics);
  // Ends without a name were reported by the reader, so its errors count too.
  check_inertias(description, !diagnostics.has_errors(), diagnostics);
  check_joints(description, diagnostics);
  check_mimics(description, diagnostics);
  check_units(description, diagnostics);
  check_angles(description, diagnostics);
}

}  // namespace featherline::urdf
