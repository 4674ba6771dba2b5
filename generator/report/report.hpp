#pragma once

#include "description/description.hpp"
#include "emit/emit.hpp"
#include "lowered/lowered_function.hpp"
#include "model/tree.hpp"
#include "robot.hpp"
#include "selection/function_plan.hpp"
#include "support/diagnostic.hpp"
#include "support/observer.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The page of `featherline inspect --format=html`: one file for a browser, which needs no other file and no network.
/// The same robot and options give the same bytes.
namespace featherline::report {

/// An output of nv rows and columns, and its structural zeros: the entries that are zero in every state of the robot.
struct Matrix {
  std::string function, output, meaning;
  int size = 0;  ///< nv
  std::vector<bool>
      nonzero;  ///< column by column: all entries but the structural zeros; empty if nobody knows them

  bool at(int row, int column) const { return nonzero[static_cast<std::size_t>(row + size * column)]; }
  bool is_known() const { return !nonzero.empty(); }
  int num_nonzeros() const;
};

/// What the page is about.
struct Report {
  const Robot* robot = nullptr;
  Diagnostics findings;
  std::vector<emit::FunctionFacts> functions;  ///< as the report of `generate` has them
  std::vector<Matrix> matrices;
  int image_bytes = 0;       ///< estimate of all functions with what they share
  cost::Target target = {};  ///< of the estimates
  int flash_wait_states = 0;
  std::string flags;       ///< the options in effect
  std::string trajectory;  ///< that the drawing plays (trajectory_json()), or nothing
};

/// Lowers the functions of the plan as `generate` does. Throws InputError if a function disagrees with the reference
/// solver.
Report make_report(const Robot& robot, Plan plan, const Options& options, const Observer& observer);

/// The whole page.
std::string page(const Report& report);

// The parts that the page is put together from: HTML, unless it says something else.

/// "{name}: {value}": an entry of a list of terms.
std::string term(std::string_view name, std::string_view html);

/// The kinematic tree as SVG: a row for each body. A link's area follows its mass. A chain stays in its column, and
/// branches move to the next one.
std::string tree_picture(const model::Tree& tree);

/// Joints in the order of q, with indices, limits and units.
std::string joint_table(const model::Tree& tree);

/// Links of the robot's file: masses, centres of mass, principal moments and the ellipsoid that is equivalent.
std::string link_table(const Robot& robot);

/// The homogeneous ellipsoid that has the mass, the centre of mass and the inertia of a link.
struct Ellipsoid {
  model::Vector3 moments;    ///< principal moments of inertia, smallest first [kg m^2]
  model::Vector3 semi_axes;  ///< largest first [m]; 0 in a direction in which no body has such an inertia
  /// 5/m (tr(I)/2 - I), in the axes of the link: its eigenvalues are the squares of the semi-axes [m^2].
  model::Matrix3 shape;
  std::string flaw;  ///< why no body has this inertia, as a clause; empty if one has
};

/// Nothing for a link without inertia.
std::optional<Ellipsoid> equivalent_ellipsoid(const description::Link& link);

/// What the terminal shows, too, without the folder of the file; and the findings of a kind each by itself.
std::string finding_list(const Diagnostics& findings);

/// Functions with the figures of the report of `generate`.
std::string function_table(const Report& report);

/// Functions that loops of the runtime compute store their outputs without knowing the zeros. For these the packed form
/// is planned, too, unless it takes long. Returns the names of the packed forms that the user did not ask for.
std::vector<std::string> plan_matrices(Plan& plan, const model::UserTree& tree, const Options& options);

/// The matrices of all functions. The zeros are those of the dense or of the packed form, of the one that knows more.
/// Removes the functions `added`.
std::vector<Matrix> take_matrices(std::vector<LoweredFunction>& functions,
                                  const std::vector<std::string>& added, const model::UserTree& tree);

/// A picture for each matrix that has structural zeros, and a sentence about those that have none.
std::string matrix_pictures(const std::vector<Matrix>& matrices);

/// The robot as the page's script reads it (print_script_json).
/// The comment in templates/html/kinematics.js.in lists the keys.
std::string scene_json(const Robot& robot);

/// The states of a file of --trajectory, at most sixty a second, as the page's script reads them: t, and q by state.
/// Throws InputError with file and line: a file that cannot be read or is empty, columns that are missing or of another
/// robot, what is no finite number, a time that does not grow.
std::string trajectory_json(const std::string& file, const model::Tree& tree);

}  // namespace featherline::report
