#pragma once

#include "algorithms/common_frames.hpp"
#include "algorithms/square_matrix.hpp"

/// IDSVA, first order (paper 000, Algorithm 1, equations 30 to 32; paper 001, Algorithm 1), for joints with any
/// number of degrees of freedom, in piecewise common frames.
namespace featherline::algorithms {

struct FirstDerivatives {
  SquareMatrix dtau_dq, dtau_dv, M;
};

/// Partial derivatives of inverse dynamics with respect to q (tangent space) and v, and to a, which is M.
/// What is not stored costs nothing.
FirstDerivatives first_derivatives(Tracer& tracer, const Coordinates& v, const Coordinates& a, FrameRoots roots);

/// rnea_derivatives with the frame roots given.
expr::Function trace_rnea_derivatives(const model::Tree& tree, const FrameRoots& roots);

}  // namespace featherline::algorithms
