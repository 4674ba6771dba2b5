#include "reference/solver.ipp"

// In extended precision: constraints amplify rounding, and a judge should have digits to spare.
namespace featherline::reference {

using Long = std::complex<long double>;

template class Solver<Long>;
template VectorX<Long> integrate(const model::Tree&, VectorX<Long>, const VectorX<Long>&);
template class Solver<Dual<Long>>;
template VectorX<Dual<Long>> integrate(const model::Tree&, VectorX<Dual<Long>>, const VectorX<Dual<Long>>&);

}  // namespace featherline::reference
