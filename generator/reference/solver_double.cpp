#include "reference/solver.ipp"

// One scalar a file: they are the longest to compile.
namespace featherline::reference {

template class Solver<double>;
template VectorX<double> integrate(const model::Tree&, VectorX<double>, const VectorX<double>&);

}  // namespace featherline::reference
