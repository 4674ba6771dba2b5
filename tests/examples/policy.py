"""A small network learns to bring planar3 to a pose and hold it there, by gradients through rollouts of the robot, with PyTorch.

Run in the root of the repository: python3 tests/examples/policy.py
"""
import sys

import featherline

try:
    import torch
except ImportError:
    print("SKIP: python3-torch is not installed")
    sys.exit(77)

torch.manual_seed(0)
robot = featherline.torch.load("robots/planar3.urdf", functions=["step", "gravity"], scalar="float32")
goal = torch.tensor([0.4, -0.8, 0.6])
policy = torch.nn.Sequential(torch.nn.Linear(3 * robot.nv, 32), torch.nn.Tanh(), torch.nn.Linear(32, robot.nv))
optimiser = torch.optim.Adam(policy.parameters(), lr=0.01)


def roll_out(count):
    """The mean cost of a second and a half from random states, and the mean distance from the goal at its end."""
    q, v = goal + torch.rand(count, 3) - 0.5, torch.rand(count, 3) - 0.5
    cost = torch.zeros(())
    for _ in range(75):
        tau = robot.gravity(q) + 0.5 * policy(torch.cat([(q - goal).sin(), (q - goal).cos(), v], -1))
        q, v = robot.step(q, v, tau, 0.02)
        cost = cost + 0.02 * ((q - goal).pow(2) + 0.05 * v.pow(2) + 0.01 * tau.pow(2)).sum(-1).mean()
    return cost, (q - goal).abs().mean().item()


with torch.no_grad():
    untrained = roll_out(256)[1]
for _ in range(150):
    optimiser.zero_grad()
    cost, _ = roll_out(64)
    cost.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimiser.step()
with torch.no_grad():
    trained = roll_out(256)[1]
print(f"mean distance from the goal after 1.5 s: {untrained:.3f} rad untrained, {trained:.3f} rad trained")
assert trained < 0.1, "the policy does not reach the goal"
