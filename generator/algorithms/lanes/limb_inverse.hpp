#pragma once

#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/matrices.hpp"
#include "algorithms/routines/routine_calls.hpp"

#include <algorithm>

/// Solutions with the joint-space inertia M in limb lanes. Different limbs meet in the trunk only. With t for the trunk
/// and l for a limb, M = [M_tt M_tl; M_lt M_ll]. RBDA section 6.5 eliminates in the same order, coordinate by
/// coordinate.
///
///   W = M_ll^-1 M_lt
///   S = M_tt - sum over the limbs of M_tl W
///
/// The solution of M x = b:
///
///   y_l = M_ll^-1 b_l,  x_t = S^-1 (b_t - sum of M_tl y_l),  x_l = y_l - W x_t.
namespace featherline::algorithms {

/// The rows of a symmetric matrix whose different limbs meet in the trunk only: the coordinates of a folded tree, and
/// possibly others.
struct LimbCoordinates {
  std::vector<std::vector<int>> places;  ///< in the full matrix, by lane
  std::vector<int> group;                ///< of limbs, -1 for the trunk
  int full_size = 0;

  int count() const { return static_cast<int>(places.size()); }
};
LimbCoordinates limb_coordinates(const Context& context);

/// The rows and columns `coordinates` of M.
SquareMatrix block(const SquareMatrix& M, const std::vector<int>& coordinates);

class LimbInverse {
 public:
  /// `M` is by coordinate of the folded tree, or by `coordinates`. A limb's coordinates are eliminated from the last to
  /// the first.
  LimbInverse(Context& context, const SquareMatrix& M) : LimbInverse(context, M, limb_coordinates(context)) {}
  LimbInverse(Context& context, const SquareMatrix& M, LimbCoordinates coordinates);

  /// The same inverse, to solve with in another kernel (solver_of_numbers()).
  LimbInverse in(Context& context) const {
    LimbInverse copy = *this;
    copy.c_ = &context;
    return copy;
  }
  /// f(number, lanes) of all numbers that the factorisation computed, in an order that is always the same.
  template <class F>
  void each_number(const F& f) {
    for (SparseFactor& factor : trunk_factor_) factor.each_number([&](Scalar& x) { f(x, 1); });
    for (Group& group : groups_) {
      const auto in_lanes = [&](Scalar& x) { f(x, group.lanes); };
      group.factor.each_number(in_lanes);
      for (std::vector<Coordinates>* columns : {&group.W, &group.M_lt}) {
        for (Coordinates& column : *columns) std::ranges::for_each(column, in_lanes);
      }
    }
  }

  /// The diagonal entry of M_ll^-1 of a limb's coordinate.
  Scalar inverse_in_limb(int coordinate) const;

  /// M^-1 b, by coordinate of the folded tree.
  Coordinates solve(const Coordinates& b) const;

  /// Solutions for one right-hand side for each limb of a group, side by side. Lane k belongs to the right-hand side of
  /// limb k, which is zero in all other limbs. `b` is by coordinate of the folded tree, the result by coordinate of the
  /// full tree, where limbs differ.
  Coordinates solve_for_limbs(int group, const Coordinates& b) const;

  /// Of a row for each limb of a group, which is zero in all other limbs: what is left of it in the limb and in the
  /// trunk by half of the solution. For any two such rows, the product of M^-1 with both is the product
  /// of their halves.
  struct Half {
    Coordinates in_limb, in_trunk;
  };
  Half half(int group, const Coordinates& row) const;
  /// The parts of the product. What limbs have is zero between different limbs.
  Scalar product_in_trunk(const Coordinates& y, const Coordinates& z) const;
  Scalar product_in_limb(int group, const Half& y, const Half& z) const;

  /// M^-1 as entries of a full matrix.
  std::vector<StoredEntry> inverse() const;
  /// The columns of M^-1 that belong to the trunk.
  std::vector<StoredEntry> inverse_of_trunk() const;

  enum class Columns { all, of_trunk };
  /// -M^-1 A as entries of a full matrix, for a matrix A whose columns of a limb are zero in all other limbs.
  /// Columns before `first` are left out.
  std::vector<StoredEntry> negative_product(const SquareMatrix& A, int first = 0,
                                            Columns which = Columns::all) const;

