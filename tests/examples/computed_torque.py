"""Computed-torque control: an arm of seven joints follows a sine in every joint, simulated with a payload it ignores.

Run: python3 computed_torque.py [plot.png]
"""
import sys

import featherline
import numpy as np

arm = featherline.load("robots/arm7.urdf", functions=["rnea", "aba"], parameters=["payload:flange"])
empty = np.zeros(10)
payload = np.array([0.5, 0, 0, 0.02, 2e-3, 0, 2e-3, 0, 0, 1e-3])  # m, m c, inertia about the link's origin

KP, KD = 400.0, 40.0  # errors die out within 0.2 s, without overshoot
amplitude, rate = 0.4, 2.0 * np.pi * 0.5
step, duration = 1e-3, 4.0


def wanted(t):
    """Position, velocity and acceleration that the arm shall have."""
    phase = rate * t + 0.5 * np.arange(arm.nv)
    return amplitude * np.sin(phase), amplitude * rate * np.cos(phase), -amplitude * rate**2 * np.sin(phase)


def torque(q, v, t):
    qd, vd, ad = wanted(t)
    return arm.rnea(q, v, ad + KD * (vd - v) + KP * (qd - q), empty)


def simulate(load):
    """Errors of all joints over time."""
    q, v = wanted(0.0)[0] + 0.1, wanted(0.0)[1]
    errors = []
    for t in np.arange(0.0, duration, step):
        v = v + step * arm.aba(q, v, torque(q, v, t), load)
        q = q + step * v
        errors.append(q - wanted(t + step)[0])
    return np.array(errors)


without, with_payload = simulate(empty), simulate(payload)
settled = slice(int(1.0 / step), None)
print(f"largest error after a second: {np.abs(without[settled]).max():.1e} rad, "
      f"{np.abs(with_payload[settled]).max():.1e} rad with a payload that the controller ignores")
assert np.abs(without[settled]).max() < 2e-3

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    time = np.arange(0.0, duration, step)
    axes.semilogy(time, np.abs(without).max(axis=1), label="model as it is")
    axes.semilogy(time, np.abs(with_payload).max(axis=1), "--", label="0.5 kg that it ignores")
    axes.set(xlabel="time [s]", ylabel="largest joint error [rad]", title="Computed torque, 7 joints")
    axes.legend()
    figure.savefig(sys.argv[1], dpi=120)
