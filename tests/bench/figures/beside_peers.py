"""The picture of the README: how many times longer other libraries take."""
import matplotlib.pyplot as plt

from draw import caption, data, figure

NAMES = {"ur5": "UR5\narm", "panda": "Panda\narm, hand", "hyq": "HyQ\nquadruped", "talos_reduced": "Talos\nhumanoid"}
VELOCITIES = {"ur5": 6, "panda": 9, "hyq": 18, "talos_reduced": 38}
FUNCTIONS = {"rnea": "inverse dynamics", "aba": "forward dynamics", "aba_derivatives": "its derivatives"}
COLOURS = {"Featherline": "#d95f02", "CppADCodeGen": "#9db7d1", "Pinocchio": "#5f86b0", "MuJoCo": "#3d5f86",
           "KDL": "#253f5e"}
TIMES_SHOWN = {"rnea": 61, "aba": 21.5, "aba_derivatives": 15}  # the same scale in all panels
HIGH = 0.8  # of a bar


def time_as_text(ns):
    return f"{ns:.0f} ns" if ns < 1000 else f"{ns / 1000:.1f} µs"


def two_digits(ratio):
    return f"{ratio:.1f}×" if ratio < 10 else f"{ratio:.0f}×"


def times_as_long(robot, function):
    """{library: ratio}, Featherline first with 1."""
    ns = data("peers")["robots"][robot][function]
    return {name: ns[name] / ns["Featherline"] for name in COLOURS if name in ns}


def group_starts():
    """Where the groups of the robots begin: as many rows as the first panel has bars."""
    starts, y = {}, 0.0
    for robot in NAMES:
        starts[robot] = y
        y += len(times_as_long(robot, "rnea")) + 0.8
    return starts


def bars(axes, function):
    for robot, y in group_starts().items():
        for k, (name, ratio) in enumerate(times_as_long(robot, function).items()):
            ours = name == "Featherline"
            text = time_as_text(data("peers")["robots"][robot][function][name]) if ours else two_digits(ratio)
            axes.barh(y + k, ratio, height=HIGH, color=COLOURS[name])
            axes.text(ratio + 0.5, y + k, f"{text} {name}" if function == "rnea" else text, va="center", fontsize=8.5,
                      color="#b34700" if ours else "#222222", fontweight="bold" if ours else "normal")


@figure
def beside_peers():
    plot, all_axes = plt.subplots(1, 3, figsize=(8.2, 4.4), width_ratios=list(TIMES_SHOWN.values()))
    middles = [y + (len(times_as_long(robot, "rnea")) - 1) / 2 for robot, y in group_starts().items()]
    for axes, (function, title) in zip(all_axes, FUNCTIONS.items()):
        bars(axes, function)
        axes.set_title(f"{title}\n{function}", loc="left", fontsize=9.5)
        axes.set_xlim(0, TIMES_SHOWN[function])
        axes.set_xticks([])
        axes.grid(False)
        axes.spines[["top", "right", "bottom"]].set_visible(False)
        axes.set_yticks(middles, [f"{NAMES[r]} ({VELOCITIES[r]})" for r in NAMES] if function == "rnea" else [])
        axes.set_ylim(2 * middles[-1] - group_starts()["talos_reduced"] + 0.8, -0.8)
        axes.tick_params(left=False)
    versions = ", ".join(f"{k} {v.removeprefix('cppadcg-')}" for k, v in data("peers")["versions"].items())
    caption(plot, "Time of a call: Featherline's, and how many times as long the others take; shorter bars are faster. "
                  f"In brackets: degrees of freedom. {versions}.", data("peers"))
    return plot
