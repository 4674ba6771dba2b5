#include "reference/solver.ipp"

// One scalar a file: all four together took g++ 70 s and 1.7 GB.
template class featherline::reference::Solver<featherline::reference::Dual<std::complex<double>>>;
