"""Computed-torque control: an arm of seven joints follows a sine in every joint, simulated with a payload it ignores.

Run in the root of the repository: python3 tests/examples/computed_torque.py [plot.png]
"""
import argparse

import featherline
import numpy as np

parser = argparse.ArgumentParser(description="Computed-torque control of an arm of seven joints.")
parser.add_argument("plot", nargs="?", help="a file for the plot of the errors, such as errors.png")
options = parser.parse_args()

arm = featherline.load("robots/arm7.urdf", functions=["rnea", "aba"], parameters=["payload:flange"])
empty = np.zeros(10)
payload = np.array([0.5, 0, 0, 0.02, 2e-3, 0, 2e-3, 0, 0, 1e-3])  # m, m c, inertia about the link's origin

KP, KD = 400.0, 40.0  # critically damped; errors shrink with a time constant of 0.05 s
amplitude, rate = 0.4, 2.0 * np.pi * 0.5
step, time = 1e-3, np.arange(0.0, 4.0, 1e-3)


def wanted(t):
    """Position, velocity and acceleration that the arm shall have."""
    phase = rate * t + 0.5 * np.arange(arm.nv)
    return amplitude * np.sin(phase), amplitude * rate * np.cos(phase), -amplitude * rate**2 * np.sin(phase)


def torque(q, v, t):
    qd, vd, ad = wanted(t)
    return arm.rnea(q, v, ad + KD * (vd - v) + KP * (qd - q), empty)


def simulate(load):
    """The largest error of a joint over time."""
    q, v = wanted(0.0)[0] + 0.1, wanted(0.0)[1]
    errors = []
    for t in time:
        v = v + step * arm.aba(q, v, torque(q, v, t), load)
        q = q + step * v
        errors.append(np.abs(q - wanted(t + step)[0]).max())
    return np.array(errors)


without, with_payload = simulate(empty), simulate(payload)
settled = slice(round(1.0 / step), None)
print(f"largest error after a second: {without[settled].max():.3e} rad, "
      f"{with_payload[settled].max():.3e} rad with a payload that the controller ignores")
assert without[settled].max() < 5e-4, "the arm does not follow"

if options.plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    axes.semilogy(time, without, label="model as it is")
    axes.semilogy(time, with_payload, "--", label="0.5 kg that it ignores")
    axes.set(xlabel="time [s]", ylabel="largest joint error [rad]", title="Computed torque, 7 joints")
    axes.legend()
    figure.savefig(options.plot, dpi=120)
