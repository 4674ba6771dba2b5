#include "algorithms/lanes/limb_inverse.hpp"

#include "algorithms/derivatives/derivatives.hpp"
#include "algorithms/dynamics/dynamics.hpp"
#include "algorithms/dynamics/floating_base.hpp"
#include "algorithms/routines/routine_calls.hpp"

#include <algorithm>

namespace featherline::algorithms {
namespace {

using Values = Coordinates;
using Matrix = SquareMatrix;

/// M^-1 and the derivatives of inverse dynamics at the acceleration of the state.
struct ForwardDerivatives {
  OwnFrames own_frames;
  LimbInverse inverse;
  Values a;
  FirstDerivatives id;
};

ForwardDerivatives forward_derivatives(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const FreeRobot free(c, own_frames);
  const LimbInverse inverse(c, free.M);
  c.begin_section("accelerations");
  const Values a = inverse.solve(free.net_torque);
  const FirstDerivatives id = first_derivatives(c, c.input("v"), a, own_frames);
  c.begin_section("products with the inverse of the inertia");
  return {own_frames, inverse, a, id};
}

struct Products {
  std::vector<StoredEntry> da_dq, da_dv;
};

/// A floating base's own columns are known (FloatingBase), and come before all others.
Products products(Context& c, const ForwardDerivatives& parts, LimbInverse::Columns which) {
  const FloatingBase base(c, c.input("v"));
  Matrix base_q(c.nv()), base_v(c.nv());
  base.set_columns(base_q, base_v);
  const auto derivative = [&](const Matrix& of_base, int num_known, const Matrix& dtau) {
    if (!base.applies()) num_known = 0;
    std::vector<StoredEntry> entries;
    for (int k = 0; k < num_known; ++k) {
      for (int row = 0; row < c.nv(); ++row) {
        if (!of_base(row, k).is_zero()) entries.push_back({{row + c.full_tree().nv * k}, of_base(row, k)});
      }
    }
    const std::vector<StoredEntry> more = parts.inverse.negative_product(dtau, num_known, which);
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
  };
  return {derivative(base_q, FloatingBase::columns_q, parts.id.dtau_dq),
          derivative(base_v, FloatingBase::columns_v, parts.id.dtau_dv)};
}

/// Columns of M^-1 A that belong to limbs, each by a call of one internal function. Unrolled, every column has its own
/// copy of the same solution: a fifth of the code of hyq's aba_derivatives.
class LimbColumns {
 public:
  LimbColumns(Context& c, const LimbInverse& inverse)
      : c_(c), inverse_(inverse), calls_(c, solver_numbers(inverse)) {}

  /// Adds the columns of limbs of M^-1 A to the output. Lane k of a column of A belongs to limb k.
  void add(const std::string& output, const Matrix& A) {
    const int n = c_.full_tree().nv;
    for (int k = 0; k < c_.nv(); ++k) {
      const int group = c_.folding().group_of_velocity[index(k)];
      if (group < 0) continue;
      const std::vector<int>& columns = c_.folding().velocities[index(k)];
      const int first = std::ranges::min(columns);
      Distances distances;
      for (const int column : columns) distances.push_back(n * (column - first));
      Function& function = functions_[{group, distances}];
      if (function.kernel == nullptr) make(group, distances, function);
      Values b = each(coordinates_of_b(group), [&](const int i) { return A(i, k); });
      calls_.add(function.kernel, static_cast<int>(columns.size()), b,
                 {{output, n * first, function.places}});
    }
  }
  /// Calls the functions for all columns. All outputs that have columns must be written by write() afterwards.
  void run() {
    for (auto& [key, function] : functions_) {
      if (functions_.size() > 1) function.kernel->name += "_" + std::to_string(function.number);
    }
    calls_.run();
  }
  /// Writes an output whose columns of limbs were added. `entries` are those of other columns; the rest is zero.
  void write(const std::string& output, const std::vector<StoredEntry>& entries) {
    calls_.write(output, entries);
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

  std::vector<int> coordinates_of_b(int group) const {
    std::vector<int> list;
    for (int k = 0; k < c_.nv(); ++k) {
      const int of = c_.folding().group_of_velocity[index(k)];
      if (of < 0 || of == group) list.push_back(k);
    }
    return list;
  }

  void make(int group, const Distances& distances, Function& function) {
    const std::vector<int> coordinates = coordinates_of_b(group);
    const auto lanes = static_cast<int>(distances.size());
    auto kernel = std::make_shared<ir::Kernel>();
    kernel->name = "columns";
    kernel->inputs = calls_.inputs(lanes * static_cast<int>(coordinates.size()));
    kernel->outputs = {{"x", std::ranges::max(distances) + c_.full_tree().nv}};
    Context context = c_.in_kernel(*kernel);
    Values b = context.zeros();
    for (std::size_t k = 0; k < coordinates.size(); ++k)
      b[index(coordinates[k])] = kernel->gather(1, spaced_places(lanes * static_cast<int>(k), lanes));
    const Values x = solver_of_numbers(inverse_.in(context), *kernel).solve_for_limbs(group, b);
    for (std::size_t row = 0; row < x.size(); ++row) {
      if (x[row].is_zero()) continue;
      std::vector<int> places = distances;
      for (int& place : places) place += static_cast<int>(row);
      kernel->scatter(0, places, x[row]);
      function.places.insert(function.places.end(), places.begin(), places.end());
    }
    function.kernel = std::move(kernel);
    function.number = static_cast<int>(functions_.size());
  }

  Context& c_;
  const LimbInverse& inverse_;
  ColumnCalls calls_;
  std::map<std::pair<int, Distances>, Function> functions_;
};

Matrix negative(const Matrix& A) {
  Matrix negative(A.size());
  for (int k = 0; k < A.size(); ++k) negative.set_column(k, -A.column(k));
  return negative;
}

}  // namespace

Coordinates acceleration_in_lanes(Context& c, const Coordinates& v, const Coordinates& tau) {
  const LimbInverse inverse(c, joint_space_inertia(c));
  return inverse.solve(net_torque(c, v, tau));
}

void aza_in_lanes(Context& c) { c.output("x", LimbInverse(c, joint_space_inertia(c)).solve(c.input("b"))); }

void minv_in_lanes(Context& c) { c.output("Minv", LimbInverse(c, joint_space_inertia(c)).inverse()); }

void minv_in_lanes_and_kernels(Context& c) {
  c.local("M", joint_space_inertia(c).column_major(), matrix);
  Context full = c.unfolded();
  call_on_tree(full, Routines::unrolled, ir::Routine::minv, {"M", "Minv"});
}

void aba_derivatives_in_lanes(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  const auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::all);
  c.output("da_dq", da_dq);
  c.output("da_dv", da_dv);
  c.begin_section("inverse of the inertia");
  c.output("da_dtau", parts.inverse.inverse());
}

StoredDynamics stored_dynamics_in_lanes(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::all);
  c.begin_section("inverse of the inertia");
  return {parts.a, std::move(da_dq), std::move(da_dv), parts.inverse.inverse()};
}

