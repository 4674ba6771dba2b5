#pragma once

#include "peers/pinocchio_model.hpp"
// After the scalar types of that header's includer.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

namespace featherline::bench {

/// What Pinocchio's algorithms work on, over doubles, or over another scalar that records what they do.
template <class S>
struct PinocchioWorkspace {
  explicit PinocchioWorkspace(const pinocchio::ModelTpl<S>& m) : model{m}, data{model} {}

  pinocchio::ModelTpl<S> model;
  pinocchio::DataTpl<S> data;
};

template <class S>
struct PinocchioInput {
  Eigen::VectorX<S> q, v, a;  ///< a has the torques of forward dynamics
};

/// The algorithm of the emitted function of that name, and its results in the order of the emitted outputs.
template <class S>
struct PinocchioAlgorithm {
  const char* function;
  void (*run)(PinocchioWorkspace<S>&, const PinocchioInput<S>&);
  void (*results)(const pinocchio::DataTpl<S>&, std::vector<S>&);
};

template <class S>
void append(std::vector<S>& list, const Eigen::MatrixX<S>& A) {
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
       [](const Data& d, List& y) { append<S>(y, d.tau); }},
      {"bias", [](Workspace& w, const Input& x) { pinocchio::nonLinearEffects(w.model, w.data, x.q, x.v); },
       [](const Data& d, List& y) { append<S>(y, d.nle); }},
      {"gravity",
       [](Workspace& w, const Input& x) { pinocchio::computeGeneralizedGravity(w.model, w.data, x.q); },
       [](const Data& d, List& y) { append<S>(y, d.g); }},
      {"mass_matrix", [](Workspace& w, const Input& x) { pinocchio::crba(w.model, w.data, Ref(x.q)); },
       [](const Data& d, List& y) { append<S>(y, full<S>(d.M)); }},
      {"aba",
       [](Workspace& w, const Input& x) { pinocchio::aba(w.model, w.data, Ref(x.q), Ref(x.v), Ref(x.a)); },
       [](const Data& d, List& y) { append<S>(y, d.ddq); }},
      {"minv", [](Workspace& w, const Input& x) { pinocchio::computeMinverse(w.model, w.data, x.q); },
       [](const Data& d, List& y) { append<S>(y, full<S>(d.Minv)); }},
      {"rnea_derivatives",
       [](Workspace& w, const Input& x) {
         pinocchio::computeRNEADerivatives(w.model, w.data, x.q, x.v, x.a);
       },
       [](const Data& d, List& y) {
         append<S>(y, d.dtau_dq);
         append<S>(y, d.dtau_dv);
       }},
      {"aba_derivatives",
       [](Workspace& w, const Input& x) { pinocchio::computeABADerivatives(w.model, w.data, x.q, x.v, x.a); },
       [](const Data& d, List& y) {
         append<S>(y, d.ddq_dq);
         append<S>(y, d.ddq_dv);
         append<S>(y, full<S>(d.Minv));
       }},
  };
  for (const PinocchioAlgorithm<S>& algorithm : algorithms) {
    if (algorithm.function == function) return &algorithm;
  }
  return nullptr;
}

}  // namespace featherline::bench
