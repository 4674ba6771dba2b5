#include "peers/pinocchio_robot.hpp"

#include <pinocchio/algorithm/rnea-second-order-derivatives.hpp>

namespace featherline::bench {

namespace {

using Robot = PinocchioRobot;

void run(Robot& r, const PinocchioState& x) {
  auto& [dqdq, dvdv, dqdv, dM_dq] = r.tensors;
  pinocchio::ComputeRNEASecondOrderDerivatives(r.model, r.data, x.q, x.v, x.a, dqdq, dvdv, dqdv, dM_dq);
}

void results(const Robot& r, std::vector<double>& y) {
  for (const pinocchio::Data::Tensor3x& T : r.tensors) y.insert(y.end(), T.data(), T.data() + T.size());
}

}  // namespace

// Pinocchio writes what is not structurally zero: the tensors are cleared once, and `_nonzeros` is its like.
const std::vector<PinocchioFunction> pinocchio_second_order = {{"rnea_second_derivatives", run, results}};

}  // namespace featherline::bench
