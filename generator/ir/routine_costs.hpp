#pragma once

#include "ir/kernel.hpp"

/// What routines of the runtime cost, from the tables that they read. routines.cpp names one of these in each row.
namespace featherline::ir::costs {

RoutineCost nothing(const Call& call);
RoutineCost rnea_second_derivatives(const Call& call);
RoutineCost minv(const Call& call);
RoutineCost inverse(const Call& call);
RoutineCost solve(const Call& call);
RoutineCost negative_product(const Call& call);
RoutineCost aba_derivatives(const Call& call);
RoutineCost aba_derivatives_behind_base(const Call& call);
RoutineCost aba_vector_hessian(const Call& call);
RoutineCost solve_second_derivatives(const Call& call);
RoutineCost panel_derivatives(const Call& call);
RoutineCost panel_second_derivatives(const Call& call);
RoutineCost panel_vector_hessian(const Call& call);
RoutineCost panel_mass_matrix_vector_derivative(const Call& call);

/// Related pairs of axes times coordinates: a product of M^-1 and a matrix with the zeros of the tree, one
/// multiplication each.
double size_of_product(const AxisTable& axes);
/// Operations of solve_second_derivatives in loops for one of n coordinates, of which r are on a path with it.
double flops_of_products(double n, double r);
/// Bytes of the constant table of zeros that the loops read; 0 if there is none.
int bytes_of_pattern(int nv);

}  // namespace featherline::ir::costs
