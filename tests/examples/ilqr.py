"""Trajectory optimisation: an arm of six joints reaches a pose by iLQR; with --ddp by second derivatives, too."""
import sys

import featherline
import numpy as np

second = ["aba_vector_hessian", "minv_vector_derivative"] if "--ddp" in sys.argv else []
arm = featherline.load("robots/arm6.urdf", functions=["aba", "aba_derivatives", "bias", *second])
n, steps, h, goal = arm.nv, 100, 0.01, np.array([0.8, -0.6, 0.9, 0.4, -0.7, 0.5] + 6 * [0.0])
Q, Q_end, R = np.diag([0.1] * n + [1e-3] * n), np.diag([1e4] * n + [1e2] * n), 1e-4 * np.eye(n)


def cost(X, U):
    E = X - goal
    return 0.5 * (np.sum(E[:-1] @ Q * E[:-1]) + E[-1] @ Q_end @ E[-1] + np.sum(U @ R * U))


def step(x, u):
    return np.concatenate([x[:n] + h * (v := x[n:] + h * arm.aba(x[:n], x[n:], u)), v])


def expand(x, u, V, second_order):
    """Derivatives A, B of a step, and if wanted the second ones of V' step with respect to (x, u)."""
    da_dq, da_dv, minv = arm.aba_derivatives(x[:n], x[n:], u)
    A = np.eye(2 * n) + h * np.block([[h * da_dq, np.eye(n) + h * da_dv], [da_dq, da_dv]])
    H, w = np.zeros((3 * n, 3 * n)), h * (h * V[:n] + V[n:])  # V' step has the acceleration times w
    if second_order:
        H[: 2 * n, : 2 * n] = arm.aba_vector_hessian(x[:n], x[n:], u, w)
        H[2 * n :, :n] = arm.minv_vector_derivative(x[:n], w)
    return A, np.vstack([h * h * minv, h * minv]), H


def backward(X, U, second_order):
    V, S, gains = Q_end @ (X[-1] - goal), Q_end, []
    for x, u in zip(X[-2::-1], U[::-1]):
        A, B, H = expand(x, u, V, second_order)
        Quu, Qux = R + B.T @ S @ B, B.T @ S @ A + H[2 * n :, : 2 * n]
        k, K = -np.linalg.solve(Quu, R @ u + B.T @ V), -np.linalg.solve(Quu, Qux)
        V, S = Q @ (x - goal) + A.T @ V + Qux.T @ k, Q + A.T @ S @ A + H[: 2 * n, : 2 * n] + Qux.T @ K
        S, gains = 0.5 * (S + S.T), [(k, K), *gains]
    return gains


X, U = np.zeros((steps + 1, 2 * n)), np.tile(arm.bias(np.zeros(n), np.zeros(n)), (steps, 1))
for iteration in range(50):
    gains = backward(X, U, second and iteration > 4)  # second derivatives mislead far from the solution
    for part in 0.5 ** np.arange(8):
        X_new, U_new = X.copy(), U.copy()
        for t, (k, K) in enumerate(gains):
            U_new[t] += part * k + K @ (X_new[t] - X[t])
            X_new[t + 1] = step(X_new[t], U_new[t])
        gain = cost(X, U) - cost(X_new, U_new)
        if gain > 0:
            break
    if gain < 1e-10 * cost(X, U):
        break
    X, U = X_new, U_new
print(f"{iteration + 1} iterations, cost {cost(X, U):.6f}, joint error {np.abs(X[-1, :n] - goal[:n]).max():.1e} rad")
assert np.abs(X[-1, :n] - goal[:n]).max() < 1e-2, "the arm does not reach the goal"
