// The program of the single-robot consumers.
#include "agreement.hpp"

#include <arm.hpp>

int main() {
  const double q[arm::nq] = {0.3, -0.8, 1.1, 0.4, -0.6, 0.9};
  return functions_agree<arm::nq, arm::nv>("arm", q, 1e-13, arm::rnea<double>, arm::mass_matrix<double>,
                                           arm::bias<double>)
             ? 0
             : 1;
}
