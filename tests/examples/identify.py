"""Identification by gradient descent: friction of all joints and a payload of arm7, from a recorded motion, by PyTorch.

Run in the root of the repository: python3 tests/examples/identify.py
"""
import sys

import featherline

try:
    import torch
except ImportError:
    print("SKIP: python3-torch is not installed")
    sys.exit(77)

arm = featherline.torch.load("robots/arm7.urdf", functions=["rnea", "aba", "regressor"], scalar="float64")
names = ["m", "m cx", "m cy", "m cz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]
true = {"payload": torch.tensor([1.2, 0.036, -0.012, 0.06, 0.012, 1e-4, 0.011, 3e-4, -2e-4, 0.006]),
        "viscous": torch.linspace(0.2, 0.8, arm.nv), "dry": torch.linspace(0.6, 0.3, arm.nv)}
true = {name: value.double() for name, value in true.items()}

# The motion: a sine in every joint, no two alike.
rate = torch.linspace(1.0, 3.0, arm.nv, dtype=torch.float64)
phase = rate * 0.01 * torch.arange(1000)[:, None]
q, v, a = 0.6 * phase.sin(), 0.6 * rate * phase.cos(), -0.6 * rate**2 * phase.sin()
Y = arm.regressor(q, v, a)[:, :, -10:]  # torques are Y times the payload: the last ten columns belong to the last body


def unmodelled(guess):
    """Torques that the robot's file does not know of."""
    friction = guess["viscous"] * v + guess["dry"] * torch.tanh(v / 0.05)
    return Y @ guess["payload"] + friction


measured = arm.rnea(q, v, a) + unmodelled(true)  # what a real arm would record

# The loss compares accelerations, which all joints have of about the same size: so it goes back through aba.
guess = {name: torch.zeros_like(value, requires_grad=True) for name, value in true.items()}
optimiser = torch.optim.LBFGS(guess.values(), max_iter=400, tolerance_grad=1e-12, tolerance_change=1e-14,
                              line_search_fn="strong_wolfe")


def loss():
    optimiser.zero_grad()
    value = (arm.aba(q, v, measured - unmodelled(guess)) - a).pow(2).mean()
    value.backward()
    return value


first, last = optimiser.step(loss), loss()
error = {name: (guess[name] - value).abs().max().item() for name, value in true.items()}
for name, value, truth in zip(names, guess["payload"], true["payload"]):
    print(f"{name:>5}  found {value:9.5f}  true {truth:9.5f}")
print(f"largest error: payload {error['payload']:.1e}, viscous friction {error['viscous']:.1e} N m s, "
      f"dry friction {error['dry']:.1e} N m; loss {first:.2e}, then {last:.2e}")
assert max(error.values()) < 1e-3, "friction and payload are not found"
