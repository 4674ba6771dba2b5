"""An optimal control problem of acados: arm7 goes from one posture to another within the limits of its motors.

Run in the root of the repository, where acados and its Python interface are: python3 tests/examples/acados_ocp.py
"""
import os
import shutil
import sys
import tempfile

import featherline
import numpy as np

try:
    import casadi
    from acados_template import AcadosModel, AcadosOcp, AcadosOcpSolver
except ImportError as error:
    print(f"SKIP: {error}")
    sys.exit(77)

n, nodes, duration = 7, 40, 1.0
library = featherline.casadi_library("robots/arm7.urdf", name="arm", functions=["aba"])
arm = featherline.load("robots/arm7.urdf", functions=["gravity", "rollout"], integrator="rk4")
start = np.array([0.0, 0.5, 0.0, -1.5, 0.0, 1.1, 0.0])
goal = start + np.array([0.6, -0.3, 0.2, 0.4, -0.3, 0.2, 0.5])

# One call of jac_ gives all directions, which acados asks for.
aba = casadi.external("arm_aba", library, {"jac_penalty": 0.3})
x, tau = casadi.MX.sym("x", 2 * n), casadi.MX.sym("tau", n)
model = AcadosModel()
model.name, model.x, model.u = "arm", x, tau
model.f_expl_expr = casadi.vertcat(x[n:], aba(x[:n], x[n:], tau))

ocp = AcadosOcp()
ocp.model = model
effort = np.array([joint.effort for joint in arm.joints])
weights = np.concatenate([np.full(n, 1.0), np.full(n, 0.1), 1e-2 / effort**2])
ocp.cost.cost_type = ocp.cost.cost_type_e = "LINEAR_LS"
ocp.cost.W, ocp.cost.W_e = np.diag(weights), np.diag(weights[: 2 * n])
ocp.cost.Vx, ocp.cost.Vu = np.eye(3 * n, 2 * n), np.eye(3 * n, n, -2 * n)
ocp.cost.Vx_e = np.eye(2 * n)
ocp.cost.yref = np.concatenate([goal, np.zeros(n), arm.gravity(goal)])
ocp.cost.yref_e = np.concatenate([goal, np.zeros(n)])
ocp.constraints.x0 = np.concatenate([start, np.zeros(n)])
ocp.constraints.idxbu, ocp.constraints.lbu, ocp.constraints.ubu = np.arange(n), -effort, effort
ocp.constraints.idxbx_e = np.arange(2 * n)
ocp.constraints.lbx_e = ocp.constraints.ubx_e = ocp.cost.yref_e
options = ocp.solver_options
options.N_horizon, options.tf = nodes, duration
options.integrator_type, options.nlp_solver_type, options.hessian_approx = "ERK", "SQP", "GAUSS_NEWTON"

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    shutil.copy(library, "libarm_casadi.so")  # acados hands its folder and name to the linker
    os.environ["LDFLAGS"] = f"-Wl,-rpath,{folder}"
    options.model_external_shared_lib_dir, options.model_external_shared_lib_name = folder, "arm_casadi"
    solver = AcadosOcpSolver(ocp, json_file="arm.json", verbose=False)
    for k in range(nodes):
        solver.set(k, "x", np.concatenate([start, np.zeros(n)]))
        solver.set(k, "u", arm.gravity(start))
    status = solver.solve()
    torques = np.array([solver.get(k, "u") for k in range(nodes)])
    iterations = solver.get_stats("sqp_iter")

# acados holds the torques of each interval, and takes one step of Runge and Kutta's method in it, as rollout does.
q, _ = arm.rollout(start, np.zeros(n), torques, duration / nodes)
error = np.abs(q[-1] - goal).max()
print(f"status {status} after {iterations} iterations; torques up to {np.abs(torques / effort).max():.0%}; "
      f"simulated: {error:.1e} rad from the goal")
assert status == 0 and error < 1e-4 and (np.abs(torques) <= effort * (1 + 1e-6)).all(), "the goal is not reached"
