#include "reference/solver.ipp"

// One scalar a file: they are the longest to compile.
namespace featherline::reference {

template class Solver<Dual<std::complex<double>>>;
template VectorX<Dual<std::complex<double>>> integrate(const model::Tree&,
                                                       VectorX<Dual<std::complex<double>>>,
                                                       const VectorX<Dual<std::complex<double>>>&);

}  // namespace featherline::reference
