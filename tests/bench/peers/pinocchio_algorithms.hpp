#pragma once

#include "peers/pinocchio_robot.hpp"
// After the scalar types of that header's includer.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace featherline::bench {

template <class S>
void append_columns(std::vector<S>& list, const Eigen::MatrixX<S>& A) {
  list.insert(list.end(), A.data(), A.data() + A.size());
}

/// Of a matrix with an upper triangle alone.
template <class S>
Eigen::MatrixX<S> full(const Eigen::MatrixX<S>& upper) {
  return upper.template selfadjointView<Eigen::Upper>();
}

/// None if Pinocchio has no such function.
template <class S>
const PinocchioAlgorithm<S>* find_pinocchio_algorithm(const std::string& function) {
  using Workspace = PinocchioWorkspace<S>;
  using Input = PinocchioInput<S>;
  using Data = pinocchio::DataTpl<S>;
  using List = std::vector<S>;
  using Ref = Eigen::Ref<const Eigen::VectorX<S>>;  // of aba and crba, the library has instances for it alone
  static const PinocchioAlgorithm<S> algorithms[] = {
      {"rnea", [](Workspace& w, const Input& x) { pinocchio::rnea(w.model, w.data, x.q, x.v, x.a); },
       [](const Data& d, List& y) { append_columns<S>(y, d.tau); }},
      {"bias", [](Workspace& w, const Input& x) { pinocchio::nonLinearEffects(w.model, w.data, x.q, x.v); },
       [](const Data& d, List& y) { append_columns<S>(y, d.nle); }},
      {"gravity",
       [](Workspace& w, const Input& x) { pinocchio::computeGeneralizedGravity(w.model, w.data, x.q); },
       [](const Data& d, List& y) { append_columns<S>(y, d.g); }},
      {"mass_matrix", [](Workspace& w, const Input& x) { pinocchio::crba(w.model, w.data, Ref(x.q)); },
       [](const Data& d, List& y) { append_columns<S>(y, full<S>(d.M)); }},
      {"aba",
       [](Workspace& w, const Input& x) { pinocchio::aba(w.model, w.data, Ref(x.q), Ref(x.v), Ref(x.a)); },
       [](const Data& d, List& y) { append_columns<S>(y, d.ddq); }},
      {"minv", [](Workspace& w, const Input& x) { pinocchio::computeMinverse(w.model, w.data, x.q); },
       [](const Data& d, List& y) { append_columns<S>(y, full<S>(d.Minv)); }},
      {"rnea_derivatives",
       [](Workspace& w, const Input& x) {
         pinocchio::computeRNEADerivatives(w.model, w.data, x.q, x.v, x.a);
       },
       [](const Data& d, List& y) {
         append_columns<S>(y, d.dtau_dq);
         append_columns<S>(y, d.dtau_dv);
       }},
      {"aba_derivatives",
       [](Workspace& w, const Input& x) { pinocchio::computeABADerivatives(w.model, w.data, x.q, x.v, x.a); },
       [](const Data& d, List& y) {
         append_columns<S>(y, d.ddq_dq);
         append_columns<S>(y, d.ddq_dv);
         append_columns<S>(y, full<S>(d.Minv));
       }},
  };
  for (const PinocchioAlgorithm<S>& algorithm : algorithms) {
    if (algorithm.function == function) return &algorithm;
  }
  return nullptr;
}

}  // namespace featherline::bench
