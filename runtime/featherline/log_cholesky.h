// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#ifndef FEATHERLINE_LOG_CHOLESKY_H
#define FEATHERLINE_LOG_CHOLESKY_H

/* The functions of log_cholesky.hpp for C, in double. One C++ source of the program includes log_cholesky_c.hpp, which
 * defines them. */

#ifdef __cplusplus
extern "C" {
#endif

/* pi: 10 inertial parameters of 10 numbers theta. */
void featherline_inertia_from_log_cholesky(const double* theta, double* pi);
/* d pi_i / d theta_j at dpi_dtheta[i + 10 j]. */
void featherline_inertia_from_log_cholesky_derivative(const double* theta, double* dpi_dtheta);
/* 1, or 0 where pi is no body of positive density: theta then keeps its values. */
int featherline_log_cholesky_from_inertia(const double* pi, double* theta);

#ifdef __cplusplus
}
#endif

#endif
