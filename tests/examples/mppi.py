"""Model predictive path integral control: every step simulates 10,000 random futures of an arm in one batch.

Run in the root of the repository: python3 tests/examples/mppi.py
"""
import time

import featherline
import numpy as np

arm = featherline.load("robots/arm6.urdf", functions=["aba", "gravity", "mass_matrix"], batch=True)
samples, horizon, h, temperature = 10_000, 20, 0.02, 0.05
goal = np.array([0.8, -0.6, 0.9, 0.4, -0.7, 0.5])
effort = np.array([joint.effort for joint in arm.joints])
spread = 10.0 * np.diag(arm.mass_matrix(arm.neutral))  # torques that make 10 rad/s^2
random = np.random.default_rng(0)


def roll_out(q, v, torques):
    """Costs of torques of shape (samples, horizon, nv), all from the same state."""
    q, v = np.tile(q, (samples, 1)), np.tile(v, (samples, 1))
    a, costs = np.empty_like(v), np.zeros(samples)
    for t in range(horizon):
        arm.aba(q, v, torques[:, t], out=a)
        v += h * a
        q += h * v
        costs += h * (np.sum((q - goal) ** 2, axis=1) + 0.05 * np.sum(v**2, axis=1))
    return costs + np.sum((q - goal) ** 2, axis=1)


def control(q, v, plan):
    """A better plan: the mean of random plans, the cheaper a plan the more it counts."""
    noise = spread * random.normal(size=(samples, horizon, arm.nv))
    torques = np.clip(plan + noise, -effort, effort)
    costs = roll_out(q, v, torques)
    weights = np.exp(-(costs - costs.min()) / temperature)
    return np.tensordot(weights / weights.sum(), torques, axes=1)


q, v = np.array(arm.neutral), np.zeros(arm.nv)
plan = np.tile(arm.gravity(q), (horizon, 1))
start = time.perf_counter()
for _ in range(75):
    plan = control(q, v, plan)
    v = v + h * arm.aba(q, v, plan[0])
    q = q + h * v
    plan = np.vstack([plan[1:], arm.gravity(q)])
seconds = (time.perf_counter() - start) / 75
print(f"error after 1.5 s: {np.abs(q - goal).max():.3f} rad; "
      f"{1e3 * seconds:.0f} ms a control step, which simulates {samples * horizon:,} steps of the arm")
assert np.abs(q - goal).max() < 0.2, "the arm does not reach the goal"
