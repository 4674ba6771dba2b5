#pragma once

#include "emit/emit.hpp"

#include <string>
#include <vector>

/// Functions that a device computes by several kernels, because one thread has no room for all of their values.
namespace featherline::emit {

/// The name behind which the kernel of featherline/cuda/products.hpp stands in for a function.
inline const std::string products_kernel = "products";

/// The kernels of `aba_derivatives` in turn: a goes to a place of M^-1 first. Empty for other functions, where one of the
/// others has no kernel here, and where the function's own kernel is predicted to take less time.
std::vector<DeviceLaunch> launches_in_turn(const Request& request, const LoweredFunction& function,
                                           const std::string& scalar);

/// Of the function, on the device that the request names. Where it is computed in turn, the time by element is that of all
/// kernels, and registers and spilled bytes are the most of one.
cost::DeviceFigures device_figures(const Request& request, const LoweredFunction& function,
                                   const std::string& scalar, const std::vector<DeviceLaunch>& in_turn);

}  // namespace featherline::emit
