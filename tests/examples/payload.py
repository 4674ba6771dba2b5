"""Identification: the ten inertial parameters of an unknown payload from torques of an arm that moves.

Run in the root of the repository: python3 tests/examples/payload.py
"""
import featherline
import numpy as np

arm = featherline.load("robots/arm7.urdf", functions=["rnea", "regressor"], parameters=["payload:link7"], batch=True)
names = ["m", "m cx", "m cy", "m cz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]
true = np.array([1.2, 0.036, -0.012, 0.06, 0.012, 1e-4, 0.011, 3e-4, -2e-4, 0.006])
empty = np.zeros(10)

# What a real arm would record in 20 s: a sine in every joint, no two alike, and torques in multiples of 0.02 N m.
rate, resolution = np.linspace(1.0, 3.0, arm.nv), 0.02
phase = rate * 0.01 * np.arange(2000)[:, None]
q, v, a = 0.6 * np.sin(phase), 0.6 * rate * np.cos(phase), -0.6 * rate**2 * np.sin(phase)
measured = np.round(arm.rnea(q, v, a, true) / resolution) * resolution

# tau = Y pi: the last ten columns belong to the last body. The payload's part of tau is what the empty arm lacks.
Y = arm.regressor(q, v, a)[:, :, -10:].reshape(-1, 10)
difference = (measured - arm.rnea(q, v, a, empty)).reshape(-1)
found, _, rank, _ = np.linalg.lstsq(Y, difference, rcond=None)
assert rank == 10, "these motions do not show all ten parameters"

for name, value, truth in zip(names, found, true):
    print(f"{name:>5}  found {value:9.5f}  true {truth:9.5f}")
assert np.abs(found - true).max() < 2e-4, "the payload is not found"
