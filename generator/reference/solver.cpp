#include "reference/solver.ipp"

namespace featherline::reference {

template class Solver<double>;
template VectorX<double> integrate(const model::Tree&, VectorX<double>, const VectorX<double>&);
template class Solver<Number>;
template VectorX<Number> integrate(const model::Tree&, VectorX<Number>, const VectorX<Number>&);
template JointState<double> joint_state(const model::Joint&, const double*, const double*);
template JointState<Number> joint_state(const model::Joint&, const Number*, const Number*);
template class Solver<LongNumber>;
template VectorX<LongNumber> integrate(const model::Tree&, VectorX<LongNumber>, const VectorX<LongNumber>&);

}  // namespace featherline::reference
