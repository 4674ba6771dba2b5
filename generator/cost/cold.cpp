#include "cost/cold.hpp"

namespace featherline::cost {

double predict_cold_ns(const Work& work, const ColdParameters& p) {
  return predict_ns(work, fitted_time) + p.call + p.code_byte * work.run_code +
         p.table_byte * work.table_bytes + p.data_byte * work.data_bytes + p.stack_byte * work.stack_bytes;
}

// Fitted to 155 rows: formulations of eight or nine functions of ur5, panda, hyq, simple_humanoid and talos_reduced, on
// one machine, a Zen 4 (AMD EPYC, two cores of a virtual machine, g++ 12 -O2 -march=native). Other processors were not
// measured. Errors of the prediction:
//
//   rank correlation   rms     range             choice within 10 % of the best
//   0.993              10 %    -27 % to +23 %    31 of 32
//
// Of 11 formulations of arm7 that the fit has not seen, 10 are predicted to 14 %, one to -25 %, and both choices are
// the best. Bytes of code are the estimate, 1.6 times what -march=native makes, so 64 bytes of true code take 9 ns: the
// processor reads ahead by itself. A Zen 5 takes 21 to 26. Code that reads itself ahead (emit/prepare.cpp) is predicted
// as other code: measured, it takes up to a quarter less.
const ColdParameters fitted_cold = {
    .call = 1.72e+03,
    .code_byte = 0.0873,
    .table_byte = 0.029,
    .data_byte = 0.225,
    .stack_byte = 0.101,
};

}  // namespace featherline::cost
