#include "reference/solver.ipp"

namespace featherline::reference {

template class Solver<double>;
template class Solver<std::complex<double>>;
template class Solver<Dual<double>>;
template class Solver<Dual<std::complex<double>>>;

}  // namespace featherline::reference
