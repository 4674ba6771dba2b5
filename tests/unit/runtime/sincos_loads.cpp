// Compiled by sincos_loads.cmake: angles that are sums of arguments, as emitted functions have them.
#include <featherline/sincos.hpp>

template <class S>
void sines_of_sums(S a, S b, S c, S d, S e, S* sines, S* cosines) {
  const S angle[5] = {a + S(3.1), b, c + S(1.5), d, d + e};
  featherline::sincos<5>(angle, sines, cosines);
}
template void sines_of_sums(double, double, double, double, double, double*, double*);
template void sines_of_sums(float, float, float, float, float, float*, float*);
