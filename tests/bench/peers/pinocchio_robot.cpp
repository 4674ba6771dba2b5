#include "peers/pinocchio_robot.hpp"

#include <pinocchio/algorithm/constrained-dynamics.hpp>

namespace featherline::bench {

namespace {

pinocchio::FrameIndex add_frame(pinocchio::Model& model, const model::Link& link) {
  const auto joint = static_cast<pinocchio::JointIndex>(link.body + 1);
  const pinocchio::SE3 placement(link.placement.R, link.placement.p);
  return model.addFrame(pinocchio::Frame(link.name + " link", joint, 0, placement, pinocchio::OP_FRAME),
                        false);
}

pinocchio::Model model_with_links(const model::Tree& tree) {
  pinocchio::Model model = build_pinocchio_model(tree);
  for (const model::Link& link : tree.links) add_frame(model, link);
  return model;
}

pinocchio::RigidConstraintModel contact(const pinocchio::Model& model, const model::Link& link,
                                        int num_rows) {
  const auto joint = static_cast<pinocchio::JointIndex>(link.body + 1);
  return {num_rows == 3 ? pinocchio::CONTACT_3D : pinocchio::CONTACT_6D, model, joint,
          pinocchio::SE3(link.placement.R, link.placement.p), pinocchio::LOCAL_WORLD_ALIGNED};
}

}  // namespace

PinocchioRobot::PinocchioRobot(const model::Tree& tree, const Chosen& chosen)
    : PinocchioWorkspace<double>{model_with_links(tree)},
      jacobian{Matrix6x::Zero(6, model.nv)},
      no_acceleration{Eigen::VectorXd::Zero(model.nv)},
      position{model.nq},
      step{model.nv} {
  const pinocchio::FrameIndex first = model.frames.size() - tree.links.size();
  for (std::size_t l = 0; l < tree.links.size(); ++l) links.push_back(first + l);
  link = links[static_cast<std::size_t>(chosen.link)];
  for (const int frame : chosen.frames) {
    frames.push_back(links[static_cast<std::size_t>(frame)]);
    jacobians.push_back(Matrix6x::Zero(6, model.nv));
    motions.emplace_back(pinocchio::Motion::Zero());
  }
  int rows = 0;
  for (const Chosen::Contact& c : chosen.contacts) {
    contacts.push_back(contact(model, tree.links[static_cast<std::size_t>(c.link)], c.num_rows));
    contact_data.push_back(contacts.back().createData());
    rows += c.num_rows;
  }
  delassus = Eigen::MatrixXd::Zero(rows, rows);
  if (!contacts.empty()) {
#if PINOCCHIO_VERSION_AT_LEAST(4, 0, 0)
    pinocchio::initConstraintDynamics(model, data, contacts, contact_data);
#else
    pinocchio::initConstraintDynamics(model, data, contacts);
#endif
  }
}

void PinocchioRobot::clear_tensors() {
  const int n = model.nv;
  if (tensors[0].size() != 0) return;
  for (pinocchio::Data::Tensor3x& T : tensors) T = pinocchio::Data::Tensor3x(n, n, n), T.setZero();
}

}  // namespace featherline::bench
