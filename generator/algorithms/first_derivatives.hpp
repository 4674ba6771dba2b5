#pragma once

#include "algorithms/composite_motion.hpp"
#include "algorithms/square_matrix.hpp"

/// IDSVA, first order (paper 000, Algorithm 1, equations 30 to 32; paper 001, Algorithm 1), for joints with any
/// number of degrees of freedom, in piecewise common frames.
namespace featherline::algorithms {

struct FirstDerivatives {
  SquareMatrix dtau_dq, dtau_dv, M;
  SquareMatrix C;  ///< a Coriolis matrix: C v = bias - gravity, Mdot - 2 C skew (paper 001, eq. 23)
};

/// Partial derivatives of inverse dynamics with respect to q (tangent space) and v, and to a, which is M.
/// What is not stored costs nothing.
FirstDerivatives first_derivatives(Tracer& tracer, const Coordinates& v, const Coordinates& a,
                                   FrameRoots roots);

/// All bodies in one frame: the world's, or that of a body which travels in it (floating, planar or prismatic joint):
/// far from the world's origin, its frame would cost digits.
FrameRoots ground_frame(const model::CanonicalTree& tree);
/// Every body in its own frame.
FrameRoots body_frames(const model::CanonicalTree& tree);
/// What the tree says, or body frames where it says nothing.
FrameRoots chosen_frames(const model::CanonicalTree& tree);

/// rnea_derivatives in the frames given.
ir::Function trace_rnea_derivatives_in(const model::CanonicalTree& tree, const FrameRoots& roots);

using FrameChoice = FrameRoots (*)(const model::CanonicalTree&);
ir::Function trace_rnea_derivatives(const model::CanonicalTree& tree, FrameChoice frames);
ir::Function trace_coriolis_matrix(const model::CanonicalTree& tree, FrameChoice frames);

}  // namespace featherline::algorithms
