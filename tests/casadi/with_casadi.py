"""CasADi loads the external functions and differentiates through them; skipped (77) where CasADi is missing."""

import sys

try:
    import casadi
except ImportError:
    print("skipped: there is no CasADi; install its Python package to run this test")
    sys.exit(77)

import numpy

library, name = sys.argv[1], "free_joints"
random = numpy.random.default_rng(1)
for function, inputs in {"rnea": "qva", "aba": "qvt", "bias": "qv"}.items():
    f = casadi.external(f"{name}_{function}", library)
    x = [casadi.MX.sym(letter, f.size1_in(i)) for i, letter in enumerate(inputs)]
    at = [random.uniform(-1, 1, f.size1_in(i)) for i in range(f.n_in())]
    weight = random.uniform(-1, 1, f.size1_out(0))
    cost = casadi.dot(weight, f(*x))
    stacked = casadi.vertcat(*x)
    gradient = casadi.Function("gradient", x, [casadi.gradient(cost, stacked)])
    jacobian = casadi.Function("jacobian", x, [casadi.jacobian(f(*x), stacked)])
    hessian = casadi.Function("hessian", x, [casadi.hessian(cost, stacked)[0]])
    step = 1e-6

    def differences(g):
        columns = []
        for i in range(f.n_in()):
            for k in range(f.size1_in(i)):
                e = [numpy.array(a) for a in at]
                e[i][k] += step
                up = numpy.array(g(*e))
                e[i][k] -= 2 * step
                columns.append(((up - numpy.array(g(*e))) / (2 * step)).ravel())
        return numpy.array(columns).T

    J = numpy.array(jacobian(*at))
    for what, found, expected, allowed in [
            ("jacobian", J, differences(f), 1e-6), ("gradient", numpy.array(gradient(*at)).ravel(), J.T @ weight, 1e-12),
            ("hessian", numpy.array(hessian(*at)), differences(gradient), 1e-6)]:
        error = abs(found - expected).max() / max(1.0, abs(expected).max())
        print(function, what, error)
        if not error < allowed:
            sys.exit(1)
