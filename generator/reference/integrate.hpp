#pragma once

#include "model/tree.hpp"
#include "reference/dual.hpp"
#include "reference/spatial.hpp"

#include <complex>

/// Steps in the tangent space: q (+) dv, where dv has the coordinates of v. Lie derivatives are derivatives along
/// these steps, D_j f(q) = d/de f(q (+) e e_j) at e = 0.
namespace featherline::reference {

/// q (+) dv; q is nq, dv is nv. Each joint moves for unit time with the constant velocity dv in its body frame.
template <class T>
VectorX<T> integrate(const model::Tree& tree, VectorX<T> q, const VectorX<T>& dv);

extern template VectorX<double> integrate(const model::Tree&, VectorX<double>, const VectorX<double>&);
extern template VectorX<std::complex<double>> integrate(const model::Tree&, VectorX<std::complex<double>>,
                                                        const VectorX<std::complex<double>>&);
extern template VectorX<Dual<std::complex<double>>> integrate(const model::Tree&,
                                                              VectorX<Dual<std::complex<double>>>,
                                                              const VectorX<Dual<std::complex<double>>>&);

}  // namespace featherline::reference
