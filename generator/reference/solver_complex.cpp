#include "reference/solver.ipp"

// One scalar a file: they are the longest to compile.
namespace featherline::reference {

template class Solver<std::complex<double>>;
template VectorX<std::complex<double>> integrate(const model::Tree&, VectorX<std::complex<double>>,
                                                 const VectorX<std::complex<double>>&);

}  // namespace featherline::reference