void aba_derivatives_in_lanes_and_kernels(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  c.output("da_dtau", parts.inverse.inverse());
  c.output("da_dq", parts.id.dtau_dq.column_major(), matrix);
  c.output("da_dv", parts.id.dtau_dv.column_major(), matrix);
  Context full = c.unfolded();
  call_aba_derivatives(full, Routines::unrolled);
}

void aba_vector_hessian_in_lanes_and_kernels(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.local("Minv", c.full_tree().nv * c.full_tree().nv, parts.inverse.inverse());
  c.local("dtau_dq", parts.id.dtau_dq.column_major(), matrix);
  c.local("dtau_dv", parts.id.dtau_dv.column_major(), matrix);
  const Values lambda = parts.inverse.solve(c.input("w"));
  const VectorHessian h = vector_hessian(c, c.input("v"), parts.a, lambda, parts.own_frames);
  c.local("P", h.dMw_dq.column_major(), matrix);
  c.local("H_tau", hessian_entries(h), hessian);
  Context full = c.unfolded();
  call_aba_vector_hessian(full, Routines::unrolled);
}

void aba_derivatives_by_limb_columns(Context& c) {
  const ForwardDerivatives parts = forward_derivatives(c);
  c.output_acceleration(parts.a);
  Matrix unit(c.nv());
  for (int k = 0; k < c.nv(); ++k) unit(k, k) = 1.0;
  LimbColumns columns(c, parts.inverse);
  columns.add("da_dq", negative(parts.id.dtau_dq));
  columns.add("da_dv", negative(parts.id.dtau_dv));
  columns.add("da_dtau", unit);
  columns.run();
  const auto [da_dq, da_dv] = products(c, parts, LimbInverse::Columns::of_trunk);
  columns.write("da_dq", da_dq);
  columns.write("da_dv", da_dv);
  c.begin_section("inverse of the inertia");
  columns.write("da_dtau", parts.inverse.inverse_of_trunk());
}

namespace {

struct ContractedInertia {
  LimbInverse inverse;
  Matrix P;  ///< d (M lambda) / dq, with lambda = M^-1 w
};

ContractedInertia contracted_inertia(Context& c) {
  const OwnFrames own_frames = chosen_frames(c.tree());
  const LimbInverse inverse(c, first_derivatives(c, c.zeros(), c.zeros(), own_frames).M);
  const Matrix P = vector_hessian(c, c.zeros(), c.zeros(), inverse.solve(c.input("w")), own_frames).dMw_dq;
  c.begin_section("products with the inverse of the inertia");
  return {inverse, P};
}

}  // namespace

void minv_vector_derivative_in_lanes(Context& c) {
  const ContractedInertia parts = contracted_inertia(c);
  c.output("dMinvw_dq", parts.inverse.negative_product(parts.P));
}

void minv_vector_derivative_by_limb_columns(Context& c) {
  const ContractedInertia parts = contracted_inertia(c);
  LimbColumns columns(c, parts.inverse);
  columns.add("dMinvw_dq", negative(parts.P));
  columns.run();
  columns.write("dMinvw_dq", parts.inverse.negative_product(parts.P, 0, LimbInverse::Columns::of_trunk));
}

}  // namespace featherline::algorithms
