#include "reference/solver.ipp"

// The long scalars are in solver_long.cpp: these are the longest to compile.
namespace featherline::reference {

using Complex = std::complex<double>;

template class Solver<double>;
template VectorX<double> integrate(const model::Tree&, VectorX<double>, const VectorX<double>&);
template class Solver<Complex>;
template VectorX<Complex> integrate(const model::Tree&, VectorX<Complex>, const VectorX<Complex>&);
template class Solver<Dual<Complex>>;
template VectorX<Dual<Complex>> integrate(const model::Tree&, VectorX<Dual<Complex>>,
                                          const VectorX<Dual<Complex>>&);

}  // namespace featherline::reference
