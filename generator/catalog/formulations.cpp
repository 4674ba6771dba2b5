#include "catalog/formulations.hpp"

#include "algorithms/routines/tree_axes.hpp"
#include "model/limbs.hpp"

namespace featherline::catalog {

using namespace algorithms;

namespace {

using FrameChoice = OwnFrames (*)(const model::CanonicalTree&);

std::function<void(Context&)> with(RunIn run, FrameChoice frames) {
  return [=](Context& context) { run(context, frames(context.tree())); };
}

/// C++ has no arrays of size 0.
bool has_coordinates(const model::Tree& tree) { return tree.nv > 0; }

}  // namespace

std::function<void(Context&)> in_chosen_frames(RunIn run) { return with(run, chosen_frames); }

std::vector<Formulation> in_frames(RunIn run) {
  return {{"piecewise frames", in_chosen_frames(run)},
          {"body frames", with(run, body_frames)},
          {"ground frame", with(run, ground_frame)}};
}

const std::vector<FormulationDoc>& formulation_docs() {
  static const std::vector<FormulationDoc> docs{
      {"link frames", "along the tree and back, each body in a frame of its own"},
      {"composite first moments", "sums from mass and centre of mass of each subtree"},
      {"sparse factor", "factors M along the branches of the tree, then solves with the factor"},
      {"articulated bodies", "recursion from the leaves to the root and back, which never forms M"},
      {"AZA columns", "M^-1 column by column, each by articulated bodies"},
      {"AZA", "products with M^-1 column by column, each by articulated bodies"},
      {"DMM", "forms M^-1, then multiplies matrices with it"},
      {"piecewise frames", "derivatives with groups of bodies in common frames, chosen for the robot"},
      {"body frames", "derivatives with every body in its own frame"},
      {"ground frame", "derivatives with all bodies in one frame, that of the world"},
      {"unrolled", "derivatives of inverse dynamics and products with M^-1, all as straight-line code"},
      {"carried axes", "the axes of all joints, carried outward to each body and its columns"},
      {"exponential map", "each joint alone: the exponential map of its group, or its inverse"},
      {"pose steps", "one step for each joint on the way from the world to the link"},
      {"columns", "what each joint gives a frame's velocity, summed up along the way to the frame"},
      {"shared axes", "rotations to the world; joints about one direction turn by the sum of their angles"},
      {"DeNOC",
       "Saha's decoupled natural orthogonal complement: bodies' motions outward, composite bodies inward"},
      {"Udwadia-Kalaba",
       "forms M^-1, then solves for the forces of the constraints, as Udwadia and Kalaba do"},
      {"columns side by side",
       "one internal function for several columns of the derivatives, one in each lane of a vector"},
      {"limb lanes", "equal limbs side by side, one in each lane of a vector register"},
      {"limb lanes by trunk factor", "limb lanes; M without the limbs is factored for the trunk"},
      {"limb lanes by DeNOC", "limb lanes; joints with several axes are eliminated axis after axis"},
      {"limb lanes column by column", "limb lanes; one internal function solves for the columns of a limb"},
      {"vector loops", "routines of the runtime: loops over pairs of joints; the shortest code"},
      {"dense kernels",
       "routines of the runtime for M^-1, unrolled over the tree; two to four times as fast as loops"},
      {"panels",
       "routines of the runtime for derivatives of inverse dynamics, four joints at a time, from a table"},
      {"panels and dense kernels", "derivatives of inverse dynamics by panels, M^-1 by dense kernels"},
      {"panels and dense kernels in limb lanes", "the same; M and torques before them in limb lanes"},
      {"unrolled and dense kernels", "products with M^-1 by dense kernels, all else as straight-line code"},
      {"limb lanes and dense kernels", "limb lanes, then M^-1 or products with it by dense kernels"},
      {"dual quaternions",
       "Newton-Euler with poses, twists and wrenches as dual quaternions, as Silva, Quiroz-Omana and Adorno "
       "do"},
      {"Gauss",
       "sums over bodies of products of Jacobians of dual quaternions, by Gauss's principle of least "
       "constraint"},
  };
  return docs;
}

std::string needs(const Formulation& formulation) {
  const struct {
    Applies applies;
    const char* words;
  } known[] = {
      {has_coordinates, "joints that move"},
      {has_shared_coordinates, "joints that share coordinates"},
      {has_constraints, "contacts, loops or wheels"},
      {fits_panels, "more joints than a floating base, and neither external forces nor payloads as inputs"},
      {fits_contracted_panels,
       "more joints than a floating base, all with one axis, and neither external forces nor payloads as "
       "inputs"},
  };
  const Applies* applies = formulation.applies.target<Applies>();
  for (const auto& [predicate, words] : known) {
    if (applies != nullptr && *applies == predicate) return words;
  }
  return {};
}

bool has_limbs(const model::Tree& tree) { return model::fold_bodies(tree).has_lanes(); }
bool has_constraints(const model::Tree& tree) { return tree.nv > 0 && tree.constraints.num_rows() > 0; }
bool has_shared_coordinates(const model::Tree& tree) { return !has_no_mimic(tree); }
bool has_limbs_and_own_coordinates(const model::Tree& tree) { return has_no_mimic(tree) && has_limbs(tree); }

Formulation by_name(const char* name, Run run, const char* source) {
  return {.name = name, .run = run, .by_name_only = true, .source = source};
}
std::vector<Formulation> or_one_of(std::vector<Formulation> formulations,
                                   const std::vector<Formulation>& others) {
  formulations.insert(formulations.end(), others.begin(), others.end());
  return formulations;
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
  const auto by = [run](Routines routines) { return [=](Context& context) { run(context, routines); }; };
  formulations = or_loops(std::move(formulations), unrolled_flops, Run{});
  formulations.back().run = by(Routines::loops);
  Formulation kernels{"dense kernels", by(Routines::kernels), has_coordinates, {}, true};
  formulations.push_back(std::move(kernels));
  return formulations;
}

}  // namespace featherline::catalog
