// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 the Featherline authors
#pragma once

#include <featherline/log_cholesky.h>
#include <featherline/log_cholesky.hpp>

/// Defines what log_cholesky.h declares. Include it in one source of a program.

void featherline_inertia_from_log_cholesky(const double* theta, double* pi) {
  featherline::inertia_from_log_cholesky(theta, pi);
}
void featherline_inertia_from_log_cholesky_derivative(const double* theta, double* dpi_dtheta) {
  featherline::inertia_from_log_cholesky_derivative(theta, dpi_dtheta);
}
int featherline_log_cholesky_from_inertia(const double* pi, double* theta) {
  return featherline::log_cholesky_from_inertia(pi, theta) ? 1 : 0;
}
