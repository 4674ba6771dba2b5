#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "model/tree.hpp"

namespace featherline::bench {

struct MujocoDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;

/// What keeps MuJoCo from representing this tree; empty if nothing does.
std::string unsupported_by_mujoco(const model::Tree& tree);

/// The tree, its bodies in depth-first order, as a MuJoCo model: body i + 1 is our body i, coordinates
/// likewise. MuJoCo's own URDF reader is not used, since it fuses bodies and rejects or alters inertias that
/// no real body could have; here the exact inertias are written into the compiled model. Throws
/// std::runtime_error with MuJoCo's message.
MujocoModel build_mujoco_model(const model::Tree& tree);
/// The same on a plane at z = 0, with a sphere for each contact of the tree that is one. Throws the same.
MujocoModel build_mujoco_on_plane(const model::Tree& tree, double step, double friction);

}  // namespace featherline::bench
