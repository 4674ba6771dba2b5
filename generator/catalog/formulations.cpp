#include "catalog/formulations.hpp"

#include "algorithms/tree_axes.hpp"
#include "model/limbs.hpp"

namespace featherline::catalog {

using namespace algorithms;

namespace {

using FrameChoice = OwnFrames (*)(const model::CanonicalTree&);

std::function<void(Context<Scalar>&)> with(RunIn run, FrameChoice frames) {
  return [=](Context<Scalar>& context) { run(context, frames(context.tree())); };
}

/// Loops declare arrays, which C++ wants larger than nothing.
bool has_coordinates(const model::Tree& tree) { return tree.nv > 0; }

}  // namespace

std::function<void(Context<Scalar>&)> in_chosen_frames(RunIn run) { return with(run, chosen_frames); }

std::vector<Formulation> in_frames(RunIn run) {
  return {{"piecewise frames", in_chosen_frames(run)},
          {"body frames", with(run, body_frames)},
          {"ground frame", with(run, ground_frame)}};
}

bool has_limbs(const model::Tree& tree) { return model::fold_bodies(tree).has_lanes(); }
bool has_shared_coordinates(const model::Tree& tree) { return !has_own_coordinates(tree); }
bool has_limbs_and_own_coordinates(const model::Tree& tree) {
  return has_own_coordinates(tree) && has_limbs(tree);
}

Formulation in_lanes(Run run, Applies applies) {
  Formulation formulation{"limb lanes", run, applies};
  formulation.in_lanes = true;
  return formulation;
}
Formulation in_lanes(Run run, const char* name) {
  Formulation formulation = in_lanes(run);
  formulation.name = name;
  return formulation;
}
std::vector<Formulation> or_lanes(std::vector<Formulation> formulations, RunIn run) {
  Formulation lanes = in_lanes(nullptr);
  lanes.run = in_chosen_frames(run);
  formulations.push_back(std::move(lanes));
  return formulations;
}

std::vector<Formulation> or_lanes(std::vector<Formulation> formulations, Run run) {
  formulations.push_back(in_lanes(run));
  return formulations;
}

std::vector<Formulation> or_loops(std::vector<Formulation> formulations, Estimate unrolled_flops, Run loops) {
  for (Formulation& formulation : formulations) formulation.unrolled_flops = unrolled_flops;
  formulations.push_back({"vector loops", loops, has_coordinates, {}, true});
  return formulations;
}

std::vector<Formulation> or_panels(std::vector<Formulation> formulations, Run panels, Applies fits) {
  formulations.push_back({.name = "panels", .run = panels, .applies = fits, .in_loops = true});
  return formulations;
}

std::vector<Formulation> or_panels_and_kernels(std::vector<Formulation> formulations, Run panels,
                                               Applies fits) {
  Formulation plain{.name = "panels and dense kernels", .run = panels, .applies = fits, .in_loops = true};
  Formulation lanes = plain;
  lanes.name = "panels and dense kernels in limb lanes";
  lanes.applies = [=](const model::Tree& tree) { return has_limbs(tree) && fits(tree); };
  lanes.in_lanes = true;
  formulations.push_back(plain);
  formulations.push_back(lanes);
  return formulations;
}

namespace {

/// Limb lanes, and calls.
Formulation lanes_and_calls(const char* name, Run run, Applies applies) {
  Formulation formulation = in_lanes(run, applies);
  formulation.name = name;
  formulation.in_loops = true;
  return formulation;
}

}  // namespace

std::vector<Formulation> or_lanes_and_kernels(std::vector<Formulation> formulations, Run run) {
  formulations.push_back(lanes_and_calls("limb lanes and dense kernels", run, has_limbs));
  return formulations;
}

std::vector<Formulation> or_limb_columns(std::vector<Formulation> formulations, Run run) {
  formulations.push_back(lanes_and_calls("limb lanes column by column", run, has_limbs));
  return formulations;
}

std::vector<Formulation> or_loops(std::vector<Formulation> formulations, Estimate unrolled_flops, RunBy run) {
  const auto by = [run](Routines routines) {
    return [=](Context<Scalar>& context) { run(context, routines); };
  };
  formulations = or_loops(std::move(formulations), unrolled_flops, Run{});
  formulations.back().run = by(Routines::loops);
  Formulation kernels{"dense kernels", by(Routines::kernels), has_coordinates, {}, true};
  formulations.push_back(std::move(kernels));
  return formulations;
}

}  // namespace featherline::catalog