 private:
  struct Group {
    std::vector<int> coordinates;  // of the folded tree
    int lanes;
    SparseFactor factor;            // of M_ll
    std::vector<Coordinates> W;     // by coordinate of the trunk: a column of W
    std::vector<Coordinates> M_lt;  // the same of M_lt
  };

  /// M_tl y.
  static Coordinates at_trunk(const Group& group, const Coordinates& y);
  /// S^-1 b.
  Coordinates solve_for_trunk(Coordinates b) const;
  /// S^-1.
  SquareMatrix inverse_in_trunk() const;
  /// y - W x_t, with W of all limbs or of one.
  static Coordinates in_limb(const Group& group, int lane, Coordinates y, const Coordinates& x_t);
  /// By coordinate of the full tree, from what a column of M^-1 or of a product is in the trunk and in its own limb.
  Coordinates in_all_limbs(const Group& own, const Coordinates& y, const Coordinates& x_t) const;
  /// Of a coordinate of the trunk, the entries of its column: x is by coordinate of the folded tree. Of a coordinate of
  /// a limb, those of its columns in all limbs of the group: x is by coordinate of the full tree.
  void append_columns(int column, const Coordinates& x, std::vector<StoredEntry>& entries) const;

  Context* c_;
  LimbCoordinates coordinates_;
  std::vector<int> trunk_;  // coordinates of the folded tree
  std::vector<Group> groups_;
  std::vector<SparseFactor> trunk_factor_;  // of S; none without a trunk
};

// Forward dynamics in limb lanes, where limbs are coupled through the trunk. All other algorithms
// work in lanes as they are.

Acceleration acceleration_in_lanes;
void aza_in_lanes(Context& context);
void minv_in_lanes(Context& context);
void aba_derivatives_in_lanes(Context& context);
/// a by coordinate of the folded tree, and its derivatives as entries of full matrices.
struct StoredDynamics {
  Coordinates a;
  std::vector<StoredEntry> da_dq, da_dv, da_dtau;
};
StoredDynamics stored_dynamics_in_lanes(Context& context);
void minv_vector_derivative_in_lanes(Context& context);
/// The same with one function for all columns of limbs.
void aba_derivatives_by_limb_columns(Context& context);
/// The derivatives times dt, as the rows of v' in A and B of a step.
void rates_of_step_by_limb_columns(Context& context);
void minv_vector_derivative_by_limb_columns(Context& context);
/// The same with unrolled routines (featherline/unrolled_inverse.hpp): for M^-1, or for products with it.
void minv_in_lanes_and_kernels(Context& context);
void aba_derivatives_in_lanes_and_kernels(Context& context);
void aba_vector_hessian_in_lanes_and_kernels(Context& context);

// Columns of derivatives in limb lanes by calls.

/// Columns of M^-1 A that belong to limbs, each by a call of one internal function. Unrolled, every column has its own
/// copy of the same solution: a fifth of the code of hyq's aba_derivatives.
class LimbColumns {
 public:
  /// Of outputs with so many rows.
  LimbColumns(Context& context, const LimbInverse& inverse, int rows)
      : c_(context), inverse_(inverse), rows_(rows), calls_(context, solver_numbers(inverse)) {}

  /// Adds the columns of limbs of M^-1 A to the output, where `begin` is the first entry of all columns. Lane k of a
  /// column of A belongs to limb k.
  void add(const std::string& output, const SquareMatrix& A, int begin = 0);
  /// Calls the functions for all columns. All outputs that have columns must be written by write() afterwards.
  void run();
  /// Writes an output whose columns of limbs were added. `entries` are those of other columns; what is not left out is
  /// zero.
  void write(const std::string& output, const std::vector<StoredEntry>& entries,
             const std::set<int>& left_out = {}) {
    calls_.write(output, entries, left_out);
  }

 private:
  /// How far the columns of the limbs are from the first of them, in the output.
  using Distances = std::vector<int>;
  /// Solves for the columns of a group.
  struct Function {
    std::shared_ptr<ir::Kernel> kernel;
    std::vector<int> places;  ///< what it writes: entries that are not zero
    int number = 0;
  };
  std::vector<int> coordinates_of_b(int group) const;
  void make(int group, const Distances& distances, Function& function);

  Context& c_;
  const LimbInverse& inverse_;
  int rows_;
  ColumnCalls calls_;
  std::map<std::pair<int, Distances>, Function> functions_;
};

}  // namespace featherline::algorithms
