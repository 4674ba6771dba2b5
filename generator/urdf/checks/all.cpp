#include "urdf/checks.hpp"

namespace featherline::urdf {

void check(const Description& description, Diagnostics& diagnostics) {
  check_names(description, diagnostics);
  check_structure(description, diagnostics);
  check_joints(description, diagnostics);
  check_units(description, diagnostics);
  check_angles(description, diagnostics);
}

}  // namespace featherline::urdf
