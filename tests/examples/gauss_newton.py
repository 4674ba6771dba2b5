"""Identification by Gauss and Newton: inertias of all links of arm6 that can exist, and friction of its joints.

Run in the root of the repository: python3 tests/examples/gauss_newton.py
"""
import featherline
import numpy as np

words = ["damping", "friction"]
arm = featherline.load("robots/arm6.urdf", functions=["rnea", "regressor"], batch=True, regressor_columns=words,
                       parameters=words)
bodies = len(arm.body_names)
known, friction = arm.inertial_parameters[:10 * bodies].reshape(bodies, 10), slice(10 * bodies, None)
assert arm.joint_columns[0] == f"damping:{arm.joint_names[0]}"

# The arm that is measured: other masses, moments and friction than its file says.
random = np.random.default_rng(1)
theta_true = np.array([featherline.log_cholesky_from_inertia(pi) for pi in known]) + random.uniform(-0.2, 0.2, (bodies, 10))
pi_true = np.array([featherline.inertia_from_log_cholesky(theta) for theta in theta_true])
drives_true = random.uniform(0.2, 1.0, 2 * arm.nv)


def motion(count):
    """Sines of several rates in every joint, no two alike: q, v, a."""
    t, sums = 0.02 * np.arange(count)[:, None], []
    for order in range(3):
        sums.append(sum(0.4 * rate**order * np.sin(rate * t + k + order * np.pi / 2) for k, rate in enumerate(rates)))
    return sums


rates = np.array([np.linspace(1.0, 2.0, arm.nv), np.linspace(3.7, 2.3, arm.nv), np.linspace(4.1, 5.9, arm.nv)])
q, v, a = motion(1500)
Y = arm.regressor(q, v, a).reshape(-1, len(arm.inertial_parameters))
measured = Y @ np.concatenate([pi_true.ravel(), drives_true])

# The derivative of the ten by the ten without bounds, against differences.
theta, step = theta_true[0], 1e-6
D = featherline.inertia_from_log_cholesky_derivative(theta)
for k, unit in enumerate(step * np.eye(10)):
    difference = featherline.inertia_from_log_cholesky(theta + unit) - featherline.inertia_from_log_cholesky(theta - unit)
    assert np.abs(D[:, k] - difference / (2 * step)).max() < 1e-8
try:
    featherline.log_cholesky_from_inertia([-1.0] + [0.0] * 9)
    raise AssertionError("a body of negative mass has no theta")
except ValueError:
    pass

def inertias(thetas):
    return np.array([featherline.inertia_from_log_cholesky(theta) for theta in thetas])


def residual(thetas, drives):
    left = measured - Y @ np.concatenate([inertias(thetas).ravel(), drives])
    return left, np.sqrt((left**2).mean())


# Steps of Gauss and Newton for all theta and drives. Not all show in torques: the shortest step is taken. It is halved
# until the torques become better.
thetas, drives = np.array([featherline.log_cholesky_from_inertia(pi) for pi in known]), np.zeros(2 * arm.nv)
left, error = residual(thetas, drives)
for iteration in range(50):
    print(f"step {iteration}: torques differ by {error:.2e} N m")
    if error < 1e-9:
        break
    columns = [Y[:, 10 * b:10 * b + 10] @ featherline.inertia_from_log_cholesky_derivative(thetas[b]) for b in range(bodies)]
    delta = np.linalg.lstsq(np.hstack(columns + [Y[:, friction]]), left, rcond=1e-10)[0]
    for halved in range(30):
        step = delta / 2**halved
        trial = thetas + step[:10 * bodies].reshape(bodies, 10), drives + step[10 * bodies:]
        left_there, error_there = residual(*trial)
        if error_there < error:
            (thetas, drives), left, error = trial, left_there, error_there
            break
    else:
        break

print("damping and friction:", drives.round(4))
assert error < 1e-9, "torques are not met"
assert np.abs(drives - drives_true).max() < 1e-6, "friction is not found"
for number, body in enumerate(inertias(thetas)):  # inertias that can exist, whatever of them does not show
    J = np.array([[body[4], body[5], body[7]], [body[5], body[6], body[8]], [body[7], body[8], body[9]]])
    P = np.block([[np.trace(J) / 2 * np.eye(3) - J, body[1:4, None]], [body[None, 1:4], body[:1, None]]])
    assert np.linalg.eigvalsh(P).min() > 0, f"body {number} cannot exist"
# The columns are what rnea has of the same numbers as inputs.
more = arm.rnea(q[:9], v[:9], a[:9], drives) - arm.rnea(q[:9], v[:9], a[:9], 0 * drives)
assert np.abs(more.ravel() - Y[:9 * arm.nv, friction] @ drives).max() < 1e-12
