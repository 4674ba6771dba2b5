#pragma once

#include "algorithms/derivatives/common_frames.hpp"
#include "algorithms/matrices.hpp"

/// IDSVA, second order (paper 002, Algorithm 1), for joints with any number of degrees of freedom, in piecewise
/// common frames. The formulas are those of the runtime's loops: featherline/algebra/second_order.hpp. Two of the
/// vectors of a pair follow from the others, so they are left out where that is shorter.
namespace featherline::algorithms {

struct SecondDerivatives {
  Tensor dqdq;   ///< (i, j, k): d/dq_k (d tau_i / d q_j)
  Tensor dvdv;   ///< (i, j, k): d2 tau_i / (dv_j dv_k)
  Tensor dqdv;   ///< (i, j, k): d2 tau_i / (dq_j dv_k)
  Tensor dM_dq;  ///< (i, j, k): d M_ij / d q_k

  explicit SecondDerivatives(int n) : dqdq(n), dvdv(n), dqdv(n), dM_dq(n) {}
};

/// Whether the kernel computes first derivatives in the same frames, too: the forces that both need exist then.
enum class FirstOrder { absent, present };

SecondDerivatives second_derivatives(Context& context, const Coordinates& v, const Coordinates& a,
                                     const OwnFrames& own_frames, FirstOrder first_order);

void rnea_second_derivatives(Context& context, const OwnFrames& own_frames);

}  // namespace featherline::algorithms
