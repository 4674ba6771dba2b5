"""Single calls: warm, prepared and out of cold caches, beside Pinocchio's."""
import matplotlib.pyplot as plt

from draw import caption, data, figure

ROBOTS = {"ur5": "UR5, arm", "panda": "Panda, arm with a hand", "hyq": "HyQ, quadruped", "talos_reduced": "Talos, humanoid"}
FUNCTIONS = ["rnea", "aba", "minv", "rnea_derivatives", "aba_derivatives", "frame_jacobians", "constrained_dynamics",
             "constrained_dynamics_derivatives"]
# side and kind of call: label, marker, colour
CALLS = {("Featherline", "warm"): ("warm", "|", "#d95f02"),
         ("Featherline", "prepared"): ("prepared", "D", "#d95f02"),
         ("Featherline", "plain"): ("cold", "o", "#d95f02"),
         ("Pinocchio", "warm"): ("Pinocchio, warm", "|", "#5f86b0"),
         ("Pinocchio", "plain"): ("Pinocchio, cold", "s", "#5f86b0")}


def median_us(row, side, kind):
    """Of cold calls those after which everything was evicted; None where there are none."""
    figures = row.get(side, {}) if kind == "warm" else row.get(side, {}).get("all", {})
    return figures[kind][0] / 1000 if kind in figures else None


def draw_calls(axes, rows, side, kind):
    label, marker, colour = CALLS[side, kind]
    found = [(median_us(row, side, kind), y) for y, (_, row) in enumerate(rows)]
    found = [(us, y) for us, y in found if us]
    if found:
        axes.plot(*zip(*found), linestyle="", marker=marker, markersize=6, color=colour, label=label,
                  markerfacecolor="none" if kind == "prepared" else colour)


@figure
def cold():
    source = data("cold")
    robots = {name: title for name, title in ROBOTS.items() if name in source["robots"]}
    rows = {name: [(f, source["robots"][name][f]) for f in FUNCTIONS if f in source["robots"][name]] for name in robots}
    plot, all_axes = plt.subplots(len(robots), 1, figsize=(7.6, 0.7 + 0.26 * sum(map(len, rows.values()))), sharex=True,
                                  squeeze=False, height_ratios=[len(rows[name]) for name in robots])
    for axes, (name, title) in zip(all_axes[:, 0], robots.items()):
        for side, kind in CALLS:
            draw_calls(axes, rows[name], side, kind)
        axes.set_yticks(range(len(rows[name])), [f for f, _ in rows[name]])
        axes.set_ylim(len(rows[name]) - 0.4, -0.6)
        axes.set_xscale("log")
        axes.set_title(title, loc="left")
    all_axes[-1, 0].set_xlabel("µs a call")
    all_axes[0, 0].legend(loc="upper center", bbox_to_anchor=(0.5, 1.55), ncols=5)
    caption(plot, "Single calls, medians. Cold: code, tables, inputs, outputs and page tables are in main memory. "
                  "Prepared: NAME::prepare::F was called 20 µs before.", source)
    return plot
