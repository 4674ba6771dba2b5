#pragma once

#include "model/tree.hpp"

#include <string>

/// How pictures and tables name joints and their coordinates.
namespace featherline::report {

/// What a joint does, for its shape in pictures.
struct JointKind {
  const char* name;     ///< of its CSS class, and for the page's script
  const char* meaning;  ///< for the legend
  double x, y;          ///< where its outline starts
  const char* outline;  ///< from there, as a path of SVG that is 8 units wide, around (0, 0)
};
const JointKind& kind_of(const model::Joint& joint);

/// The symbol of a kind in SVG around (x, y).
std::string joint_symbol(const JointKind& kind, double x, double y);

/// All kinds with their symbols, as HTML.
std::string joint_legend();

/// "z", "-x" or "(0, 0.6, 0.8)": the joint's axis in the axes of its child; empty if it has none.
std::string axis_text(const model::Joint& joint);

/// "rad", "m, rad": the units of its coordinates, in the order of q.
std::string position_units(const model::Joint& joint);

/// "N m", "N" or "N, N m": the units of its forces.
std::string force_units(const model::Joint& joint);

/// "turn about z", "slide along axis".
std::string motion_name(const model::Motion& motion);

/// Name of one velocity for people: the joint's name, and the motion if it has several.
std::string velocity_name(const model::Joint& joint, int entry);

}  // namespace featherline::report
