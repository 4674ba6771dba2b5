#pragma once

#include "algorithms/derivatives/common_frames.hpp"
#include "algorithms/routines/inverse_calls.hpp"
#include "algorithms/routines/panels.hpp"
#include "catalog/functions.hpp"

/// Formulations of one algorithm in several ways, for the table of functions, and what users are told about them.
namespace featherline::catalog {

using Run = void (*)(algorithms::Context&);
using RunIn = void (*)(algorithms::Context&, const algorithms::OwnFrames&);
using RunBy = void (*)(algorithms::Context&, algorithms::Routines);
using Applies = bool (*)(const model::Tree&);
/// Operations of unrolled code.
using Estimate = double (*)(const model::Tree&);

struct FormulationDoc {
  std::string_view name, doc;
};
/// What each formulation does, one line for users. Every name in the catalogue is here.
const std::vector<FormulationDoc>& formulation_docs();

/// What Formulation::applies asks of a robot, for messages: "contacts, loops or wheels". Empty if that is not known,
/// or if it asks for equal limbs or joints that share no coordinates.
std::string needs(const Formulation& formulation);

bool has_limbs(const model::Tree& tree);
bool has_constraints(const model::Tree& tree);
bool has_shared_coordinates(const model::Tree& tree);
bool has_limbs_and_own_coordinates(const model::Tree& tree);

/// An algorithm in the frames that the tree holds.
std::function<void(algorithms::Context&)> in_chosen_frames(RunIn run);
/// One formulation for each choice of common frames.
std::vector<Formulation> in_frames(RunIn run);

/// A paper's own system, which never competes (Formulation::by_name_only).
Formulation by_name(const char* name, Run run, const char* source);

/// Equal limbs side by side.
Formulation in_lanes(Run run, Applies applies = has_limbs);
Formulation in_lanes(Run run, const char* name);

// The formulations given, and others.

/// One more that does not compete.
std::vector<Formulation> or_one_of(std::vector<Formulation> formulations,
                                   const std::vector<Formulation>& others);

/// Limb lanes, in chosen frames.
std::vector<Formulation> or_lanes(std::vector<Formulation> formulations, RunIn run);
std::vector<Formulation> or_lanes(std::vector<Formulation> formulations, Run run);

/// Loops for robots too large to unroll them.
std::vector<Formulation> or_loops(std::vector<Formulation> formulations, Estimate unrolled_flops, Run loops);
/// The same for functions with M^-1, which also has unrolled kernels.
std::vector<Formulation> or_loops(std::vector<Formulation> formulations, Estimate unrolled_flops, RunBy run);

/// Panels.
std::vector<Formulation> or_panels(std::vector<Formulation> formulations, Run panels,
                                   Applies fits = algorithms::fits_panels);

/// Panels, and M^-1 by dense kernels.
std::vector<Formulation> or_panels_and_kernels(std::vector<Formulation> formulations, Run panels,
                                               Applies fits = algorithms::fits_panels);

/// Limb lanes with one function for all columns that belong to limbs.
std::vector<Formulation> or_limb_columns(std::vector<Formulation> formulations, Run run);

/// Limb lanes, and products with M^-1 by dense kernels.
std::vector<Formulation> or_lanes_and_kernels(std::vector<Formulation> formulations, Run run);

}  // namespace featherline::catalog
