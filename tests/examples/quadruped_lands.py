"""A quadruped falls on stairs and stands: simulated, logged, and played in a page.

Run in the root of the repository: python3 tests/examples/quadruped_lands.py [page.html]
"""
import subprocess
import sys
import tempfile

import featherline
import numpy as np

feet = ["front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"]
robot = featherline.load("robots/quadruped.urdf", base="floating", contacts=feet,
                         functions=["contact_step", "forward_kinematics", "kinetic_energy", "potential_energy"])
stance = np.tile([0.0, 0.8, -1.6], 4)  # roll, pitch and knee of each leg


def stairs(points):
    """Steps of 5 cm along x, every 40 cm: gaps and normals."""
    heights = 0.05 * np.floor(points[:, 0] / 0.4)
    return points[:, 2] - heights, np.tile([0.0, 0.0, 1.0], (len(points), 1))


def hold(t, q, v):
    """Springs and dampers at the legs; nothing at the base."""
    return np.concatenate([np.zeros(6), 100.0 * (stance - q[7:]) - 1.5 * v[6:]])


q0 = np.concatenate([[0.1, 0.0, 0.45], [0.0, 0.0, 0.0, 1.0], stance])
log = featherline.simulate(robot, q0, np.zeros(robot.nv), duration=2.0, dt=5e-4, controller=hold, ground=stairs)
energy = log.energy().total
print(f"{len(log.tau)} steps; {energy[0] - energy[-1]:.1f} J are lost; speed at the end {np.abs(log.v[-1]).max():.2f}; "
      f"{int((log.status[-1, 4:] == 1).sum())} feet stand")

with tempfile.TemporaryDirectory() as folder:
    log.save_csv(f"{folder}/log.csv")
    page = subprocess.run([sys.executable, "-m", "featherline", "inspect", "robots/quadruped.urdf", "--base", "floating",
                           "--format=html", "--functions", "rnea", "--trajectory", f"{folder}/log.csv"],
                          check=True, stdout=subprocess.PIPE).stdout
if len(sys.argv) > 1:
    with open(sys.argv[1], "wb") as file:
        file.write(page)
assert (log.status[:, 2] == 0).all(), "impulses are not solved"
assert np.abs(log.v[-1]).max() < 0.1 and (log.status[-1, 4:] == 1).all(), "the quadruped does not stand"
