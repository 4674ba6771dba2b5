"""Imports the module that add_robot_dynamics() built and looks at all that it holds."""
import ast
import pathlib

import legs
import numpy as np

assert (legs.nq, legs.nv, legs.name) == (9, 8, "legs")
assert legs.joints[0].type == "floating" and legs.joint_names[1] == "front_left_hip_roll"
assert legs.parents[0] == -1 and abs(legs.total_mass - 8.252) < 1e-12
assert legs.external_forces == ("trunk",) and legs.parameters[0].name == "gravity"
assert [f.name for f in legs.frames] == ["front_left_foot", "imu"] and legs.frames[1].num_rows == 3
assert [c.name for c in legs.constraints] == ["front_left_foot", "front_right_foot"]
assert [c.normal_row for c in legs.constraints] == [2, 5]

random = np.random.default_rng(1)
q = np.array(legs.neutral)
q[7:] += random.uniform(-1, 1, legs.nq - 7)
v, a = random.uniform(-1, 1, (2, legs.nv))
fext, p = random.uniform(-1, 1, (1, 6)), np.array(legs.parameter_defaults)

# The equations of motion, put together from other functions. The trunk's frame has the axes of the world here.
tau = legs.rnea(q, v, a, fext, p)
M = legs.mass_matrix(q)
J = legs.frame_jacobian(q, "trunk")
bias = legs.bias(q, v, np.zeros((1, 6)), p)
assert np.allclose(M, M.T) and np.allclose(M @ a + bias - J.T @ fext[0], tau, atol=1e-12)
assert np.array_equal(legs.rnea(a=a, v=v, q=q, p=p, fext=fext), tau)
R, place = legs.forward_kinematics(q, link="imu")
assert np.allclose(R.T @ R, np.eye(3)) and place.shape == (3,)

# What there is for each link or frame comes entry by entry; R[k] is the rotation of one.
frames = [f.name for f in legs.frames]
poses, links = legs.frame_poses(q), legs.link_poses(q)
assert poses.p.shape == (2, 3) and poses.R.shape == (2, 3, 3) and links.R.shape == (len(legs.link_names), 3, 3)
assert np.allclose(poses.p[1], place) and not poses.R[1].any()  # position-only
assert np.allclose(poses.R[0], legs.forward_kinematics(q, "front_left_foot")[0])
for k, name in enumerate(legs.link_names):
    R, place = legs.forward_kinematics(q, name)
    assert np.allclose(links.R[k], R) and np.allclose(links.p[k], place)
assert not np.allclose(links.R, links.R.transpose(0, 2, 1))  # so that the order of indices shows
given = tuple(np.zeros_like(x) for x in links)
assert legs.link_poses(q, out=given).R is given[1] and np.array_equal(given[1], links.R)
# Energies are numbers.
energy = legs.kinetic_energy(q, v)
assert isinstance(energy, float) and abs(energy - 0.5 * v @ M @ v) < 1e-12
assert legs.kinetic_energy(q, v, out=np.zeros(())) == energy
Y = legs.base_regressor(q, v, a, p)
assert np.allclose(legs.base_matrix @ legs.inertial_parameters, legs.base_parameters, atol=1e-15)
assert np.allclose(Y @ legs.base_parameters, legs.rnea(q, v, a, 0 * fext, p), atol=1e-12)

# Batches, float32, results in given arrays.
count = 23
Q = np.tile(q, (count, 1))
Q[:, 7:] += random.uniform(-1, 1, (count, legs.nq - 7))
V, A = random.uniform(-1, 1, (2, count, legs.nv))
many = legs.rnea(Q, V, A, fext, p)
assert many.shape == (count, legs.nv)
for k in range(count):
    assert np.allclose(many[k], legs.rnea(Q[k], V[k], A[k], fext, p), atol=1e-12)
