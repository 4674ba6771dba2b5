"""Inverse kinematics: damped Gauss-Newton steps bring the tool of an arm to given poses.

Run in the root of the repository: python3 tests/examples/inverse_kinematics.py
"""
import featherline
import numpy as np

arm = featherline.load("robots/arm7.urdf", functions=["frames"], frames=["flange"])
lower, upper = (np.array([getattr(joint, side) for joint in arm.joints]) for side in ("lower", "upper"))


def rotation_vector(R):
    """The axis of a rotation times its angle."""
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    sine, cosine = np.linalg.norm(axis), (np.trace(R) - 1) / 2
    return axis if sine < 1e-12 else axis * np.arctan2(sine, cosine) / sine


def solve(p_wanted, R_wanted, q, damping=1e-3, tolerance=1e-9):
    """Joint positions within the limits that give the tool this pose, or None."""
    for _ in range(200):
        p, R = arm.frame_poses(q)
        error = np.concatenate([p_wanted - p[0], rotation_vector(R_wanted @ R[0].T)])
        if np.linalg.norm(error) < tolerance:
            return q
        J = arm.frame_jacobians(q)  # rows: linear, angular, in the axes of the world
        step = J.T @ np.linalg.solve(J @ J.T + damping * np.linalg.norm(error) * np.eye(6), error)
        q = np.clip(q + step * min(1.0, 0.5 / np.abs(step).max()), lower, upper)
    return None


random = np.random.default_rng(0)
solved = 0
for _ in range(100):
    goal = random.uniform(0.8 * lower, 0.8 * upper)
    p, R = (of_frames[0] for of_frames in arm.frame_poses(goal))
    q = solve(p, R, np.clip(arm.neutral, lower, upper))
    if q is not None:
        solved += 1
        assert np.allclose(arm.frame_poses(q).p[0], p, atol=1e-8), "not the pose that was asked for"
print(f"{solved} of 100 poses reached from the neutral position")
assert solved >= 80, "too few poses reached"
