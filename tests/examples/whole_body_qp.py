"""Inverse dynamics of a quadruped as a quadratic program: the trunk moves up and down, forces stay in their cones.

Needs the solver of CVXOPT (Debian: python3-cvxopt); without it the program ends with status 77.
Run in the root of the repository: python3 tests/examples/whole_body_qp.py
"""
import sys

import numpy as np

import featherline

try:
    from cvxopt import matrix, solvers
except ImportError:
    print("skipped: whole_body_qp.py needs python3-cvxopt")
    sys.exit(77)

feet = [end + "_" + side + "_foot" for end in ("front", "rear") for side in ("left", "right")]
robot = featherline.load("robots/quadruped.urdf", base="floating", frames=["trunk", *(foot + ":point" for foot in feet)],
                         contacts=feet, functions=["mass_matrix", "bias", "frame_poses", "frame_velocities",
                                                   "frame_jacobians", "frame_bias", "constrained_dynamics", "integrate"])
nv, joints = robot.nv, slice(6, robot.nv)
strongest = np.array([joint.effort for joint in robot.joints[1:]])
friction, least_force = 0.6, 2.0  # of a foot: sideways over normal, normal [N]
cone = np.array([[1, 0, -friction], [-1, 0, -friction], [0, 1, -friction], [0, -1, -friction], [0, 0, -1]])
cones, cone_bounds = np.kron(np.eye(4), cone), np.tile([0, 0, 0, 0, -least_force], 4)
solvers.options["show_progress"] = False


def torques(q, v, wanted):
    """Torques that accelerate the trunk as wanted, and the accelerations that they cause."""
    M, h, J, b = robot.mass_matrix(q), robot.bias(q, v), robot.frame_jacobians(q), robot.frame_bias(q, v)
    J_trunk, J_feet = J[:6], J[6:]
    # Unknown: accelerations, then forces.
    task = np.hstack([J_trunk, np.zeros((6, 12))])
    cost = task.T @ task + 1e-6 * np.eye(nv + 12)
    of_motion = np.hstack([M, -J_feet.T])  # times the unknown, plus h: torques
    equal = np.vstack([of_motion[:6], np.hstack([J_feet, np.zeros((12, 12))])])
    equal_to = np.concatenate([-h[:6], -b[6:] - 20 * J_feet @ v])
    below = np.vstack([np.hstack([np.zeros((20, nv)), cones]), of_motion[joints], -of_motion[joints]])
    bounds = np.concatenate([cone_bounds, strongest - h[joints], strongest + h[joints]])
    found = solvers.qp(matrix(cost), matrix(-task.T @ (wanted - b[:6])), matrix(below), matrix(bounds), matrix(equal),
                       matrix(equal_to))
    assert found["status"] == "optimal", found["status"]
    x = np.array(found["x"]).ravel()
    return np.concatenate([np.zeros(6), (of_motion @ x + h)[joints]]), x[:nv]


q, v, active = robot.neutral.copy(), np.zeros(nv), np.ones(4)
q[7:] = np.tile([0.0, 0.8, -1.6], 4)
q[2] = -robot.frame_poses(q).p[1, 2]  # the feet stand on the ground
start, dt = robot.frame_poses(q).p[0], 5e-3
error = difference = 0.0
for k in range(200):
    phase = 2 * np.pi * k * dt
    p, R = (of_frames[0] for of_frames in robot.frame_poses(q))
    V = robot.frame_velocities(q, v)[:6]
    turned = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    height = 0.03 * np.array([1 - np.cos(phase), 2 * np.pi * np.sin(phase), (2 * np.pi) ** 2 * np.cos(phase)])
    off = np.concatenate([start - p, -turned])
    off[2] -= height[0]
    speed, wanted = np.zeros(6), np.zeros(6)
    speed[2], wanted[2] = -height[1], -height[2]
    tau, a = torques(q, v, wanted + 400 * off + 40 * (speed - V))
    if k == 0:  # at rest: what these torques do to a robot that stands on its feet
        difference = np.abs(robot.constrained_dynamics(q, v, tau, active).a - a).max()
    error = max(error, np.abs(off).max())
    v = v + dt * a
    q = robot.integrate(q, dt * v)

slid = np.abs(robot.frame_poses(q).p[1:, 2]).max()
print(f"trunk within {1e3 * error:.2f} mm and mrad, feet within {1e3 * slid:.2f} mm")
sys.exit(int(error > 2e-3 or slid > 2e-3 or difference > 1e-6))
