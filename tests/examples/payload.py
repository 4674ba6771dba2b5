"""Identification: the ten inertial parameters of an unknown payload from torques of an arm that moves.

Run: python3 payload.py
"""
import featherline
import numpy as np

arm = featherline.load("robots/arm7.urdf", functions=["rnea", "regressor"], parameters=["payload:link7"], batch=True)
names = ["m", "m cx", "m cy", "m cz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]
true = np.array([1.2, 0.036, -0.012, 0.06, 0.012, 1e-4, 0.011, 3e-4, -2e-4, 0.006])
empty = np.zeros(10)

# What a real arm would record: motions, and torques with noise of 0.05 N m.
random = np.random.default_rng(0)
count = 2000
q = random.uniform(-1.5, 1.5, (count, arm.nq))
v, a = random.uniform(-2, 2, (count, arm.nv)), random.uniform(-6, 6, (count, arm.nv))
measured = arm.rnea(q, v, a, true) + random.normal(scale=0.05, size=(count, arm.nv))

# tau = Y pi: the last ten columns belong to the last body, the payload's part of the torques is what the empty arm lacks.
Y = arm.regressor(q, v, a)[:, :, -10:].reshape(-1, 10)
difference = (measured - arm.rnea(q, v, a, empty)).reshape(-1)
found, _, rank, _ = np.linalg.lstsq(Y, difference, rcond=None)
assert rank == 10, "these motions do not show all ten parameters"

for name, value, truth in zip(names, found, true):
    print(f"{name:>5}  found {value:9.5f}  true {truth:9.5f}")
assert np.allclose(found, true, atol=2e-3)
