// The definitions are installed too: an instantiation the library does not hold.
#include <arm.ipp>

#include <complex>

template void arm::rnea<std::complex<double>>(const std::complex<double>*, const std::complex<double>*,
                                              const std::complex<double>*, std::complex<double>*);
