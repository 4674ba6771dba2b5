#include "cost/cold.hpp"

namespace featherline::cost {

double predict_cold_ns(const Work& work, const ColdParameters& p) {
  return predict_ns(work, fitted_time) + p.call + p.code_byte * (work.run_code - work.ahead_code) +
         p.ahead_byte * work.ahead_code + p.table_byte * work.table_bytes + p.data_byte * work.data_bytes +
         p.stack_byte * work.stack_bytes;
}

const ColdParameters fitted_cold = {
    .call = 700,
    .code_byte = 0.36,
    .ahead_byte = 0.1,
    .table_byte = 0.1,
    .data_byte = 0.2,
    .stack_byte = 0.05,
};

}  // namespace featherline::cost
