"""A parameter study on many processes, by Dask: how far the tool of planar3 swings, for random damping and torques. One worker
is killed half way; the result is complete and the same as without.

Run in the root of the repository: python3 tests/examples/many_machines.py [rollouts, by default 20000] [workers]
"""
import logging
import os
import signal
import sys

import featherline
import numpy as np

try:
    import distributed
except ImportError:
    print("SKIP: python3-distributed is not installed")
    sys.exit(77)

STEPS, DT = 100, 0.005


def study(robot, seed, count):
    """The largest distance of the tool from its start, for each of `count` rollouts, which `seed` makes."""
    random = np.random.default_rng(seed)
    damping, tau = random.uniform(0.0, 0.005, (count, 1)), 0.3 * random.normal(size=(count, robot.nv))
    q, v = np.zeros((count, robot.nq)), np.zeros((count, robot.nv))
    start, far = robot.frame_poses(q).p, np.zeros(count)
    for _ in range(STEPS):
        q, v = robot.step(q, v, tau - damping * v, np.full(count, DT))
        far = np.maximum(far, np.linalg.norm((robot.frame_poses(q).p - start)[:, 0], axis=1))
    return far


def main(rollouts, workers):
    robot = featherline.load("robots/planar3.urdf", functions=["step", "frame_poses"], batch=True)
    size = max(1, min(20_000, rollouts // 20))
    sizes = [min(size, rollouts - first) for first in range(0, rollouts, size)]
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # which would tell of the worker that dies
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None,
                                  silence_logs=logging.CRITICAL) as cluster, distributed.Client(cluster) as client:
        # On other machines: client = distributed.Client("scheduler:8786"); the rest is the same.
        parts = client.map(study, [robot] * len(sizes), range(len(sizes)), sizes, pure=False)
        finished = distributed.as_completed(parts)
        for _ in range(len(parts) // 2):
            next(finished)
        victim = next(iter(client.run(os.getpid).values()))
        os.kill(victim, signal.SIGKILL)
        found = np.concatenate(client.gather(parts))
    for k in {0, len(sizes) // 2, len(sizes) - 1}:
        assert np.array_equal(found[k * size : k * size + sizes[k]], study(robot, k, sizes[k])), "the results differ"
    assert found.shape == (rollouts,) and np.all(found > 0.0)
    print(f"{rollouts} rollouts of {STEPS} steps on {workers} workers, one of which was killed: the tool moves "
          f"{found.mean():.4f} m, at most {found.max():.4f} m")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    main(*(numbers + [20_000, 2][len(numbers) :]))
