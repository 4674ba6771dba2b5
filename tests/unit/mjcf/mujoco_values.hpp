#pragma once

#include <filesystem>

namespace featherline::test {

/// Reads the model and compares all that a values file of MuJoCo has: names, masses, inertias, poses, M, bias, dynamics
/// of joints, equalities. NaN never passes.
void compare_with_mujoco(const std::filesystem::path& model, const std::filesystem::path& values);

}  // namespace featherline::test