derivatives = legs.rnea_derivatives(Q, V, A, fext, p)
again = (np.zeros((count, legs.nv, legs.nv)).transpose(0, 2, 1), None)
assert legs.rnea_derivatives(Q, V, A, fext, p, out=again).dtau_dq is again[0]
assert np.array_equal(again[0], derivatives.dtau_dq)
assert np.allclose(derivatives.dtau_dv[3], legs.rnea_derivatives(Q[3], V[3], A[3], fext, p).dtau_dv, atol=1e-11)
# Layouts that have to be copied give the same.
assert np.array_equal(legs.rnea(np.asfortranarray(Q), V[::1], A[:, ::-1][:, ::-1], fext, p), many)
assert legs.kinetic_energy(Q, V).shape == (count,) and legs.link_poses(Q).R.shape == (count, *links.R.shape)
assert all(np.allclose(legs.link_poses(Q).R[k], legs.link_poses(Q[k]).R, atol=1e-14) for k in range(count))
for threads in (2, 5, 100):
    assert np.array_equal(legs.rnea(Q, V, A, fext, p, threads=threads), many)
forces = random.uniform(-1, 1, (count, 1, 6))
assert np.allclose(legs.rnea(Q, V, A, forces, p)[3], legs.rnea(Q[3], V[3], A[3], forces[3], p), atol=1e-12)
try:
    legs.rnea(q, v, a, fext.T, p)
except ValueError as error:
    assert str(error) == "rnea: fext has shape (6, 1); expected (1, 6), or (count, 1, 6) for many states", error
else:
    raise AssertionError("a column for each link was taken for a row")
single = [x.astype(np.float32) for x in (q, v, a, fext, p)]
assert legs.rnea(*single).dtype == np.float32 and np.allclose(legs.rnea(*single), tau, atol=1e-3)

# Names of results can be written in Python, where "lambda" is a word.
active = np.ones(len(legs.constraints))
feet = np.vstack([legs.frame_jacobian(q, constraint.name)[:3] for constraint in legs.constraints])
contact = legs.constrained_dynamics(q, v, tau, active, fext, p)
assert np.allclose(M @ contact.a + bias, tau + J.T @ fext[0] + feet.T @ contact.lambda_, atol=1e-9)
assert "lambda_" in legs.constrained_dynamics.__doc__ and contact._fields == ("a", "lambda_")
for wrong, place in (([1, 0.5], "active[1]"), ([[0, 1], [2, 0]], "active[0] of state 1"), ([np.nan, 1], "active[0]")):
    try:
        legs.constrained_dynamics(q, v, tau, np.array(wrong), fext, p)
    except ValueError as error:
        foot = legs.constraints[int(place[7])].name
        assert f'{place}, of constraint "{foot}", is ' in str(error) and "expected 1, or 0 for" in str(error), error
    else:
        raise AssertionError("a constraint was held in part")

# The stub lists what the module holds.
stub = ast.parse(next(pathlib.Path(legs.__file__).parent.glob("legs.pyi")).read_text())
defined = {n.name for n in stub.body if isinstance(n, ast.FunctionDef)}
assert defined == set(legs.functions) and all(callable(getattr(legs, name)) for name in defined)
constants = {n.target.id for n in stub.body if isinstance(n, ast.AnnAssign)}
assert all(hasattr(legs, name) for name in constants)
classes = {n.name: n.body for n in stub.body if isinstance(n, ast.ClassDef)}
prepared = {n.name for n in classes.pop("prepare") if isinstance(n, ast.FunctionDef)}
assert prepared == defined and all(callable(getattr(legs.prepare, name)) for name in prepared)
fields = {name: [field.target.id for field in body] for name, body in classes.items()}
assert all(name.startswith("_") and not hasattr(legs, name) for name in fields)  # types that only the stub has
assert fields["_constrained_dynamics_result"] == ["a", "lambda_"] and "lambda_" in dir(contact)
assert set(fields["_Joint"]) <= set(dir(legs.joints[0]))
print("the module agrees")
