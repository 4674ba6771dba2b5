#include "peers/pinocchio_algorithms.hpp"

namespace featherline::bench {

const PinocchioAlgorithm<double>* find_pinocchio_dynamics(const std::string& function) {
  return find_pinocchio_algorithm<double>(function);
}

}  // namespace featherline::bench
